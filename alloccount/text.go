package alloccount

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/alloctop/alloctop/alloccount/internal/texttab"
)

// TextOptions says how a report is printed.
type TextOptions struct {
	Width int  // columns, at least 60; 0 is 100
	Color bool // with ANSI colours
	Top   int  // lines shown of each scope; 0 is 10, fewer where there are many scopes
}

const (
	defaultWidth = 100
	minWidth     = 60
	defaultTop   = 10
	compactTop   = 3
	fullScopes   = 4  // more scopes with allocations are shown in short
	mostDetails  = 20 // scopes shown beside the overview
)

// WriteText writes the report for a reader at a terminal: of each scope first
// how many allocations a record takes, then how large they are, then which
// lines make them. Many scopes are preceded by an overview, and shown in short.
func (r *Report) WriteText(w io.Writer, o TextOptions) error {
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	o.Width = max(o.Width, minWidth)
	p := &printer{r: r, o: o, groups: groupRuns(r.Scopes)}
	p.report()
	if _, err := w.Write(p.out.Bytes()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// printer prints one report.
type printer struct {
	r      *Report
	o      TextOptions
	groups []*scopeGroup
	out    bytes.Buffer
}

// report prints everything.
func (p *printer) report() {
	if len(p.groups) == 0 {
		p.line(texttab.Bold, "nothing was counted")
	}
	if len(p.groups) > 1 {
		p.overview()
	}
	details, left := p.details()
	top := p.o.Top
	short := len(details) > fullScopes
	for _, g := range details {
		p.blank()
		if short {
			p.short(g, orDefault(top, compactTop))
		} else {
			p.full(g, orDefault(top, defaultTop))
		}
	}
	if left > 0 {
		p.blank()
		p.line(texttab.Dim, fmt.Sprintf("%d more with fewer allocations are not shown in detail; the JSON form has everything", left))
	}
	p.blank()
	for _, n := range p.r.Notes {
		p.note(n)
	}
	p.line(texttab.Dim, p.origin())
}

func orDefault(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

// origin says how, by what and of what the numbers were made.
func (p *printer) origin() string {
	s := "counted exactly, every allocation"
	if p.r.Engine != Exact {
		s = "counted by the runtime's own heap profile"
	}
	if p.r.Go != "" {
		s += ", " + p.r.Go
	}
	if len(p.r.Command) > 0 {
		s += ": " + strings.Join(p.r.Command, " ")
	}
	return texttab.CutRight(texttab.Clean(s), p.o.Width)
}

// line prints one line, no wider than asked for.
func (p *printer) line(st texttab.Style, s string) {
	p.out.WriteString(p.paint(st, texttab.CutRight(texttab.Clean(s), p.o.Width)))
	p.out.WriteByte('\n')
}

// blank separates what follows from what was printed, if there was anything.
func (p *printer) blank() {
	if b := p.out.Bytes(); len(b) > 0 && !bytes.HasSuffix(b, []byte("\n\n")) {
		p.out.WriteByte('\n')
	}
}

// paint returns s in a style, if colours are wanted.
func (p *printer) paint(st texttab.Style, s string) string {
	if !p.o.Color {
		return s
	}
	return st.Paint(s)
}

// wrap prints text of several words over as many lines as it takes.
func (p *printer) wrap(st texttab.Style, first, indent, text string) {
	line, empty := first, true
	for word := range strings.FieldsSeq(texttab.Clean(text)) {
		if !empty && texttab.Width(line)+1+texttab.Width(word) > p.o.Width {
			p.line(st, line)
			line, empty = indent, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	p.line(st, line)
}

// note prints what a reader must know.
func (p *printer) note(s string) { p.wrap(texttab.Yellow, "note: ", "      ", s) }
