package alloccount

import (
	"fmt"
	"io"
)

// TextOptions says how a report is printed.
type TextOptions struct {
	Width int  // columns, 0 is 100
	Color bool // with ANSI colours
	Top   int  // sites shown of each scope, 0 is 10
}

// WriteText writes the report for a reader at a terminal.
func (r *Report) WriteText(w io.Writer, o TextOptions) error {
	for _, s := range r.Scopes {
		if _, err := fmt.Fprintf(w, "%s %s: %.1f\n", s.Package, s.Name, s.PerRecord()); err != nil {
			return err
		}
	}
	return nil
}
