package alloccount

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/alloctop/alloctop/internal/figure"
	"github.com/alloctop/alloctop/internal/texttab"
)

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
		head := figure.Things(int64(len(groups)), kind.one, kind.many)
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
			p.line(texttab.Dim, fmt.Sprintf("and %s with fewer allocations", figure.Things(int64(n), kind.one, kind.many)))
		}
	}
	p.blank()
	p.overall()
}

// overviewTable prints one kind of scopes, under their packages if there are
// several.
func (p *printer) overviewTable(groups []*scopeGroup, packages bool) {
	t, names := p.emptyOverview(groups), recordNames(groups)
	for _, g := range groups {
		t.Add(p.overviewRow(g, names)...)
	}
	room := t.Room()
	t = p.emptyOverview(groups)
	pkg := ""
	for _, g := range groups {
		if s := g.first; packages && s.Package != pkg {
			pkg = s.Package
			t.AddLine(texttab.Dim, texttab.CutLeft(texttab.Clean(pkg), p.o.Width))
		}
		t.Add(append(p.overviewRow(g, names), p.heaviest(g.first, room))...)
	}
	p.write(t)
}

// emptyOverview returns the overview's table without rows. Each row says what
// its records are where they are different things.
func (p *printer) emptyOverview(groups []*scopeGroup) *texttab.Table {
	columns := []texttab.Column{
		{Head: "name"},
		{Head: "allocations", Align: texttab.Right},
		{Head: "memory", Align: texttab.Right},
		{Head: fmt.Sprintf("≤ %d B", small), Align: texttab.Right},
		{Head: "heaviest line"},
	}
	switch names := recordNames(groups); {
	case len(names) > 1:
		columns[1] = texttab.Column{Head: "allocs", Align: texttab.Decimal}
		columns = slices.Insert(columns, 3, texttab.Column{Head: "per"})
	case len(names) == 1 && names[0] != "":
		columns[1] = texttab.Column{Head: "allocs/" + names[0], Align: texttab.Decimal}
		columns[2].Head = "memory/" + names[0]
	}
	return &texttab.Table{Indent: 2, Width: p.o.Width, Color: p.o.Color, Columns: columns}
}

// overviewRow returns the line of one scope, without the heaviest line.
func (p *printer) overviewRow(g *scopeGroup, names []string) []string {
	s := g.first
	name := p.name(g)
	if len(g.runs) > 1 {
		name += fmt.Sprintf(" ×%d", len(g.runs))
	}
	row := []string{texttab.CutMiddle(texttab.Clean(name), p.o.Width*36/100)}
	switch {
	case s.Records > 0:
		row = append(row, perRecord(g), figure.Bytes(float64(s.counted().Bytes)/float64(s.Records)))
	case g.cutOff() && slices.ContainsFunc(names, func(name string) bool { return name != "" }):
		row = append(row, "-", "-")
	default:
		row = append(row, figure.Count(s.counted().Objects), figure.Bytes(float64(s.counted().Bytes)))
	}
	if len(names) > 1 {
		row = append(row, perText(g))
	}
	if s.Totals.Objects == 0 {
		return append(row, "")
	}
	return append(row, figure.Percent(s.small(), s.Totals.Objects, 1))
}

// perText says what the numbers of a group are for, beside others that are for
// something else.
func perText(g *scopeGroup) string {
	switch name := g.recordName(); {
	case name != "":
		return name
	case g.cutOff():
		return "-"
	}
	return "(in all)"
}

// heaviest names the line of a scope that allocates most, and its share if
// there is room for both.
func (p *printer) heaviest(s *Scope, room int) string {
	if len(s.Sites) == 0 {
		return ""
	}
	x := s.Sites[0]
	at := p.place(s, x)
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

// overall reconciles all scopes together, what lies in two of them once.
func (p *printer) overall() {
	var counted, all int64
	var cut int
	var known []*Scope
	var wrong []string
	for _, s := range p.r.Scopes {
		if s.Runtime == nil {
			cut++
			continue
		}
		known = append(known, s)
		if s.Totals.Objects != s.Runtime.Objects {
			wrong = append(wrong, fmt.Sprintf("%s %s", p.title(p.groupOf(s)), figure.Percent(s.Totals.Objects, s.Runtime.Objects, 2)))
		}
	}
	for _, s := range apartScopes(known) {
		counted += s.Totals.Objects
		all += s.Runtime.Objects
	}
	if len(known) > 0 {
		sum := &Scope{Totals: Totals{Objects: counted}, Runtime: &Counted{Objects: all}}
		p.reconciliation(sum)
	}
	if cut > 0 {
		p.line(texttab.Yellow, fmt.Sprintf("of %s the runtime's own count is not known", figure.Things(int64(cut), "part", "parts")))
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
	names := recordNames(groups)
	switch {
	case len(names) > 1:
		t.Columns[0] = texttab.Column{Head: "allocs", Align: texttab.Decimal}
		t.Columns = slices.Insert(t.Columns, 1, texttab.Column{Head: "per"})
	case len(names) == 1 && names[0] != "":
		t.Columns[0] = texttab.Column{Head: "per " + names[0], Align: texttab.Decimal}
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
			at := p.place(s, x)
			if x.Cause != "" {
				at += " · " + texttab.Clean(x.Cause)
			}
			if row = row[1:]; len(names) > 1 {
				row = slices.Insert(row, 1, perText(g))
			}
			t.Add(append(row, at)...)
		}
		text, style := p.known(s)
		if c := s.Cost; c != nil {
			text += ", " + timeText(s) + ", GC " + figure.Things(c.GCCycles, "cycle", "cycles")
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
