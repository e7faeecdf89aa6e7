package alloccount

import "slices"

// Merge puts the scopes of several reports into one, in order, and numbers the
// repeats of the same benchmark anew. Scopes are repeats only if they are From
// the same place: set it to tell what two files have under one name apart. The
// reports share their scopes with the result and should not be used any more.
// Merge returns nil for no reports.
func Merge(reports ...*Report) *Report {
	if len(reports) == 0 {
		return nil
	}
	all := *reports[0]
	seen := make(map[scopeID]int)
	all.Scopes, all.Notes, all.Profile = nil, nil, nil
	for _, r := range reports {
		if r.Engine != all.Engine {
			all.Engine = Sampled // no more than that can be said of all of them
		}
		if r.Go != all.Go {
			all.Go = ""
		}
		for _, s := range r.Scopes {
			s.Run = seen[s.id()]
			seen[s.id()]++
			all.Scopes = append(all.Scopes, s)
		}
		for _, note := range r.Notes {
			if !slices.Contains(all.Notes, note) { // what is true of several is said once
				all.Notes = append(all.Notes, note)
			}
		}
	}
	all.complete()
	return &all
}

// scopeID is what repeats of a scope have in common.
type scopeID struct {
	kind      Kind
	from      string
	pkg, name string
	procs     int
	own       bool // what all goroutines allocate is no repeat of that
}

func (s *Scope) id() scopeID { return scopeID{s.Kind, s.From, s.Package, s.Name, s.Procs, s.Own} }
