package alloccount

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alloctop/alloctop/callsite"
	"github.com/alloctop/alloctop/internal/figure"
	"github.com/alloctop/alloctop/internal/texttab"
	"github.com/alloctop/alloctop/sizeclass"
)

// sites prints the lines of a scope that allocate most.
func (p *printer) sites(s *Scope, top int) {
	shown := s.Sites[:min(top, len(s.Sites))]
	t := p.siteTable(s)
	rows := siteRows(s, shown)
	for _, row := range rows {
		t.Add(row...)
	}
	room := t.Room()
	t = p.siteTable(s)
	common := commonUser(shown)
	for i, x := range shown {
		t.Add(append(rows[i], p.place(s, x))...)
		parts := what(x)
		if from := userText(s, x, room); from != "" && !common {
			parts = append(parts, from)
		}
		for _, l := range join(parts, room) {
			t.AddBelow(texttab.Dim, l)
		}
	}
	p.write(t)
	p.blank()
	if common {
		which := "the lines shown are all "
		if commonUser(s.Sites) {
			which = "all "
		}
		p.line(texttab.Dim, which+userText(s, shown[0], p.o.Width-len(which)+len("all ")))
	}
	p.rest(s, s.Sites[len(shown):])
	p.line(texttab.Plain, p.concentration(s))
}

// rest says what is not shown, in lines as [printer.concentration] counts them:
// a row is what a line does for one cause.
func (p *printer) rest(s *Scope, sites []*Site) {
	if len(sites) == 0 {
		return
	}
	var objects int64
	lines := make(map[sourceLine]bool)
	for _, x := range sites {
		objects += x.Objects
		lines[x.sourceLine()] = true
	}
	p.line(texttab.Dim, fmt.Sprintf("not shown: %s with %s of %s", figure.Things(int64(len(lines)), "line", "lines"), figure.Percent(objects, s.Totals.Objects, 1), p.whole(s, "the")))
}

// siteTable returns the empty table of lines.
func (p *printer) siteTable(s *Scope) *texttab.Table {
	head := "line that allocates"
	if p.r.By == ByUser {
		head = "line of your own code"
	}
	number := texttab.Column{Head: "allocations", Align: texttab.Right}
	if s.Records > 0 {
		number = texttab.Column{Head: perHead(s), Align: texttab.Decimal}
	}
	return &texttab.Table{Color: p.o.Color, Width: p.o.Width, Columns: []texttab.Column{
		{Align: texttab.Right, Style: texttab.Dim},
		number,
		{Head: "share", Align: texttab.Right},
		{Head: "sum", Align: texttab.Right},
		{Head: "size", Align: texttab.Right},
		{Head: head, Cut: texttab.CutLeft},
	}}
}

// siteRows returns the numbers of the first lines of a scope.
func siteRows(s *Scope, sites []*Site) [][]string {
	var rows [][]string
	var running int64
	for i, x := range sites {
		running += x.Objects
		number := figure.Count(x.Objects)
		if s.Records > 0 {
			number = figure.Cell(x.Objects, s.Records)
		}
		rows = append(rows, []string{
			figure.Count(int64(i + 1)), number,
			figure.Percent(x.Objects, s.Totals.Objects, 1), figure.Percent(running, s.Totals.Objects, 1), sizeText(x),
		})
	}
	return rows
}

// sizeText says how large the objects of a line are.
func sizeText(x *Site) string {
	c := x.SizeClasses
	if len(c) == 0 {
		return ""
	}
	low, high := c[0], c[len(c)-1]
	switch {
	case x.Requested == 0:
		return "< 16 B" // tiny objects of no known line
	case len(c) == 1 && x.Objects > 0 && x.Requested%x.Objects == 0:
		return figure.Class(x.Requested / x.Objects)
	case high.Max == sizeclass.Large && len(c) == 1:
		return "> 32 KiB"
	case high.Max == sizeclass.Large:
		return "≥ " + figure.Class(int64(low.Max))
	case len(c) == 1:
		return "≤ " + figure.Class(int64(high.Max))
	}
	return sizeRange(figure.Class(int64(low.Max)), figure.Class(int64(high.Max)))
}

// sizeRange joins two sizes, naming the unit once if it is that of both.
func sizeRange(low, high string) string {
	if number, unit, _ := strings.Cut(low, " "); strings.HasSuffix(high, " "+unit) {
		low = number
	}
	return low + "–" + high
}

// what says what a line allocates: the cause, the type, the function.
func what(x *Site) []string {
	var parts []string
	if x.Cause != "" {
		parts = append(parts, texttab.Clean(x.Cause))
	}
	if t := typeText(x); t != "" {
		parts = append(parts, texttab.Clean(t))
	}
	if x.File != "" {
		parts = append(parts, "in "+texttab.Clean(shortFunction(x.Function, x.Package)))
	}
	return parts
}

// userText says which line of the user's code led to a line, and to what part
// of its allocations if not to all, "" if it is that line or there is none.
func userText(s *Scope, x *Site, width int) string {
	if x.UserFile == "" || x.UserFile == x.File && x.UserLine == x.Line {
		return ""
	}
	part, others := "", ""
	if x.UserObjects > 0 && x.UserObjects < x.Objects {
		part = figure.Percent(x.UserObjects, x.Objects, 1) + " "
	}
	if x.UserLines > 1 {
		others = " and " + figure.Things(int64(x.UserLines-1), "other", "others")
	}
	pkg := callsite.Frame{Function: x.UserFunction, File: x.UserFile}.Package()
	from := place(s, x.UserFunction, pkg, x.UserFile, x.UserLine)
	return part + "from " + texttab.CutLeft(from, width-len("all from ")-len(part)-len(others)) + others
}

// commonUser reports whether all that sites allocate comes from one line of the
// user's code.
func commonUser(sites []*Site) bool {
	for _, x := range sites {
		if userText(new(Scope), x, defaultWidth) == "" || x.UserLines > 1 || x.UserObjects < x.Objects ||
			x.UserFile != sites[0].UserFile || x.UserLine != sites[0].UserLine {
			return false
		}
	}
	return len(sites) > 1
}

// typeText names the type of most of what a line allocates, "" if there is none.
func typeText(x *Site) string {
	named := slices.DeleteFunc(slices.Clone(x.Types), func(t TypeCount) bool { return t.Name == "" })
	if len(named) == 0 || named[0].Objects <= x.Objects/2 {
		return ""
	}
	name := named[0].Words()
	switch x.Cause {
	case "make slice", "slice growth", "slice moved to the heap", "new array": // the runtime is told the element
		name = "[]" + name
	}
	if len(named) > 1 {
		name += " and " + figure.Things(int64(len(named)-1), "other type", "other types")
	}
	return name
}

// Words names the type as people read it. The runtime gives values without
// pointers which it boxes into an interface a type of its own, whatever theirs
// is (runtime/iface.go, convT16 and its like, Go 1.26): these are named for what
// they stand for, "string". All others have their Name.
func (c TypeCount) Words() string {
	switch c.Name {
	case "runtime.uint16InterfacePtr":
		return "2-byte value"
	case "runtime.uint32InterfacePtr":
		return "4-byte value"
	case "runtime.uint64InterfacePtr":
		return "8-byte value"
	case "runtime.stringInterfacePtr":
		return "string"
	case "runtime.sliceInterfacePtr":
		return "slice"
	}
	return c.Name
}

// join puts parts on as few lines as they fit on.
func join(parts []string, width int) []string {
	var lines []string
	for _, part := range parts {
		part = texttab.CutMiddle(part, width)
		if n := len(lines); n > 0 && texttab.Width(lines[n-1])+3+texttab.Width(part) <= width {
			lines[n-1] += " · " + part
			continue
		}
		lines = append(lines, part)
	}
	return lines
}

// place names a line of s, "encoding/csv/reader.go:249".
func place(s *Scope, function, pkg, file string, line int) string {
	at := s.Place(function, pkg, file)
	if file != "" {
		at = fmt.Sprintf("%s:%d", at, line)
	}
	return texttab.Clean(at)
}

// place names the line of a site. Where lines of the user's own code were asked
// for, it says of another that it is none.
func (p *printer) place(s *Scope, x *Site) string {
	at := place(s, x.Function, x.Package, x.File, x.Line)
	if p.r.By == ByUser && x.UserFunction == "" && x.File != "" {
		at += " (not your code)"
	}
	return at
}

// shortFunction returns a function's name without its package.
func shortFunction(function, pkg string) string {
	return strings.TrimPrefix(function, pkg+".")
}

// concentration says how few lines make up most of the allocations.
func (p *printer) concentration(s *Scope) string {
	c := s.Concentration(func(x *Site) int64 { return x.Objects })
	verb := "lines make up"
	if c.Few == 1 {
		verb = "line makes up"
	}
	return fmt.Sprintf("%s %s %s of %s", figure.Count(int64(c.Few)), verb, figure.Percent(c.Sum, s.Totals.Objects, 1), p.whole(s, "all"))
}
