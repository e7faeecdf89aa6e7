package alloccount

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/alloctop/alloctop/alloccount/internal/figure"
	"github.com/alloctop/alloctop/alloccount/internal/texttab"
)

// scopeGroup is a scope and its repeats.
type scopeGroup struct {
	first *Scope
	runs  []*Scope
}

// groupRuns puts the repeats of the same thing together, in order.
func groupRuns(scopes []*Scope) []*scopeGroup {
	type key struct {
		kind      Kind
		pkg, name string
		procs     int
	}
	var groups []*scopeGroup
	at := make(map[key]*scopeGroup)
	for _, s := range scopes {
		k := key{s.Kind, s.Package, s.Name, s.Procs}
		if s.Kind == KindProcess || len(s.Tests) > 0 {
			groups = append(groups, &scopeGroup{s, []*Scope{s}}) // another process, other tests
			continue
		}
		if g := at[k]; g != nil {
			g.runs = append(g.runs, s)
			continue
		}
		at[k] = &scopeGroup{s, []*Scope{s}}
		groups = append(groups, at[k])
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
	if len(shown) <= mostDetails {
		return shown, 0
	}
	heavy := slices.Clone(shown)
	slices.SortStableFunc(heavy, func(a, b *scopeGroup) int {
		return cmp.Compare(b.first.Totals.Objects, a.first.Totals.Objects)
	})
	heavy = heavy[:mostDetails]
	left = len(shown) - len(heavy)
	return slices.DeleteFunc(shown, func(g *scopeGroup) bool { return !slices.Contains(heavy, g) }), left
}

// measured reports whether g was asked for by name.
func (g *scopeGroup) measured() bool {
	return g.first.Kind == KindBenchmark || g.first.Kind == KindMeasure
}

// title names a scope: its package, its name, and what tells it from others.
func (p *printer) title(g *scopeGroup) string {
	s := g.first
	name := p.name(g)
	switch {
	case s.Kind == KindProcess && s.Package != "":
		name = s.Package
	case s.Package != "":
		name = s.Package + " " + name
	}
	if len(g.runs) > 1 {
		name += fmt.Sprintf(" (first of %d runs)", len(g.runs))
	}
	return name
}

// name returns the name of a scope within its package.
func (p *printer) name(g *scopeGroup) string {
	s := g.first
	if len(s.Tests) > 0 {
		return count(int64(len(s.Tests)), "test", "tests") + " in parallel"
	}
	for _, o := range p.groups {
		other := o.first.Kind == s.Kind && o.first.Package == s.Package && o.first.Name == s.Name
		if other && o.first.Procs != s.Procs {
			return fmt.Sprintf("%s-%d", s.Name, s.Procs)
		}
		if other && o != g && s.Kind == KindProcess {
			return fmt.Sprintf("%s, process %d", s.Name, s.Process.PID)
		}
	}
	return s.Name
}

// overview prints a line for each scope.
func (p *printer) overview() {
	for _, kind := range []struct {
		Kind
		one, many string
	}{
		{KindBenchmark, "benchmark", "benchmarks"},
		{KindMeasure, "measured function", "measured functions"},
		{KindTest, "test", "tests"},
		{KindProcess, "process", "processes"},
	} {
		var groups []*scopeGroup
		for _, g := range p.groups {
			if g.first.Kind == kind.Kind {
				groups = append(groups, g)
			}
		}
		if len(groups) == 0 {
			continue
		}
		p.blank()
		p.line(texttab.Bold, count(int64(len(groups)), kind.one, kind.many))
		p.overviewTable(groups)
	}
	p.blank()
	p.overall()
}

// overviewTable prints one kind of scopes.
func (p *printer) overviewTable(groups []*scopeGroup) {
	per := slices.ContainsFunc(groups, func(g *scopeGroup) bool { return g.first.Records > 0 })
	t := &texttab.Table{Indent: 2, Width: p.o.Width, Color: p.o.Color, Columns: []texttab.Column{
		{Head: "name"},
		{Head: "allocations", Align: texttab.Right},
		{Head: "memory", Align: texttab.Right},
		{Head: fmt.Sprintf("≤ %d B", small), Align: texttab.Right},
		{Head: "heaviest line", Align: texttab.Right},
		{Cut: texttab.CutLeft},
	}}
	if per {
		one, _ := groups[0].first.unit()
		for _, g := range groups {
			if other, _ := g.first.unit(); other != one {
				one = "record"
			}
		}
		t.Columns[1] = texttab.Column{Head: texttab.CutRight(texttab.Clean("allocs/"+one), 16), Align: texttab.Decimal}
		t.Columns[2].Head = texttab.CutRight(texttab.Clean("memory/"+one), 16)
	}
	room := p.o.Width * 2 / 5
	pkg := ""
	many := slices.ContainsFunc(groups, func(g *scopeGroup) bool { return g.first.Package != groups[0].first.Package })
	for _, g := range groups {
		if s := g.first; many && s.Package != pkg && s.Kind != KindProcess {
			pkg = s.Package
			t.AddLine(texttab.Dim, texttab.CutLeft(texttab.Clean(pkg), p.o.Width))
		}
		t.Add(p.overviewRow(g, per, room)...)
	}
	p.out.WriteString(t.String())
}

// overviewRow returns the line of one scope.
func (p *printer) overviewRow(g *scopeGroup, per bool, room int) []string {
	s := g.first
	name := p.name(g)
	if s.Kind == KindProcess && s.Package != "" {
		name = s.Package
	}
	if len(g.runs) > 1 {
		name += fmt.Sprintf(" ×%d", len(g.runs))
	}
	row := []string{texttab.CutMiddle(texttab.Clean(name), room)}
	switch {
	case per && s.Records > 0:
		row = append(row, perRecord(g), figure.Bytes(float64(s.Totals.Bytes)/float64(s.Records)))
	case per:
		row = append(row, "-", "-")
	default:
		row = append(row, figure.Count(s.Totals.Objects), figure.Bytes(float64(s.Totals.Bytes)))
	}
	if len(s.Sites) == 0 {
		return append(row, "", "", "")
	}
	x := s.Sites[0]
	return append(row, figure.Percent(s.small(), s.Totals.Objects, 1), figure.Percent(x.Objects, s.Totals.Objects, 1),
		place(s, x.Function, x.Package, x.File, x.Line))
}

// perRecord returns the allocations per record of all runs.
func perRecord(g *scopeGroup) string {
	less := func(a, b *Scope) int { return cmp.Compare(a.PerRecord(), b.PerRecord()) }
	low, high := slices.MinFunc(g.runs, less), slices.MaxFunc(g.runs, less)
	a, b := figure.Ratio(low.Totals.Objects, low.Records), figure.Ratio(high.Totals.Objects, high.Records)
	if a == b {
		return a
	}
	return a + "–" + b
}

// overall reconciles all scopes together.
func (p *printer) overall() {
	var counted, all int64
	var cut int
	var wrong []string
	for _, g := range p.groups {
		for _, s := range g.runs {
			if s.Runtime == nil {
				cut++
				continue
			}
			counted += s.Totals.Objects
			all += s.Runtime.Objects
			if s.Totals.Objects != s.Runtime.Objects {
				wrong = append(wrong, fmt.Sprintf("%s %s", p.title(&scopeGroup{s, []*Scope{s}}), figure.Percent(s.Totals.Objects, s.Runtime.Objects, 2)))
			}
		}
	}
	if cut < len(p.r.Scopes) {
		sum := &Scope{Totals: Totals{Objects: counted}, Runtime: &Counted{Objects: all}}
		p.reconciliation(sum)
	}
	if cut > 0 {
		p.line(texttab.Yellow, fmt.Sprintf("of %s the runtime's own count is not known", count(int64(cut), "part", "parts")))
	}
	if p.r.Engine == Exact && len(wrong) > 0 {
		p.wrap(texttab.Red, "", "  ", "not complete: "+strings.Join(wrong[:min(len(wrong), 5)], ", "))
	}
}

// short prints a scope in few lines.
func (p *printer) short(g *scopeGroup, top int) {
	s := g.first
	p.headline(g)
	shown := s.Sites[:min(top, len(s.Sites))]
	t := p.siteTable(s)
	t.Columns = append(t.Columns[1:5], texttab.Column{Head: t.Columns[5].Head, Cut: texttab.CutRight})
	for i, row := range siteRows(s, shown) {
		x := shown[i]
		t.Add(append(row[1:], join([]string{place(s, x.Function, x.Package, x.File, x.Line), x.Cause}, p.o.Width)[0])...)
	}
	p.out.WriteString(t.String())
	p.rest(s, s.Sites[len(shown):])
	p.reconciliation(s)
	p.cost(s)
	p.notes(s)
}
