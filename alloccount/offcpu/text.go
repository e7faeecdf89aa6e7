package offcpu

import (
	"fmt"
	"io"
	"strings"

	"github.com/alloctop/alloctop/internal/figure"
	"github.com/alloctop/alloctop/internal/texttab"
)

// TextOptions says how a summary is printed.
type TextOptions struct {
	Width int  // columns, at least 60; 0 is 100
	Color bool // with ANSI colours
	Top   int  // lines shown; 0 is 10
}

// WriteText writes the summary for a reader at a terminal, below a report of
// allocations.
func (s *Summary) WriteText(w io.Writer, o TextOptions) error {
	if o.Width == 0 {
		o.Width = 100
	}
	o.Width = max(o.Width, 60)
	if o.Top == 0 {
		o.Top = 10
	}
	var b strings.Builder
	line := func(st texttab.Style, indent int, text string) {
		for _, l := range texttab.Wrap(texttab.Clean(text), o.Width, indent) {
			if o.Color {
				l = st.Paint(l)
			}
			b.WriteString(l + "\n")
		}
	}
	line(texttab.Bold, 2, "where the time goes: "+s.Finding())
	if busy := s.Busy(); busy != "" {
		line(texttab.Plain, 2, busy)
	}
	b.WriteString("\n" + s.table(o) + "\n")
	if left := s.Lines[min(o.Top, len(s.Lines)):]; len(left) > 0 {
		var n int64
		for _, l := range left {
			n += l.All()
		}
		line(texttab.Dim, 2, fmt.Sprintf("not shown: %s with %s of all goroutines' time", lines(len(left)), figure.Percent(n, s.Total.All(), 1)))
	}
	line(texttab.Dim, 2, fmt.Sprintf("goroutines on average over %s, %s samples, in a run apart from the counting", figure.Seconds(s.Seconds), figure.Count(s.Samples)))
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the wall-clock profile: %w", err)
	}
	return nil
}

func lines(n int) string {
	if n == 1 {
		return "1 line"
	}
	return figure.Count(int64(n)) + " lines"
}

// table lists the lines at which most time is spent.
func (s *Summary) table(o TextOptions) string {
	right := func(head string) texttab.Column { return texttab.Column{Head: head, Align: texttab.Right} }
	t := &texttab.Table{Color: o.Color, Width: o.Width, Columns: []texttab.Column{
		right("goroutines"), right("on CPU"), right("system"), right("waiting"), {Head: "line of your own code", Cut: texttab.CutLeft},
	}}
	for _, l := range s.Lines[:min(o.Top, len(s.Lines))] {
		t.Add(s.mean(l.All()), s.mean(l.CPU), s.mean(l.System), s.mean(l.Waiting), texttab.Clean(l.At()))
		what := "in " + strings.TrimPrefix(l.Function, l.Package+".")
		if len(l.For) > 0 && l.For[0].Samples*2 > l.All() {
			verb := "waits for "
			if isSystem(l.For[0].For) {
				verb = "is in "
			}
			what = verb + l.For[0].For + " · " + what
		}
		if !l.Own {
			what += " · not your own code"
		}
		t.AddBelow(texttab.Dim, texttab.Clean(what))
	}
	return t.String()
}
