package alloccount

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/alloctop/alloctop/internal/texttab"
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
	severalTop   = 5  // with two scopes or more
	compactTop   = 3  // in short
	fullScopes   = 4  // more scopes with allocations are shown in short
	mostDetails  = 20 // scopes shown beside the overview, half as many tests
	mostRows     = 30 // tests or processes in the overview; benchmarks all are
	mostCommand  = 200
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
	packages := make(map[string]bool)
	for _, s := range r.Scopes {
		packages[s.Package] = true
	}
	p.packages = len(packages)
	p.report()
	if _, err := w.Write(p.out.Bytes()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// printer prints one report.
type printer struct {
	r        *Report
	o        TextOptions
	groups   []*scopeGroup
	packages int // how many different ones
	out      bytes.Buffer
}

// report prints everything.
func (p *printer) report() {
	if len(p.groups) == 0 {
		p.line(texttab.Bold, "nothing was counted")
	}
	if len(p.r.Scopes) > 1 {
		p.overview()
	}
	details, left := p.details()
	if len(details) > fullScopes {
		p.blank()
		p.short(details, orDefault(p.o.Top, compactTop))
		details = nil
	}
	top := defaultTop
	if len(details) > 1 {
		top = severalTop
	}
	for _, g := range details {
		p.blank()
		p.full(g, orDefault(p.o.Top, top))
	}
	p.blank()
	if left > 0 {
		p.line(texttab.Dim, fmt.Sprintf("%d more with fewer allocations are not shown in detail; the JSON form has everything", left))
	}
	for _, n := range p.r.Notes {
		p.note(n)
	}
	p.wrap(texttab.Dim, 2, p.origin())
}

func orDefault(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

// origin says how, by what and of what the numbers were made.
func (p *printer) origin() string {
	parts := []string{"exact: every allocation was counted"}
	if p.r.Engine != Exact {
		parts[0] = "not exact: counted by the runtime's own heap profile"
	}
	for _, s := range p.r.Scopes {
		if s.Cost != nil && !s.Cost.Uncounted {
			parts[0] += ", and times include the counting"
			break
		}
	}
	if p.r.Go != "" {
		parts = append(parts, p.r.Go)
	}
	if len(p.r.Command) > 0 {
		parts = append(parts, texttab.CutRight(strings.Join(p.r.Command, " "), mostCommand))
	}
	return strings.Join(parts, " · ")
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

// wrap prints text of several words over as many lines as it takes, all but
// the first indented.
func (p *printer) wrap(st texttab.Style, indent int, text string) {
	for _, l := range texttab.Wrap(texttab.Clean(text), p.o.Width, indent) {
		p.line(st, l)
	}
}

// write prints a table.
func (p *printer) write(t *texttab.Table) { p.out.WriteString(t.String()) }

// note prints what a reader must know.
func (p *printer) note(s string) { p.wrap(texttab.Yellow, len("note: "), "note: "+s) }
