package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"text/template"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/alloccount/offcpu"
	"github.com/alloctop/alloctop/web/internal/onefile"
)

// document is what page.html is filled with. Everything in it is fit for its
// place already: the template escapes nothing.
type document struct {
	Policy   string // of the file; "" where the server sends one
	Title    string
	Style    string
	Fallback string // the report as text, where scripts do not run
	Data     string
	Charts   string
	Echarts  string
	Script   string
	Live     bool
	Version  string // of the data, if the page is live
	PProf    bool
}

// WriteHTML writes the page as one file that needs nothing else.
func (p Page) WriteHTML(w io.Writer) error {
	a, err := loadAssets()
	if err != nil {
		return err
	}
	text, err := p.encode()
	if err != nil {
		return err
	}
	d := p.document(a, text)
	d.Policy = html.EscapeString(a.policy("'none'"))
	return d.write(w, a.page)
}

// document returns the parts of the page. Data is what encode returns.
func (p Page) document(a *pageAssets, data []byte) document {
	return document{
		Title: html.EscapeString(title(p.Report)), Style: a.style.Text, Fallback: p.fallback(),
		Data: string(data), Charts: string(a.charts), Echarts: a.echarts.Text, Script: a.own.Text,
	}
}

// write fills the page in.
func (d document) write(w io.Writer, page string) error {
	t, err := template.New("page").Parse(page)
	if err != nil {
		return fmt.Errorf("reading the page's frame: %w", err)
	}
	return onefile.Write(w, t, d)
}

// encode returns the data of the page as JSON that can stand in a script
// element: json.Marshal writes <, > and & as escapes.
func (p Page) encode() ([]byte, error) {
	if p.Report == nil {
		return nil, errors.New("there is no report to show")
	}
	text, err := json.Marshal(newData(p, pageLimits))
	if err != nil {
		return nil, fmt.Errorf("making the page's data: %w", err)
	}
	return text, nil
}

// title names a report in a browser's tab.
func title(r *alloccount.Report) string {
	if len(r.Scopes) == 0 {
		return "alloctop"
	}
	s := r.Scopes[first(r.Scopes)]
	name, _ := newNamer(r.Scopes).name(s)
	if len(r.Scopes) > 1 {
		name += fmt.Sprintf(" and %d more", len(r.Scopes)-1)
	}
	return "alloctop: " + name
}

// fallback is the page as text, which is more than nothing where scripts do not
// run.
func (p Page) fallback() string {
	var text bytes.Buffer
	if err := p.Report.WriteText(&text, alloccount.TextOptions{}); err != nil {
		return ""
	}
	if p.Wall != nil {
		text.WriteByte('\n')
		if err := p.Wall.WriteText(&text, offcpu.TextOptions{}); err != nil {
			return ""
		}
	}
	return html.EscapeString(text.String())
}
