package alloccount

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/alloctop/alloctop/internal/figure"
	"github.com/alloctop/alloctop/internal/texttab"
	"github.com/alloctop/alloctop/sizeclass"
)

// full prints everything that the text form knows of a scope.
func (p *printer) full(g *scopeGroup, top int) {
	s := g.first
	p.headline(g)
	p.blank()
	if s.Totals.Objects > 0 {
		p.sizes(s)
		p.blank()
		p.sites(s, top)
	}
	p.reconciliation(s)
	p.cost(s)
	p.runs(s)
	p.notes(s)
}

// headline prints the finding.
func (p *printer) headline(g *scopeGroup) {
	s := g.first
	p.wrap(texttab.Bold, 2, p.finding(g, true))
	if s.Totals.Objects > 0 {
		p.wrap(texttab.Plain, 2, p.weight(s))
	}
	if len(s.Tests) > 0 {
		p.wrap(texttab.Dim, 2, "these ran in parallel, so they are counted together: "+strings.Join(s.Tests, ", "))
	}
	if exit := s.Process.Exit; s.Kind == KindProcess && exit != "" && exit != "0" && s.Runtime != nil {
		p.line(texttab.Yellow, "the process ended with "+exitText(exit))
	}
}

// finding says how many allocations a record takes, and if asked how many
// there are in all.
func (p *printer) finding(g *scopeGroup, total bool) string {
	s := g.first
	n := s.counted().Objects
	all := figure.Things(n, "allocation", "allocations")
	if s.Records == 0 {
		return p.title(g) + ": " + all
	}
	one, many := s.RecordName()
	per := figure.Ratio(n, s.Records) + " allocations"
	if n == s.Records {
		per = "1 allocation"
	}
	in := figure.Things(s.Records, one, many)
	if s.Kind == KindBenchmark && s.Records != s.Iterations {
		in += " in " + figure.Things(s.Iterations, "op", "ops")
	}
	if total {
		in += ", " + all
	}
	return fmt.Sprintf("%s: %s per %s (%s)", p.title(g), per, one, in)
}

// exitText says how a process ended.
func exitText(exit string) string {
	if strings.Trim(exit, "0123456789") == "" {
		return "exit status " + exit
	}
	return exit
}

// weight says how much memory a scope takes, and how small its objects are.
func (p *printer) weight(s *Scope) string {
	bytes := float64(s.counted().Bytes)
	size := figure.Bytes(bytes) + " in all"
	if s.Records > 0 {
		one, _ := s.RecordName()
		size = figure.Bytes(bytes/float64(s.Records)) + " per " + one
	}
	return fmt.Sprintf("%s; %s of %s ask for %d bytes or less", size, figure.Percent(s.small(), s.Totals.Objects, 1), p.whole(s, "the"), small)
}

// whole names what shares are shares of.
func (p *printer) whole(s *Scope, which string) string {
	if p.r.Engine != Exact && (s.Runtime == nil || s.Runtime.Objects != s.Totals.Objects) {
		return "the allocations with a line"
	}
	return which + " allocations"
}

// small is the size up to which an object is hardly worth its allocation, in
// bytes.
const small = 32

// small returns how many objects are small.
func (s *Scope) small() int64 {
	var n int64
	for _, c := range s.SizeClasses {
		if c.Max <= small {
			n += c.Objects
		}
	}
	return n
}

// mostSizes is how many size classes are shown as they are; more are folded.
const mostSizes = 12

// steps are the rows of a folded size table.
var steps = []sizeclass.Bound{8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768}

// largestClass is the largest size class of Go.
const largestClass sizeclass.Bound = 32768

// thresholds returns the rows of the size table of s.
func thresholds(s *Scope) []sizeclass.Bound {
	if len(s.SizeClasses) > mostSizes {
		return steps
	}
	var classes []sizeclass.Bound
	for _, c := range s.SizeClasses {
		classes = append(classes, c.Max)
	}
	return classes
}

// sizes prints how large the objects of a scope are.
func (p *printer) sizes(s *Scope) {
	rows := s.SizeSteps
	if len(rows) == 0 {
		var err error
		if rows, err = sizeclass.Fold(s.SizeClasses, thresholds(s)...); err != nil {
			return // a report that others made, with classes that Go does not have
		}
		rows[len(rows)-1].Over = largestClass
	}
	t := &texttab.Table{Color: p.o.Color, Columns: []texttab.Column{
		{Head: "size", Align: texttab.Right},
		{Head: "allocations", Align: texttab.Right},
		{Head: perHead(s), Align: texttab.Decimal, Optional: true},
		{Head: "share", Align: texttab.Right},
		{Head: "sum", Align: texttab.Right},
		{Style: texttab.Cyan},
	}}
	var most, running int64
	for _, row := range rows {
		most = max(most, row.Objects)
	}
	for _, row := range rows {
		if row.Objects == 0 {
			continue
		}
		running += row.Objects
		t.Add(classText(row), figure.Count(row.Objects), figure.Cell(row.Objects, s.Records),
			figure.Percent(row.Objects, s.Totals.Objects, 1), figure.Percent(running, s.Totals.Objects, 1),
			texttab.Bar(row.Objects, most, min(32, p.o.Width-60)))
	}
	p.write(t)
}

// classText names a row of the size table.
func classText(s sizeclass.Step) string {
	if s.Max == sizeclass.Large {
		return "> " + figure.Class(int64(s.Over))
	}
	return "≤ " + figure.Class(int64(s.Max))
}

// perHead is the head of a column of allocations per record.
func perHead(s *Scope) string {
	if s.Records == 0 {
		return ""
	}
	one, _ := s.RecordName()
	return texttab.CutRight(texttab.Clean("per "+one), 12)
}

// reconciliation says what part of all allocations the report knows.
func (p *printer) reconciliation(s *Scope) {
	text, style := p.known(s)
	p.wrap(style, 2, text)
	if r := s.Runtime; p.r.Engine == Exact && r != nil && r.Objects == s.Totals.Objects && r.Bytes != s.Totals.Bytes {
		p.line(texttab.Red, fmt.Sprintf("but %s of %s bytes (%s)", figure.Count(s.Totals.Bytes), figure.Count(r.Bytes), figure.Percent(s.Totals.Bytes, r.Bytes, 2)))
	}
}

// known says what part of all allocations the report knows.
func (p *printer) known(s *Scope) (string, texttab.Style) {
	n := s.Totals.Objects
	switch {
	case p.r.Engine != Exact:
		return coverage(s), texttab.Yellow
	case s.Own && s.Cost != nil: // it has ended
		return "attributed " + figure.Things(n, "allocation", "allocations") + " of its own goroutines; the runtime counts all of a process together", texttab.Plain
	case s.Runtime == nil && s.Process.Exit == "running":
		return "attributed " + figure.Things(n, "allocation", "allocations") + " so far; the process still runs", texttab.Yellow
	case s.Runtime == nil:
		middle := ""
		if s.Kind != KindProcess {
			middle = fmt.Sprintf(" in the middle of the %s,", s.Kind)
		}
		return fmt.Sprintf("attributed %s; the process ended (%s)%s before the runtime's own count could be read: the report is complete up to then",
			figure.Things(n, "allocation", "allocations"), exitText(s.Process.Exit), middle), texttab.Yellow
	}
	all := s.Runtime.Objects
	style := texttab.Green
	if n != all {
		style = texttab.Red
	}
	return fmt.Sprintf("attributed %s of %s (%s)", figure.Count(n), figure.Things(all, "allocation", "allocations"), figure.Percent(n, all, 2)), style
}

// coverage says what a profile of the runtime does not know.
func coverage(s *Scope) string {
	n := s.Totals.Objects - s.Unplaced
	if s.Runtime == nil {
		return figure.Things(n, "allocation has", "allocations have") + " a line; how many there were in all is not in the profile"
	}
	if s.Runtime.Objects == 0 {
		return "no allocations"
	}
	text := fmt.Sprintf("%s of %s have a line", figure.Percent(n, s.Runtime.Objects, 1), figure.Things(s.Runtime.Objects, "allocation", "allocations"))
	edge := max(s.Unplaced-s.Totals.Tiny, 0) // see heapPlacer
	switch {
	case n == s.Runtime.Objects:
	case edge > 0 && edge == s.Unplaced:
		text += "; the rest were made by other goroutines as the counting began or ended"
	default:
		text += "; the rest are tiny objects that the runtime's profile does not record"
		if edge > 0 {
			text += fmt.Sprintf(", and %s by other goroutines as the counting began or ended", figure.Count(edge))
		}
	}
	if s.Unplaced > 0 {
		text += ". `alloctop --` counts them all"
	}
	return text
}

// cost prints time, CPU and garbage collection.
func (p *printer) cost(s *Scope) {
	c := s.Cost
	if c == nil {
		return
	}
	text := timeText(s) + ", CPU " + figure.Seconds(c.CPUSeconds) + ", GC " + figure.Things(c.GCCycles, "cycle", "cycles")
	// The runtime's figure has idle workers and waiting for a processor in it and
	// moves at the end of a cycle, so it can be more than there was, and is wrong.
	if c.GCCPUSeconds > 0 && c.GCCPUSeconds <= c.CPUSeconds {
		text += fmt.Sprintf(", %s CPU (%.1f %%)", figure.Seconds(c.GCCPUSeconds), c.GCCPUSeconds/c.CPUSeconds*100)
	}
	if c.PauseSeconds > 0 {
		text += ", " + figure.Seconds(c.PauseSeconds) + " paused"
	}
	p.wrap(texttab.Plain, 2, text+costOfMeasure(s))
}

// timeText prints the time of a scope, and of a record.
func timeText(s *Scope) string {
	text := "time " + figure.Seconds(s.Cost.WallSeconds)
	if records := cmp.Or(s.Cost.Records, s.Records); records > 0 {
		one, _ := s.RecordName()
		text += fmt.Sprintf(" (%s per %s)", figure.Seconds(s.Cost.WallSeconds/float64(records)), one)
	}
	return text
}

// notes prints what a reader must know of a scope.
func (p *printer) notes(s *Scope) {
	if s.Folded > 0 {
		p.note(fmt.Sprintf("%s of the process are counted under a shortened call path, since it has too many different ones: their lines are right, their callers may be missing", figure.Things(s.Folded, "allocation", "allocations")))
	}
	for _, n := range s.Notes {
		p.note(n)
	}
}
