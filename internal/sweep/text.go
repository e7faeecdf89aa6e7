package sweep

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/alloctop/alloctop/internal/benchtable"
	"github.com/alloctop/alloctop/internal/figure"
	"github.com/alloctop/alloctop/internal/texttab"
)

// TextOptions says how a result is printed.
type TextOptions struct {
	Width int  // columns, at least 60; 0 is 100
	Color bool // with ANSI colours
}

// printer writes a result as text.
type printer struct {
	r *Result
	o TextOptions
	b strings.Builder

	legends []string // of the columns that were shown
}

// WriteText writes the result for a reader at a terminal: of each benchmark
// first what was seen, in words, then its cells, and at the end all benchmarks
// beside each other.
func (r *Result) WriteText(w io.Writer, o TextOptions) error {
	if o.Width == 0 {
		o.Width = 100
	}
	o.Width = max(o.Width, 60)
	p := &printer{r: r, o: o}
	for i, x := range r.Benchmarks {
		if i > 0 {
			p.b.WriteByte('\n')
		}
		p.benchmark(x)
	}
	p.legend()
	p.together()
	for _, n := range r.Notes {
		p.paragraph(texttab.Plain, "note: "+n, 6)
	}
	if _, err := io.WriteString(w, p.b.String()); err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	return nil
}

func (p *printer) paragraph(style texttab.Style, text string, indent int) {
	for _, line := range texttab.Wrap(texttab.Clean(text), p.o.Width, indent) {
		if p.o.Color {
			line = style.Paint(line)
		}
		p.b.WriteString(line + "\n")
	}
}

// benchmark writes what there is of one benchmark.
func (p *printer) benchmark(x *BenchmarkResult) {
	title := strings.TrimPrefix(x.Name, "Benchmark")
	if slices.ContainsFunc(p.r.Benchmarks, func(o *BenchmarkResult) bool { return o.Package != x.Package }) {
		title = path.Base(x.Package) + "." + title
	}
	if text := x.CountText(); text != "" {
		title += ": " + text
	}
	p.paragraph(texttab.Bold, title, 2)
	for _, w := range x.Words {
		p.paragraph(texttab.Plain, "- "+w, 2)
	}
	p.b.WriteString("\n" + p.cells(x))
	for _, c := range x.Cells {
		if c.Failed != "" {
			p.paragraph(texttab.Red, p.r.Grid.Label(c.Settings)+" failed: "+c.Failed, 2)
		}
	}
}

// CountText says how many allocations a record takes, "" if they were not
// counted.
func (x *BenchmarkResult) CountText() string {
	c := x.Count
	if c == nil {
		return ""
	}
	text := figure.Number(c.perRecord()) + " allocations per " + c.per()
	if c.Unit != "" && c.Records != 1 {
		text += fmt.Sprintf(", %s in an operation", figure.Number(c.Records)+" "+c.Unit)
	}
	return text + ", " + figure.Bytes(c.Bytes) + " per operation"
}

// per names a record.
func (c *BenchmarkCount) per() string {
	if c.Unit == "" {
		return "operation"
	}
	if one, ok := strings.CutSuffix(c.Unit, "s"); ok && !strings.HasSuffix(one, "s") {
		return one
	}
	return c.Unit
}

// column is one column of the table of cells.
type column struct {
	texttab.Column
	legend string
	cell   func(c *CellResult) string
}

// dispensable are the columns that a narrow terminal does without, the first of
// them first. JSON has all.
var dispensable = []string{"p", "±", "eff.", "peak", "GC"}

// cells returns the table of a benchmark's cells, and notes what is in it.
func (p *printer) cells(x *BenchmarkResult) string {
	columns := p.r.columns()
	for _, head := range dispensable {
		first, _, _ := strings.Cut(table(x, columns, false), "\n")
		if texttab.Width(first) <= p.o.Width {
			break
		}
		columns = slices.DeleteFunc(columns, func(c column) bool { return c.Head == head })
	}
	for _, c := range columns {
		for i := range x.Cells {
			if c.legend != "" && c.cell(&x.Cells[i]) != "" && !slices.Contains(p.legends, c.legend) {
				p.legends = append(p.legends, c.legend)
			}
		}
	}
	return table(x, columns, p.o.Color)
}

// columns are those of the settings that vary, and of what was measured.
func (r *Result) columns() []column {
	var columns []column
	for i, a := range r.Grid {
		if len(a.Values) > 1 {
			columns = append(columns, column{Column: texttab.Column{Head: a.Name, Align: texttab.Right}, cell: func(c *CellResult) string { return c.Settings[i] }})
		}
	}
	return append(columns, measures(len(r.Grid.Cells()) > 1)...)
}

// CellTexts returns the table of a benchmark's cells as text: its heads, and a
// row for each cell. Columns without anything in them are left out.
func (r *Result) CellTexts(x *BenchmarkResult) (heads []string, rows [][]string) {
	rows = make([][]string, len(x.Cells))
	for _, col := range r.columns() {
		filled := slices.ContainsFunc(x.Cells, func(c CellResult) bool { return col.cell(&c) != "" })
		if !filled {
			continue
		}
		heads = append(heads, col.Head)
		for i := range x.Cells {
			rows[i] = append(rows[i], col.cell(&x.Cells[i]))
		}
	}
	return heads, rows
}

// TogetherTexts returns the table of all benchmarks in the first cell, if there
// are several.
func (r *Result) TogetherTexts() (heads []string, rows [][]string) {
	if len(r.Benchmarks) < 2 || r.Table == nil {
		return nil, nil
	}
	return r.Table.Texts()
}

// table lays the cells out.
func table(x *BenchmarkResult, columns []column, color bool) string {
	t := texttab.Table{Color: color}
	for _, c := range columns {
		t.Columns = append(t.Columns, c.Column)
	}
	for i := range x.Cells {
		var row []string
		for _, c := range columns {
			row = append(row, texttab.Clean(c.cell(&x.Cells[i])))
		}
		t.Add(row...)
	}
	return t.String()
}

// measures are the columns behind those of the settings.
func measures(several bool) []column {
	show := func(head string, align texttab.Align, style texttab.Style, legend string, cell func(c *CellResult) string) column {
		return column{texttab.Column{Head: head, Align: align, Style: style, Optional: true}, legend, cell}
	}
	known := func(v *float64, f func(float64) string) string {
		if v == nil {
			return ""
		}
		return f(*v)
	}
	columns := []column{
		show("time", texttab.Right, texttab.Bold, "time: median of the turns", (*CellResult).time),
		show("±", texttab.Right, texttab.Dim, "±: its 95 % confidence interval", (*CellResult).spread),
	}
	if several {
		columns = append(columns,
			show("vs first", texttab.Right, texttab.Plain, "vs first: change against the first row, ~ if it may be chance", func(c *CellResult) string { return c.Change.text() }),
			show("p", texttab.Decimal, texttab.Dim, "p: of the U test for it", func(c *CellResult) string { return c.Change.probability() }))
	}
	return append(columns,
		show("speed-up", texttab.Decimal, texttab.Plain, "speed-up: against the fewest threads", func(c *CellResult) string {
			return known(c.SpeedUp, func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) })
		}),
		show("eff.", texttab.Right, texttab.Plain, "eff.: the part of it that full use of the threads would bring", func(c *CellResult) string { return known(c.Efficiency, percent) }),
		show("threads", texttab.Decimal, texttab.Plain, "threads: processor time by time of the loop", func(c *CellResult) string { return known(c.Threads, short) }),
		show("GC", texttab.Right, texttab.Plain, "GC: of its processor time", func(c *CellResult) string { return known(c.GCShare, percent) }),
		show("peak", texttab.Right, texttab.Plain, "peak: resident memory of the process", func(c *CellResult) string {
			if c.Peak == 0 {
				return ""
			}
			return figure.Bytes(float64(c.Peak))
		}))
}

func (c *CellResult) time() string {
	switch {
	case c.Time != nil:
		return figure.Seconds(c.Time.Median)
	case c.Failed != "":
		return "failed"
	}
	return ""
}

// spread prints the wider half of the confidence interval as a part of the
// median.
func (c *CellResult) spread() string {
	if c.Time == nil || c.Time.Low == nil || c.Time.Median == 0 {
		return ""
	}
	return percent(max(*c.Time.High-c.Time.Median, c.Time.Median-*c.Time.Low) / c.Time.Median)
}

// text prints a change: "-12 %", or "~" if it may be chance.
func (c *Change) text() string {
	switch {
	case c == nil:
		return ""
	case !c.Sure:
		return "~"
	case c.Ratio < 1:
		return "-" + percent(1-c.Ratio)
	}
	return "+" + percent(c.Ratio-1)
}

func (c *Change) probability() string {
	switch {
	case c == nil:
		return ""
	case c.P < 0.001:
		return "<0.001"
	}
	return strconv.FormatFloat(c.P, 'f', 3, 64)
}

// legend says what the columns are, and the settings that do not vary.
func (p *printer) legend() {
	var fixed []string
	for _, a := range p.r.Grid {
		if len(a.Values) == 1 {
			fixed = append(fixed, a.Name+"="+a.Values[0])
		}
	}
	if len(fixed) > 0 {
		p.legends = append(p.legends, "all with "+strings.Join(fixed, " "))
	}
	if len(p.legends) > 0 {
		p.b.WriteByte('\n')
		p.paragraph(texttab.Dim, strings.Join(p.legends, "; "), 0)
	}
}

// together writes what can be said of several benchmarks.
func (p *printer) together() {
	if len(p.r.Benchmarks) < 2 || p.r.Table == nil {
		return
	}
	p.b.WriteByte('\n')
	head := "All benchmarks"
	if len(p.r.Grid) > 0 {
		head += ", with " + p.r.Grid.Label(p.r.Grid.Cells()[0])
	}
	p.paragraph(texttab.Bold, head, 2)
	for _, w := range p.r.Words {
		p.paragraph(texttab.Plain, "- "+w, 2)
	}
	p.b.WriteByte('\n')
	p.r.Table.WriteText(&p.b, benchtable.TextOptions{Width: p.o.Width, Color: p.o.Color})
}
