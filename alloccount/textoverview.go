package alloccount

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/alloctop/alloctop/internal/figure"
	"github.com/alloctop/alloctop/internal/texttab"
)

// scopeGroup is a scope and its repeats.
type scopeGroup struct {
	first *Scope
	runs  []*Scope
}

// groupRuns puts the repeats of the same thing together, in order.
func groupRuns(scopes []*Scope) []*scopeGroup {
	var groups []*scopeGroup
	at := make(map[scopeID]*scopeGroup)
	for _, s := range scopes {
		if s.Kind == KindProcess || len(s.Tests) > 0 {
			groups = append(groups, &scopeGroup{s, []*Scope{s}}) // another process, other tests
			continue
		}
		if g := at[s.id()]; g != nil {
			g.runs = append(g.runs, s)
			continue
		}
		at[s.id()] = &scopeGroup{s, []*Scope{s}}
		groups = append(groups, at[s.id()])
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
	switch {
	case s.Kind == KindProcess && s.Package != "":
		name = s.Package
	case s.Package != "" && (p.packages > 1 || len(p.groups) == 1 && s.Kind != KindMeasure): // who measures knows where
		name = s.Package + " " + name
	}
	if len(g.runs) > 1 {
		name += fmt.Sprintf(" (run 1 of %d)", len(g.runs))
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
		pkgs := make(map[string]bool)
		for _, g := range p.groups {
			if g.first.Kind == kind.Kind {
				groups = append(groups, g)
				pkgs[g.first.Package] = true
			}
		}
		if len(groups) == 0 {
			continue
		}
		p.blank()
		head := count(int64(len(groups)), kind.one, kind.many)
		if pkg := groups[0].first.Package; len(pkgs) == 1 && pkg != "" {
			head += " of " + pkg
		}
		p.line(texttab.Bold, head)
		shown := groups
		if kind.Kind == KindTest || kind.Kind == KindProcess {
			shown = heaviestGroups(groups, max(mostRows, p.o.Top))
		}
		p.overviewTable(shown, len(pkgs) > 1 && kind.Kind != KindProcess)
		if n := len(groups) - len(shown); n > 0 {
			p.line(texttab.Dim, fmt.Sprintf("and %s with fewer allocations", count(int64(n), kind.one, kind.many)))
		}
	}
	p.blank()
	p.overall()
}

// overviewTable prints one kind of scopes, under their packages if there are
// several.
func (p *printer) overviewTable(groups []*scopeGroup, packages bool) {
	t := p.emptyOverview(groups)
	for _, g := range groups {
		t.Add(p.overviewRow(g, t)...)
	}
	room := t.Room()
	t = p.emptyOverview(groups)
	pkg := ""
	for _, g := range groups {
		if s := g.first; packages && s.Package != pkg {
			pkg = s.Package
			t.AddLine(texttab.Dim, texttab.CutLeft(texttab.Clean(pkg), p.o.Width))
		}
		t.Add(append(p.overviewRow(g, t), heaviest(g.first, room))...)
	}
	p.write(t)
}

// emptyOverview returns the overview's table without rows.
func (p *printer) emptyOverview(groups []*scopeGroup) *texttab.Table {
	t := &texttab.Table{Indent: 2, Width: p.o.Width, Color: p.o.Color, Columns: []texttab.Column{
		{Head: "name"},
		{Head: "allocations", Align: texttab.Right},
		{Head: "memory", Align: texttab.Right},
		{Head: fmt.Sprintf("≤ %d B", small), Align: texttab.Right},
		{Head: "heaviest line"},
	}}
	if slices.ContainsFunc(groups, func(g *scopeGroup) bool { return g.first.Records > 0 }) {
		unit := commonUnit(groups)
		t.Columns[1] = texttab.Column{Head: "allocs/" + unit, Align: texttab.Decimal}
		t.Columns[2].Head = "memory/" + unit
	}
	return t
}

// commonUnit names the record of all groups.
func commonUnit(groups []*scopeGroup) string {
	common := ""
	for _, g := range groups {
		switch one, _ := g.first.unit(); {
		case g.first.Records == 0 || common == one:
		case common == "":
			common = one
		default:
			return "record"
		}
	}
	return texttab.CutRight(texttab.Clean(common), 9)
}

// overviewRow returns the line of one scope, without the heaviest line.
func (p *printer) overviewRow(g *scopeGroup, t *texttab.Table) []string {
	s := g.first
	name := p.name(g)
	if s.Kind == KindProcess && s.Package != "" {
		name = s.Package
	}
	if len(g.runs) > 1 {
		name += fmt.Sprintf(" ×%d", len(g.runs))
	}
	row := []string{texttab.CutMiddle(texttab.Clean(name), p.o.Width*36/100)}
	switch per := t.Columns[1].Align == texttab.Decimal; {
	case per && s.Records > 0:
		row = append(row, perRecord(g), figure.Bytes(float64(s.counted().Bytes)/float64(s.Records)))
	case per: // cut off
		row = append(row, "-", "-")
	default:
		row = append(row, figure.Count(s.counted().Objects), figure.Bytes(float64(s.counted().Bytes)))
	}
	if s.Totals.Objects == 0 {
		return append(row, "")
	}
	return append(row, figure.Percent(s.small(), s.Totals.Objects, 1))
}

// heaviest names the line of a scope that allocates most, and its share if
// there is room for both.
func heaviest(s *Scope, room int) string {
	if len(s.Sites) == 0 {
		return ""
	}
	x := s.Sites[0]
	at := place(s, x.Function, x.Package, x.File, x.Line)
	share := fmt.Sprintf("%7s  ", figure.Percent(x.Objects, s.Totals.Objects, 1))
	if room-len(share) < 24 {
		share = ""
	}
	return share + texttab.CutLeft(at, room-len(share))
}

// perRecord returns the allocations per record of all runs.
func perRecord(g *scopeGroup) string {
	less := func(a, b *Scope) int { return cmp.Compare(a.PerRecord(), b.PerRecord()) }
	low, high := slices.MinFunc(g.runs, less), slices.MaxFunc(g.runs, less)
	a, b := figure.Cell(low.counted().Objects, low.Records), figure.Cell(high.counted().Objects, high.Records)
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
		p.wrap(texttab.Red, 2, "not complete: "+strings.Join(wrong[:min(len(wrong), 5)], ", "))
	}
}

// short prints scopes in few lines each.
func (p *printer) short(groups []*scopeGroup, top int) {
	t := p.siteTable(new(Scope))
	t.Columns = t.Columns[1:]
	t.Indent = 2
	if unit := commonUnit(groups); unit != "" {
		t.Columns[0] = texttab.Column{Head: "per " + unit, Align: texttab.Decimal}
	}
	for i, g := range groups {
		s := g.first
		if i > 0 {
			t.AddLine(texttab.Plain, "")
		}
		for _, l := range texttab.Wrap(texttab.Clean(p.finding(g, false)), p.o.Width, 2) {
			t.AddLine(texttab.Bold, l)
		}
		shown := s.Sites[:min(top, len(s.Sites))]
		for i, row := range siteRows(s, shown) {
			x := shown[i]
			at := place(s, x.Function, x.Package, x.File, x.Line)
			if x.Cause != "" {
				at += " · " + texttab.Clean(x.Cause)
			}
			t.Add(append(row[1:], at)...)
		}
		text, style := p.known(s)
		if c := s.Cost; c != nil {
			text += ", " + timeText(s) + ", GC " + count(c.GCCycles, "cycle", "cycles")
		}
		for _, l := range texttab.Wrap(text, p.o.Width-2, 2) {
			t.AddLine(style, "  "+l)
		}
	}
	p.write(t)
	for _, g := range groups {
		p.notes(g.first)
	}
}
