package sweeppage

import (
	_ "embed" // the parts of the page
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"path"
	"strings"

	"github.com/alloctop/alloctop/internal/sweep"
	"github.com/alloctop/alloctop/web"
	"github.com/alloctop/alloctop/web/internal/onefile"
)

//go:embed assets/page.html
var frame string

//go:embed assets/page.css
var style string

//go:embed assets/page.js
var script string

// document is what the frame is filled with.
type document struct {
	Policy       string
	Title        string
	Command      string
	About        string
	Style        template.CSS
	Echarts, Own template.JS
	Charts       template.JS // options by the id of an element, JSON
	Benchmarks   []section
	Words, Notes []string
	Together     table // of all benchmarks
}

// table is a table of texts.
type table struct {
	Heads []string
	Rows  [][]string
}

// section is one benchmark.
type section struct {
	ID     string
	Name   string
	Sub    string
	Words  []string
	Plots  []plot
	Table  table
	Failed []string
}

// plot is the place of a chart.
type plot struct {
	ID, Title, Label string
}

// WriteHTML writes the page of a result.
func WriteHTML(w io.Writer, r *sweep.Result) error {
	if r == nil {
		return errors.New("there is no result of a sweep to show")
	}
	echarts, err := web.EchartsScript()
	if err != nil {
		return err
	}
	d := document{
		Title: title(r), Command: strings.Join(r.Command, " "), About: about(r), Style: template.CSS(style),
		Echarts: template.JS(echarts), Own: template.JS(script), Words: r.Words, Notes: r.Notes,
		Policy: strings.Join([]string{
			"default-src 'none'", "script-src " + onefile.Source(echarts) + " " + onefile.Source(script), "style-src " + onefile.Source(style),
			"img-src data:", "base-uri 'none'", "form-action 'none'",
		}, "; "),
	}
	options := map[string]any{}
	for i, x := range r.Benchmarks {
		d.Benchmarks = append(d.Benchmarks, newSection(r, x, i, options))
	}
	d.Together.Heads, d.Together.Rows = r.TogetherTexts()
	text, err := json.Marshal(options)
	if err != nil {
		return fmt.Errorf("making the charts of the page: %w", err)
	}
	d.Charts = template.JS(text)
	t, err := template.New("page").Parse(frame)
	if err != nil {
		return fmt.Errorf("reading the page's frame: %w", err)
	}
	return onefile.Write(w, t, d)
}

func title(r *sweep.Result) string {
	switch len(r.Benchmarks) {
	case 0:
		return "alloctop sweep"
	case 1:
		return "alloctop sweep: " + short(r.Benchmarks[0])
	}
	return fmt.Sprintf("alloctop sweep: %s and %d more", short(r.Benchmarks[0]), len(r.Benchmarks)-1)
}

func about(r *sweep.Result) string {
	text := fmt.Sprintf("%d settings, %d turns, %d processors", len(r.Grid.Cells()), r.Turns, r.Processors)
	if r.Go != "" {
		text += ", " + r.Go
	}
	return text
}

func short(x *sweep.BenchmarkResult) string {
	return path.Base(x.Package) + "." + strings.TrimPrefix(x.Name, "Benchmark")
}

// newSection makes the part of one benchmark, and adds its charts to options.
func newSection(r *sweep.Result, x *sweep.BenchmarkResult, index int, options map[string]any) section {
	s := section{ID: fmt.Sprintf("b%d", index), Name: strings.TrimPrefix(x.Name, "Benchmark"), Sub: x.Package, Words: x.Words}
	if text := x.CountText(); text != "" {
		s.Sub += ": " + text
	}
	s.Table.Heads, s.Table.Rows = r.CellTexts(x)
	for _, c := range x.Cells {
		if c.Failed != "" {
			s.Failed = append(s.Failed, r.Grid.Label(c.Settings)+" failed: "+c.Failed)
		}
	}
	for _, p := range plotsOf(r, x) {
		id := s.ID + "-" + p.name
		s.Plots = append(s.Plots, plot{ID: id, Title: p.title, Label: p.title + " of " + s.Name + "; the numbers are in the table"})
		options[id] = p.options
	}
	return s
}
