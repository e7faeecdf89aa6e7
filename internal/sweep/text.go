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
	if c := x.Count; c != nil {
		title += ": " + number(c.PerRecord[0]) + " allocations per " + c.per()
		if c.Unit != "" && c.Records != 1 {
			title += fmt.Sprintf(", %s in an operation", number(c.Records)+" "+c.Unit)
		}
		title += ", " + figure.Bytes(c.Bytes) + " per operation"
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
	cell func(c *CellResult) string
}

// cells returns the table of a benchmark's cells.
func (p *printer) cells(x *BenchmarkResult) string {
	var columns []column
	for i, a := range p.r.Grid {
		if len(a.Values) > 1 {
			columns = append(columns, column{texttab.Column{Head: a.Name, Align: texttab.Right}, func(c *CellResult) string { return c.Settings[i] }})
		}
	}
	columns = append(columns, measures(len(x.Cells) > 1)...)
	t := texttab.Table{Width: p.o.Width, Color: p.o.Color, Indent: 2}
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
	numbers := func(head string, cell func(c *CellResult) string) column {
		return column{texttab.Column{Head: head, Align: texttab.Decimal, Optional: true}, cell}
	}
	right := func(head string, cell func(c *CellResult) string) column {
		return column{texttab.Column{Head: head, Align: texttab.Right, Optional: true}, cell}
	}
	known := func(v *float64, f func(float64) string) string {
		if v == nil {
			return ""
		}
		return f(*v)
	}
	columns := []column{
		{texttab.Column{Head: "time", Align: texttab.Right, Style: texttab.Bold}, func(c *CellResult) string {
			switch {
			case c.Time != nil:
				return figure.Seconds(c.Time.Median)
			case c.Failed != "":
				return "failed"
			}
			return ""
		}},
		{texttab.Column{Head: "±", Align: texttab.Right, Style: texttab.Dim, Optional: true}, spread},
	}
	if several {
		columns = append(columns,
			right("vs first", func(c *CellResult) string {
				if c.Change == nil {
					return ""
				}
				return c.Change.String()
			}),
			column{texttab.Column{Head: "p", Align: texttab.Decimal, Style: texttab.Dim, Optional: true}, func(c *CellResult) string {
				if c.Change == nil {
					return ""
				}
				return probability(c.Change.P)
			}})
	}
	return append(columns,
		numbers("speed-up", func(c *CellResult) string {
			return known(c.SpeedUp, func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) })
		}),
		right("per thread", func(c *CellResult) string { return known(c.Efficiency, percent) }),
		numbers("threads", func(c *CellResult) string { return known(c.Threads, short) }),
		right("GC", func(c *CellResult) string { return known(c.GCShare, percent) }),
		right("peak", func(c *CellResult) string {
			if c.Peak == 0 {
				return ""
			}
			return figure.Bytes(float64(c.Peak))
		}))
}

// spread prints the wider half of the confidence interval as a part of the
// median.
func spread(c *CellResult) string {
	if c.Time == nil || c.Time.Low == nil || c.Time.Median == 0 {
		return ""
	}
	return percent(max(*c.Time.High-c.Time.Median, c.Time.Median-*c.Time.Low) / c.Time.Median)
}

// String prints a change: "-12 %", or "~" if it may be chance.
func (c *Change) String() string {
	switch {
	case !c.Sure:
		return "~"
	case c.Ratio < 1:
		return "-" + percent(1-c.Ratio)
	}
	return "+" + percent(c.Ratio-1)
}

func probability(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}

// legend says what the columns are, and the settings that do not vary.
func (p *printer) legend() {
	text := "time: median of the turns; ±: its 95 % confidence interval; p: of the U test against the first row, ~ if it may be chance; " +
		"threads: processor time by time of the process; GC: of its processor time; peak: its resident memory"
	if at := p.r.Grid.index(CPU); at >= 0 && len(p.r.Grid[at].Values) > 1 {
		text += "; speed-up: against the fewest threads, per thread: for each time that the threads are more"
	}
	var fixed []string
	for _, a := range p.r.Grid {
		if len(a.Values) == 1 {
			fixed = append(fixed, a.Name+"="+a.Values[0])
		}
	}
	if len(fixed) > 0 {
		text += "; all with " + strings.Join(fixed, " ")
	}
	p.b.WriteByte('\n')
	p.paragraph(texttab.Dim, text, 0)
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
