package alloccount

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/alloctop/alloctop/internal/figure"
	"github.com/alloctop/alloctop/internal/texttab"
)

// scopeGroup is a scope and its repeats.
type scopeGroup struct {
	first *Scope
	runs  []*Scope
}

// groupID is what the repeats in a group have in common: what is counted in
// different units is not compared, nor what is from two files.
type groupID struct {
	scopeID
	unit string // "" without records
}

// groupRuns puts the repeats of the same thing together, in order.
func groupRuns(scopes []*Scope) []*scopeGroup {
	var groups []*scopeGroup
	at := make(map[groupID]*scopeGroup)
	for _, s := range scopes {
		if s.Kind == KindProcess || len(s.Tests) > 0 {
			groups = append(groups, &scopeGroup{s, []*Scope{s}}) // another process, other tests
			continue
		}
		id := groupID{scopeID: s.id()}
		if s.Records > 0 {
			id.unit, _ = s.RecordName()
		}
		if g := at[id]; g != nil {
			g.runs = append(g.runs, s)
			continue
		}
		at[id] = &scopeGroup{s, []*Scope{s}}
		groups = append(groups, at[id])
	}
	return groups
}

// details returns the groups to show beside the overview, and how many more
// there are. Where there are benchmarks or Measures, tests are not what the
// run was about.
func (p *printer) details() (shown []*scopeGroup, left int) {
	if len(p.groups) == 1 {
		return p.groups, 0
	}
	measured := slices.ContainsFunc(p.groups, func(g *scopeGroup) bool { return g.measured() })
	for _, g := range p.groups {
		if g.first.Totals.Objects > 0 && (g.measured() || !measured) {
			shown = append(shown, g)
		}
	}
	most := mostDetails
	if !measured {
		most /= 2
	}
	heavy := heaviestGroups(shown, most)
	return heavy, len(shown) - len(heavy)
}

// heaviestGroups returns the n groups with most allocations, in the order that
// they have.
func heaviestGroups(groups []*scopeGroup, n int) []*scopeGroup {
	if len(groups) <= n {
		return groups
	}
	byObjects := slices.Clone(groups)
	slices.SortStableFunc(byObjects, func(a, b *scopeGroup) int {
		return cmp.Compare(b.first.Totals.Objects, a.first.Totals.Objects)
	})
	heavy := make(map[*scopeGroup]bool)
	for _, g := range byObjects[:n] {
		heavy[g] = true
	}
	return slices.DeleteFunc(slices.Clone(groups), func(g *scopeGroup) bool { return !heavy[g] })
}

// measured reports whether g was asked for by name.
func (g *scopeGroup) measured() bool {
	return g.first.Kind == KindBenchmark || g.first.Kind == KindMeasure
}

// title names a scope: its package, its name, and what tells it from others.
func (p *printer) title(g *scopeGroup) string {
	s := g.first
	name := p.name(g)
	if s.Kind != KindProcess && s.Package != "" && (p.packages > 1 || len(p.groups) == 1 && s.Kind != KindMeasure) { // who measures knows where
		name = s.Package + " " + name
	}
	if len(g.runs) > 1 {
		name += fmt.Sprintf(" (run 1 of %d)", len(g.runs))
	}
	return name
}

// name returns the name of a scope within its package, and what tells it from
// others of the name: its GOMAXPROCS, its process, whose
// goroutines were counted, the file that it is from.
func (p *printer) name(g *scopeGroup) string {
	s := g.first
	procs, process, from, own := false, false, false, false
	for _, o := range p.groups {
		if o == g || o.first.Kind != s.Kind || o.first.Package != s.Package || o.first.Name != s.Name {
			continue
		}
		procs = procs || o.first.Procs != s.Procs
		process = process || o.first.From == s.From
		from = from || o.first.From != s.From && s.From != ""
		own = own || o.first.Own != s.Own
	}
	name := s.Name
	switch {
	case len(s.Tests) > 0:
		name = figure.Things(int64(len(s.Tests)), "test", "tests") + " in parallel"
	case s.Kind == KindProcess:
		name = cmp.Or(s.Package, s.Name)
		if process {
			name += fmt.Sprintf(", process %d", s.Process.PID)
		}
	case procs:
		name += fmt.Sprintf("-%d", s.Procs)
	}
	if own && s.Own {
		name += ", own goroutines"
	}
	if from {
		name += ", " + s.From
	}
	return name
}

// groupOf returns the group that s is in.
func (p *printer) groupOf(s *Scope) *scopeGroup {
	i := slices.IndexFunc(p.groups, func(g *scopeGroup) bool { return slices.Contains(g.runs, s) })
	return p.groups[i]
}

// apartScopes returns scopes that do not overlap: of each process itself if it
// is a scope, since all else lies in it; or else its benchmarks and tests, in
// which Measures may lie; or else its Measures.
func apartScopes(scopes []*Scope) []*Scope {
	type process struct {
		Process
		from string
	}
	of := func(s *Scope) process { return process{s.Process, s.From} }
	rank := func(s *Scope) int {
		switch s.Kind {
		case KindProcess:
			return 2
		case KindMeasure:
			return 0
		}
		return 1
	}
	highest := make(map[process]int)
	for _, s := range scopes {
		highest[of(s)] = max(highest[of(s)], rank(s))
	}
	return slices.DeleteFunc(slices.Clone(scopes), func(s *Scope) bool { return rank(s) < highest[of(s)] })
}

// recordNames returns what the records of groups are, "" of those that have
// none. What was cut off does not count: nobody knows how many it has.
func recordNames(groups []*scopeGroup) (names []string) {
	for _, g := range groups {
		if one := g.recordName(); !g.cutOff() && !slices.Contains(names, one) {
			names = append(names, one)
		}
	}
	return names
}

// recordName names a record of g, "" if it has none.
func (g *scopeGroup) recordName() string {
	if g.first.Records == 0 {
		return ""
	}
	one, _ := g.first.RecordName()
	return texttab.CutRight(texttab.Clean(one), 9)
}

// cutOff reports whether g is a benchmark of which it is not known how often
// it ran.
func (g *scopeGroup) cutOff() bool { return g.first.Kind == KindBenchmark && g.first.Records == 0 }
