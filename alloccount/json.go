package alloccount

import (
	"encoding/json"
	"fmt"
	"io"
)

// WriteJSON writes the report as indented JSON, in full.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false) // "func·<T>" stays readable
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("writing the report as JSON: %w", err)
	}
	return nil
}

// ReadReport reads what [Report.WriteJSON] wrote.
func ReadReport(r io.Reader) (*Report, error) {
	report := new(Report)
	if err := json.NewDecoder(r).Decode(report); err != nil {
		return nil, fmt.Errorf("reading the report: not JSON, or cut short: %w", err)
	}
	if report.Schema != Schema {
		return nil, fmt.Errorf("no report that this alloctop reads: its schema is %q, and not %q", report.Schema, Schema)
	}
	for i, s := range report.Scopes {
		if s == nil {
			return nil, fmt.Errorf("reading the report: scope %d is null", i)
		}
		for j, x := range s.Sites {
			if x == nil {
				return nil, fmt.Errorf("reading the report: site %d of scope %d is null", j, i)
			}
		}
	}
	report.complete()
	return report, nil
}
