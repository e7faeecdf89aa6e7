package benchtable

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/alloctop/alloctop/internal/figure"
	"github.com/alloctop/alloctop/internal/texttab"
)

// TextOptions says how a table is printed.
type TextOptions struct {
	Width int  // columns, at least 60; 0 is 100
	Color bool // with ANSI colours
}

// shortestName is what is left of a name at least, in columns.
const shortestName = 12

// WriteText writes the table for a reader at a terminal, and below it what its
// columns are. Of the columns only those are shown of which something is known.
func (t *Table) WriteText(w io.Writer, o TextOptions) error {
	if o.Width == 0 {
		o.Width = 100
	}
	o.Width = max(o.Width, 60)
	columns := t.columns()
	room := o.Width - texttab.Width(firstLine(t.layout(columns, o, 0)))
	text := t.layout(columns, o, max(room, shortestName))
	_, err := io.WriteString(w, text+t.legend(columns, o))
	if err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	return nil
}

// layout prints the table with names of at most width columns.
func (t *Table) layout(columns []column, o TextOptions, width int) string {
	table := texttab.Table{Width: o.Width, Color: o.Color, Columns: []texttab.Column{{}}}
	if width > 0 {
		table.Columns[0].Head = "benchmark"
	}
	for _, c := range columns {
		table.Columns = append(table.Columns, texttab.Column{Head: c.head, Align: c.align(), Style: c.style})
	}
	for i, l := range t.Lines {
		cells := []string{texttab.CutMiddle(texttab.Clean(l.Label), width)}
		for _, c := range columns {
			cells = append(cells, c.cells[i])
		}
		table.Add(cells...)
	}
	return table.String()
}

// Texts returns the table as text: its heads, and a row for each benchmark.
func (t *Table) Texts() (heads []string, rows [][]string) {
	columns := t.columns()
	heads = []string{"benchmark"}
	for _, c := range columns {
		heads = append(heads, c.head)
	}
	for i, l := range t.Lines {
		row := []string{l.Label}
		for _, c := range columns {
			row = append(row, c.cells[i])
		}
		rows = append(rows, row)
	}
	return heads, rows
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// column is one column of the table: what stands above it, and in it.
type column struct {
	head   string
	style  texttab.Style
	cells  []string
	legend string
}

// columns returns those in which something stands.
func (t *Table) columns() []column {
	get := func(f func(Line) *float64) []*float64 {
		values := make([]*float64, len(t.Lines))
		for i, l := range t.Lines {
			values[i] = f(l)
		}
		return values
	}
	means := get(func(l Line) *float64 { return l.Mean })
	bytes := get(func(l Line) *float64 { return l.Bytes })
	time, size := timeScale(means), byteScale(bytes)
	all := []column{
		{"mean", texttab.Bold, time.cells(means), ""},
		{"error", texttab.Dim, time.cells(get(func(l Line) *float64 { return l.Error })), "error: half of the 99.9 % confidence interval of the mean"},
		{"std dev", texttab.Dim, time.cells(get(func(l Line) *float64 { return l.StdDev })), "std dev: standard deviation of the runs"},
		{"ratio", texttab.Plain, scale{1, 2, ""}.cells(get(func(l Line) *float64 { return l.Ratio })), t.against()},
		{"dev", texttab.Dim, scale{1, 2, ""}.cells(get(func(l Line) *float64 { return l.RatioDev })), "dev: standard deviation of the ratio"},
		{"GC/1000", texttab.Plain, countCells(get(func(l Line) *float64 { return l.GCs })), "GC/1000: collections in 1,000 operations"},
		{"bytes/op", texttab.Plain, size.cells(bytes), ""},
		{"allocs/" + t.record(), texttab.Plain, countCells(get(func(l Line) *float64 { return l.Allocs })), t.recordLegend()},
		{recordsHead, texttab.Dim, t.recordCells(), "records: what the allocations of a row are divided by"},
	}
	return slices.DeleteFunc(all, func(c column) bool {
		return !slices.ContainsFunc(c.cells, func(s string) bool { return s != "" })
	})
}

// recordsHead stands above the names of what is counted by.
const recordsHead = "records"

// align is that of numbers, but for the one column of words.
func (c column) align() texttab.Align {
	if c.head == recordsHead {
		return texttab.Left
	}
	return texttab.Decimal
}

func (t *Table) against() string {
	if t.Baseline < 0 {
		return ""
	}
	return "ratio: of the mean to that of " + texttab.Clean(t.Lines[t.Baseline].Label)
}

// record says what the last column is per.
func (t *Table) record() string {
	if slices.ContainsFunc(t.Lines, func(l Line) bool { return l.Unit != "" }) {
		return "record"
	}
	return "op"
}

// units returns what the rows count their allocations by, each once.
func (t *Table) units() (units []string) {
	for _, l := range t.Lines {
		if u := l.record(); l.Allocs != nil && !slices.Contains(units, u) {
			units = append(units, u)
		}
	}
	return units
}

// record says what a record of the row is, in the plural.
func (l Line) record() string {
	if l.Unit == "" {
		return "operations"
	}
	return l.Unit
}

// recordCells says of each row what its allocations are counted by, if that is
// not the same for all: then the numbers cannot be compared.
func (t *Table) recordCells() []string {
	cells := make([]string, len(t.Lines))
	if len(t.units()) > 1 {
		for i, l := range t.Lines {
			if l.Allocs != nil {
				cells[i] = texttab.Clean(l.record())
			}
		}
	}
	return cells
}

// recordLegend says what a record is, if it is the same for all rows.
func (t *Table) recordLegend() string {
	units := t.units()
	if len(units) != 1 || t.record() == "op" || units[0] == "records" {
		return ""
	}
	return "records: " + texttab.Clean(units[0])
}

// legend says what the columns are, how often the rows ran, and which counts
// were not the same in each run.
func (t *Table) legend(columns []column, o TextOptions) string {
	var parts []string
	for _, c := range columns {
		if c.legend != "" {
			parts = append(parts, c.legend)
		}
	}
	if runs := t.runs(); runs != "" {
		parts = append(parts, runs)
	}
	var b strings.Builder
	paragraph := func(text string) {
		for _, line := range texttab.Wrap(text, o.Width, 0) {
			if o.Color {
				line = texttab.Dim.Paint(line)
			}
			b.WriteString(line + "\n")
		}
	}
	if len(parts) > 0 {
		b.WriteByte('\n')
		paragraph(strings.Join(parts, "; "))
	}
	var vary []string
	for _, l := range t.Lines {
		if l.Allocs != nil && *l.AllocsMin != *l.AllocsMax && *l.AllocsMax >= 0.01 {
			vary = append(vary, fmt.Sprintf("%s by %s", texttab.Clean(l.Label), spread(*l.AllocsMin, *l.AllocsMax)))
		}
	}
	if len(vary) > 0 {
		paragraph("allocations differ between runs: " + strings.Join(vary, ", "))
	}
	return b.String()
}

// spread prints by how much of the larger one two numbers differ.
func spread(low, high float64) string {
	percent := (high - low) / high * 100
	switch {
	case percent >= 10:
		return strconv.FormatFloat(percent, 'f', 0, 64) + " %"
	case percent < 0.01:
		return "less than 0.01 %"
	}
	return strconv.FormatFloat(percent, 'g', 2, 64) + " %"
}

func (t *Table) runs() string {
	least, most := math.MaxInt, 0
	for _, l := range t.Lines {
		if l.Runs > 0 {
			least, most = min(least, l.Runs), max(most, l.Runs)
		}
	}
	switch {
	case most == 0:
		return ""
	case least < most:
		return fmt.Sprintf("%d to %d runs", least, most)
	case most == 1:
		return "1 run, so there is no error"
	}
	return fmt.Sprintf("%d runs", most)
}

// scale is how all numbers of a column are printed.
type scale struct {
	factor   float64
	decimals int
	unit     string
}

// smallest returns the least value that is more than 0, 0 if there is none.
func smallest(values []*float64) float64 {
	least := 0.0
	for _, v := range values {
		if v != nil && *v > 0 && (least == 0 || *v < least) {
			least = *v
		}
	}
	return least
}

// timeScale chooses the unit in which the shortest time has four digits.
func timeScale(seconds []*float64) scale {
	least := smallest(seconds)
	s := scale{1e9, 0, " ns"}
	for _, unit := range []scale{{1, 0, " s"}, {1e3, 0, " ms"}, {1e6, 0, " µs"}} {
		if least*unit.factor >= 0.9995 {
			s = unit
			break
		}
	}
	s.decimals = digits(least * s.factor)
	return s
}

// digits returns the decimals that make four digits of v.
func digits(v float64) int {
	switch {
	case v < 9.9995:
		return 3
	case v < 99.995:
		return 2
	}
	return 1
}

// byteScale chooses the largest unit of which the largest size has one, and the
// smallest a hundredth.
func byteScale(sizes []*float64) scale {
	least, most := smallest(sizes), 0.0
	for _, v := range sizes {
		if v != nil {
			most = max(most, *v)
		}
	}
	for _, unit := range []scale{{1 << 30, 0, " GiB"}, {1 << 20, 0, " MiB"}, {1 << 10, 0, " KiB"}} {
		if most >= unit.factor && least >= unit.factor/100 {
			return scale{1 / unit.factor, min(2, digits(least/unit.factor)), unit.unit}
		}
	}
	return scale{1, 0, " B"}
}

// cells prints the values of a column. What is not 0 does not look like it.
func (s scale) cells(values []*float64) []string {
	cells := make([]string, len(values))
	for i, v := range values {
		if v == nil {
			continue
		}
		x := *v * s.factor
		text := strconv.FormatFloat(x, 'f', s.decimals, 64)
		if unit := math.Pow10(-s.decimals); x > 0 && x < unit/2 {
			text = "<" + strconv.FormatFloat(unit, 'f', s.decimals, 64)
		}
		whole, fraction, dot := strings.Cut(text, ".")
		if n, err := strconv.ParseInt(whole, 10, 64); err == nil {
			whole = figure.Count(n)
		}
		if dot {
			whole += "." + fraction
		}
		cells[i] = whole + s.unit
	}
	return cells
}

// countCells prints counts: whole ones as they are.
func countCells(values []*float64) []string {
	cells := make([]string, len(values))
	for i, v := range values {
		if v != nil {
			cells[i] = figure.Number(*v)
		}
	}
	return cells
}
