// Package texttab lays out tables for a terminal: columns that stay aligned
// whatever is in them, and text that is shortened and never wraps.
package texttab

import (
	"slices"
	"strings"
)

// Align says where a column's cells stand.
type Align int

const (
	Left Align = iota
	Right
	Decimal // numbers, their decimal points below each other
)

// Style is an ANSI attribute, "" for none.
type Style string

// The styles of a report.
const (
	Plain  Style = ""
	Bold   Style = "1"
	Dim    Style = "2"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
	Cyan   Style = "36"
)

// Paint returns s in a style.
func (st Style) Paint(s string) string {
	if st == Plain || s == "" {
		return s
	}
	return "\x1b[" + string(st) + "m" + s + "\x1b[0m"
}

// Column is one column of a table.
type Column struct {
	Head  string
	Align Align
	Style Style
	Cut   func(s string, width int) string // shortens the last column's cells

	Optional bool // left out if nothing is in it
}

// Table collects rows.
type Table struct {
	Columns []Column
	Indent  int  // columns before each row
	Width   int  // of the whole table, for Cut
	Color   bool // paint the styles
	rows    []row
}

// row is one row, or a text that belongs to no column.
type row struct {
	cells []string
	text  string
	style Style
	below bool // the text starts where the last column does
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.rows = append(t.rows, row{cells: cells}) }

// AddLine adds a line that moves no column.
func (t *Table) AddLine(st Style, text string) {
	t.rows = append(t.rows, row{text: text, style: st})
}

// AddBelow adds a line that stands under the last column.
func (t *Table) AddBelow(st Style, text string) {
	t.rows = append(t.rows, row{text: text, style: st, below: true})
}

// gap separates columns.
const gap = 2

// layout is the width of each column, and of what follows the decimal point.
type layout struct {
	width, fraction []int
}

// layout measures the columns.
func (t *Table) layout() layout {
	l := layout{make([]int, len(t.Columns)), make([]int, len(t.Columns))}
	for i, c := range t.Columns {
		for _, r := range t.rows {
			if i < len(r.cells) && c.Align == Decimal {
				l.fraction[i] = max(l.fraction[i], fraction(r.cells[i]))
			}
		}
		l.width[i] = Width(c.Head)
		for _, r := range t.rows {
			if i < len(r.cells) {
				l.width[i] = max(l.width[i], Width(l.align(c, i, r.cells[i])))
			}
		}
	}
	return l
}

// align pads a number of a decimal column on its right.
func (l layout) align(c Column, i int, cell string) string {
	if c.Align != Decimal {
		return cell
	}
	return cell + strings.Repeat(" ", l.fraction[i]-fraction(cell))
}

// fraction returns the columns from the decimal point on.
func fraction(cell string) int {
	if i := strings.LastIndexByte(cell, '.'); i >= 0 {
		return len(cell) - i
	}
	return 0
}

// Room returns the columns that are left for the last column.
func (t *Table) Room() int {
	t = t.used()
	return t.Width - t.start(t.layout())
}

// used returns t without its empty columns.
func (t *Table) used() *Table {
	for i, c := range t.Columns {
		filled := func(r row) bool { return i < len(r.cells) && r.cells[i] != "" }
		if !c.Optional || slices.ContainsFunc(t.rows, filled) {
			continue
		}
		u := *t
		u.Columns = slices.Delete(slices.Clone(t.Columns), i, i+1)
		u.rows = slices.Clone(t.rows)
		for j, r := range u.rows {
			if i < len(r.cells) {
				u.rows[j].cells = slices.Delete(slices.Clone(r.cells), i, i+1)
			}
		}
		return u.used()
	}
	return t
}

// start returns the column that the last column starts at.
func (t *Table) start(l layout) int {
	n := t.Indent
	for i := range len(t.Columns) - 1 {
		n += l.width[i] + gap
	}
	return n
}

// String returns the table, a line for its heads, if it has any, and for each
// row.
func (t *Table) String() string {
	t = t.used()
	l := t.layout()
	var b strings.Builder
	heads := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		heads[i] = c.Head
	}
	if strings.Join(heads, "") != "" {
		t.line(&b, l, heads, true)
	}
	for _, r := range t.rows {
		if r.cells != nil {
			t.line(&b, l, r.cells, false)
			continue
		}
		if r.below {
			b.WriteString(strings.Repeat(" ", t.start(l)))
		}
		b.WriteString(t.paint(r.style, r.text) + "\n")
	}
	return b.String()
}

// paint returns s in a style, if the table has colours.
func (t *Table) paint(st Style, s string) string {
	if !t.Color {
		return s
	}
	return st.Paint(s)
}

// line writes one row.
func (t *Table) line(b *strings.Builder, l layout, cells []string, head bool) {
	space := t.Indent // not yet written, so that no line ends in it
	for i, c := range t.Columns {
		if i >= len(cells) {
			break
		}
		cell, style := cells[i], c.Style
		switch {
		case head:
			style = Dim
		default:
			cell = l.align(c, i, cell)
		}
		if last := i == len(t.Columns)-1; last && c.Cut != nil {
			cell = c.Cut(cell, t.Width-t.start(l))
		}
		pad := l.width[i] - Width(cell)
		if c.Align != Left {
			space, pad = space+pad, 0
		}
		text := strings.TrimRight(cell, " ")
		if text != "" {
			b.WriteString(strings.Repeat(" ", space) + t.paint(style, text))
			space = 0
		}
		space += Width(cell) - Width(text) + pad + gap
	}
	b.WriteByte('\n')
}

// Bar returns a bar for n of most, at most width columns; only nothing has
// none.
func Bar(n, most int64, width int) string {
	if n <= 0 || most <= 0 || width <= 0 {
		return ""
	}
	eighths := int(float64(n)/float64(most)*float64(width)*8 + 0.5)
	eighths = max(1, min(eighths, width*8))
	bar := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		bar += string([]rune(" ▏▎▍▌▋▊▉")[rest])
	}
	return bar
}
