package alloccount

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/callsite"
)

// runSchema names the version of the comment that carries a [run].
const runSchema = "alloctop/run/v1"

// run is what a profile cannot say in samples: how it was counted, and what is
// known of each scope beside its allocations. It is one line of JSON among the
// profile's comments, which pprof prints, so it leaves out what is zero.
type run struct {
	Schema    string     `json:"schema"`
	Engine    Engine     `json:"engine"`
	Go        string     `json:"go,omitempty"`
	Command   []string   `json:"command,omitempty"`
	Owned     ownership  `json:"owned,omitzero"` // which code is the user's
	Processes []Process  `json:"processes"`
	Scopes    []runScope `json:"scopes"` // a sample's label "scope" is an index into it
	Notes     []string   `json:"notes,omitempty"`
	Per       []string   `json:"per,omitempty"` // what a record is, in the words of ParsePer

	Sources map[string]string `json:"sources,omitempty"` // SHA-256 of source files as they were, see RecordSources
}

// ownership is what [callsite.Rules] need to tell the user's code from others'.
type ownership struct {
	Modules  []module `json:"modules,omitempty"`
	Others   []module `json:"others,omitempty"`
	Packages []string `json:"packages,omitempty"`
}

// module is a [callsite.Module].
type module struct {
	Path string `json:"path"`
	Dir  string `json:"dir,omitempty"`
}

// ownershipOf keeps what is the same for all processes of a run.
func ownershipOf(r callsite.Rules) ownership {
	keep := func(ms []callsite.Module) (kept []module) {
		for _, m := range ms {
			kept = append(kept, module(m))
		}
		return kept
	}
	return ownership{keep(r.Modules), keep(r.Others), r.Packages}
}

// rules returns the rules for a process with the given main package.
func (o ownership) rules(main string, stripped bool) callsite.Rules {
	give := func(ms []module) (given []callsite.Module) {
		for _, m := range ms {
			given = append(given, callsite.Module(m))
		}
		return given
	}
	return callsite.Rules{Modules: give(o.Modules), Others: give(o.Others), Packages: o.Packages, Main: main, Stripped: stripped}
}

// runScope is a [Scope] without what its samples say.
type runScope struct {
	Kind       Kind               `json:"kind"`
	Package    string             `json:"package,omitempty"`
	Name       string             `json:"name"`
	Tests      []string           `json:"tests,omitempty"`
	Procs      int                `json:"procs,omitempty"`
	Run        int                `json:"run,omitempty"`
	Iterations int64              `json:"iterations,omitempty"`
	Records    int64              `json:"records,omitempty"`
	Unit       string             `json:"unit,omitempty"`
	Process    int                `json:"process,omitempty"` // index into run.Processes
	Own        bool               `json:"own_goroutines,omitempty"`
	Runtime    *Counted           `json:"runtime,omitempty"`
	Tiny       int64              `json:"tiny_objects,omitempty"`
	Folded     int64              `json:"folded_objects,omitempty"`
	Unplaced   int64              `json:"unplaced_objects,omitempty"`
	Runs       *Runs              `json:"runs,omitempty"`
	Metrics    map[string]float64 `json:"metrics,omitempty"`
	Cost       *Cost              `json:"cost,omitempty"`
	Notes      []string           `json:"notes,omitempty"`
}

// scope returns the [Scope] that m describes, without any allocations.
func (r *run) scope(m *runScope) *Scope {
	s := &Scope{
		Kind: m.Kind, Package: m.Package, Name: m.Name, Tests: m.Tests,
		Procs: m.Procs, Run: m.Run, Iterations: m.Iterations, Records: m.Records, Unit: m.Unit,
		Own: m.Own, Runtime: m.Runtime, Totals: Totals{Tiny: m.Tiny},
		Folded: m.Folded, Unplaced: m.Unplaced, Runs: m.Runs, Metrics: m.Metrics, Cost: m.Cost, Notes: slices.Clone(m.Notes),
	}
	if m.Process >= 0 && m.Process < len(r.Processes) {
		s.Process = r.Processes[m.Process]
	}
	return s
}

// numberRuns sets Run of each scope to the number of scopes like it before it.
func (r *run) numberRuns() {
	seen := make(map[scopeID]int)
	for i := range r.Scopes {
		s := &r.Scopes[i]
		k := scopeID{s.Kind, "", s.Package, s.Name, s.Procs, s.Own}
		s.Run = seen[k]
		seen[k]++
	}
}

// errForeign says that a profile was not written by alloctop, or that another
// tool merged several that were, so that their scopes cannot be told apart.
var errForeign = errors.New("not a profile of one alloctop run")

// isRun reports whether a comment holds a [run], of this or another version.
func isRun(comment string) bool {
	return strings.HasPrefix(comment, `{"schema":"alloctop/run/`)
}

// runOf reads the run from a profile's comments.
func runOf(p *profile.Profile) (*run, error) {
	var found *run
	for _, c := range p.Comments {
		if !isRun(c) {
			continue
		}
		if found != nil {
			return nil, errForeign
		}
		found = new(run)
		if err := json.Unmarshal([]byte(c), found); err != nil {
			return nil, fmt.Errorf("the profile's comment on the run is damaged: %w", err)
		}
		if found.Schema != runSchema {
			return nil, fmt.Errorf("the profile is of schema %q, this alloctop reads %s; use the alloctop that wrote it", found.Schema, runSchema)
		}
	}
	if found == nil {
		return nil, errForeign
	}
	return found, nil
}

// setRun puts r into the comments of p, where runOf finds it.
func setRun(p *profile.Profile, r *run) error {
	text, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("describing the run: %w", err)
	}
	p.Comments = append(slices.DeleteFunc(p.Comments, isRun), string(text))
	return nil
}
