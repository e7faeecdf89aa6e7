package sweeppage

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/alloctop/alloctop/internal/sweep"
)

// chart is what every go-echarts chart does.
type chart interface {
	Validate()
	JSON() map[string]any
}

// drawn is a chart of a benchmark.
type drawn struct {
	name, title string
	options     map[string]any
}

// plotsOf returns the charts that the grid gives reason for: times and speed-ups
// over threads, or else times by settings, and times against memory.
func plotsOf(r *sweep.Result, x *sweep.BenchmarkResult) (list []drawn) {
	scale, unit := timeUnit(x)
	if scale == 0 {
		return nil // nothing was timed
	}
	if at := threadAxis(r); at >= 0 {
		lines := threadLines(r, x, at)
		list = append(list,
			drawn{"time", "Time of an operation over threads, " + unit, overThreads(r.Grid[at].Values, lines, func(c *sweep.CellResult) *float64 {
				return new(c.Time.Median * scale)
			}, func(c *sweep.CellResult) (low, high *float64) { return c.Time.Low, c.Time.High }, scale)},
			drawn{"speedup", "Speed-up over threads", overThreads(r.Grid[at].Values, lines, func(c *sweep.CellResult) *float64 { return c.SpeedUp }, nil, 1)})
	} else {
		list = append(list, drawn{"time", "Time of an operation, " + unit, byCell(r, x, scale)})
	}
	if len(x.Cells) > 1 {
		list = append(list, drawn{"memory", "Time, " + unit + ", against peak memory, MiB", againstMemory(r, x, scale)})
	}
	return list
}

// threadAxis is the place of the threads in the grid, -1 if they do not vary.
func threadAxis(r *sweep.Result) int {
	return slices.IndexFunc(r.Grid, func(a sweep.Axis) bool { return a.Name == sweep.CPU && len(a.Values) > 1 })
}

// timeUnit chooses the unit in which the shortest time is at least 1.
func timeUnit(x *sweep.BenchmarkResult) (scale float64, unit string) {
	least := 0.0
	for _, c := range x.Cells {
		if c.Time != nil && (least == 0 || c.Time.Median < least) {
			least = c.Time.Median
		}
	}
	switch {
	case least == 0:
		return 0, ""
	case least >= 1:
		return 1, "s"
	case least >= 1e-3:
		return 1e3, "ms"
	case least >= 1e-6:
		return 1e6, "µs"
	}
	return 1e9, "ns"
}

// line is the cells that differ in threads only.
type line struct {
	label string
	cells []*sweep.CellResult // one for each number of threads, nil if it was not timed
}

func threadLines(r *sweep.Result, x *sweep.BenchmarkResult, at int) []line {
	var lines []line
	for i := range x.Cells {
		c := &x.Cells[i]
		label := others(r, c, at)
		found := slices.IndexFunc(lines, func(l line) bool { return l.label == label })
		if found < 0 {
			found = len(lines)
			lines = append(lines, line{label, make([]*sweep.CellResult, len(r.Grid[at].Values))})
		}
		if c.Time != nil {
			lines[found].cells[slices.Index(r.Grid[at].Values, c.Settings[at])] = c
		}
	}
	return lines
}

// others names the settings of a cell, without those that never vary and the one
// at the given place.
func others(r *sweep.Result, c *sweep.CellResult, at int) string {
	var words []string
	for i, a := range r.Grid {
		if i != at && len(a.Values) > 1 {
			words = append(words, a.Name+"="+c.Settings[i])
		}
	}
	if len(words) == 0 {
		return "as it is"
	}
	return strings.Join(words, " ")
}

// common is what all charts have.
func common(legend bool) []charts.GlobalOpts {
	yes := opts.Bool(true)
	return []charts.GlobalOpts{
		charts.WithAnimation(false),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(legend), Type: "scroll", Bottom: "0"}),
		charts.WithTooltipOpts(opts.Tooltip{Show: yes, Trigger: "item"}),
		charts.WithGridOpts(opts.Grid{Left: "20", Right: "16", Top: "16", Bottom: "36", ContainLabel: yes}),
	}
}

// overThreads draws a line for each other setting. Where there are bounds it
// draws them as whiskers; the page's script knows how.
func overThreads(threads []string, lines []line, value func(*sweep.CellResult) *float64, bounds func(*sweep.CellResult) (low, high *float64), scale float64) map[string]any {
	c := charts.NewLine()
	c.SetGlobalOptions(append(common(len(lines) > 1),
		charts.WithXAxisOpts(opts.XAxis{Type: "category"}),
		charts.WithYAxisOpts(opts.YAxis{Type: "value", Min: 0, SplitNumber: 4}))...)
	c.SetXAxis(threads)
	var whiskers [][]any
	for i, l := range lines {
		var data []opts.LineData
		for at, cell := range l.cells {
			if cell == nil || value(cell) == nil {
				data = append(data, opts.LineData{Value: "-"})
				continue
			}
			data = append(data, opts.LineData{Value: *value(cell)})
			if bounds == nil {
				continue
			}
			if low, high := bounds(cell); low != nil && high != nil {
				whiskers = append(whiskers, []any{at, *low * scale, *high * scale, i})
			}
		}
		c.AddSeries(l.label, data, charts.WithLineChartOpts(opts.LineChart{ShowSymbol: opts.Bool(true), SymbolSize: 8}))
	}
	o := options(c)
	o["whiskers"] = whiskers
	if bounds == nil {
		o["ideal"] = ideal(threads)
	}
	return o
}

// ideal is the speed-up that full use of all threads would bring.
func ideal(threads []string) []any {
	base := 0
	for _, t := range threads {
		if n, err := strconv.Atoi(t); err == nil && (base == 0 || n < base) {
			base = n
		}
	}
	var values []any
	for _, t := range threads {
		if n, err := strconv.Atoi(t); err == nil && base > 0 {
			values = append(values, float64(n)/float64(base))
		} else {
			values = append(values, "-")
		}
	}
	return values
}

// byCell draws a lying bar for each cell, beside its name.
func byCell(r *sweep.Result, x *sweep.BenchmarkResult, scale float64) map[string]any {
	c := charts.NewBar()
	var labels []string
	var data []opts.BarData
	var whiskers [][]any
	for i := range x.Cells {
		cell := &x.Cells[i]
		labels = append(labels, others(r, cell, -1))
		if cell.Time == nil {
			data = append(data, opts.BarData{Value: "-"})
			continue
		}
		data = append(data, opts.BarData{Value: cell.Time.Median * scale})
		if cell.Time.Low != nil {
			whiskers = append(whiskers, []any{i, *cell.Time.Low * scale, *cell.Time.High * scale, -1})
		}
	}
	c.SetGlobalOptions(append(common(false),
		charts.WithXAxisOpts(opts.XAxis{Type: "value", Min: 0, SplitNumber: 4}),
		charts.WithYAxisOpts(opts.YAxis{Type: "category", Data: labels, Inverse: opts.Bool(true)}))...)
	c.AddSeries("time", data, charts.WithSeriesOpts(func(s *charts.SingleSeries) { s.BarMaxWidth = "26" }))
	o := options(c)
	o["whiskers"], o["lying"], o["rows"] = whiskers, true, len(x.Cells)
	return o
}

// againstMemory draws a point for each cell, with a series for what has a line
// of its own in the charts over threads, and else for each value of the first
// axis that varies.
func againstMemory(r *sweep.Result, x *sweep.BenchmarkResult, scale float64) map[string]any {
	c := charts.NewScatter()
	series := map[string][]opts.ScatterData{}
	var names []string
	for i := range x.Cells {
		cell := &x.Cells[i]
		name := seriesName(r, cell)
		if series[name] == nil { // also if it was not timed: the colours are to be those of the lines
			names, series[name] = append(names, name), []opts.ScatterData{}
		}
		if cell.Time != nil {
			series[name] = append(series[name], opts.ScatterData{Name: others(r, cell, -1), Value: []any{float64(cell.Peak) / (1 << 20), cell.Time.Median * scale}})
		}
	}
	c.SetGlobalOptions(append(common(len(names) > 1),
		charts.WithXAxisOpts(opts.XAxis{Type: "value", Min: 0}),
		charts.WithYAxisOpts(opts.YAxis{Type: "value", Min: 0, SplitNumber: 4}))...)
	for _, name := range names {
		c.AddSeries(name, series[name], charts.WithSeriesOpts(func(s *charts.SingleSeries) { s.SymbolSize = 12 }))
	}
	return options(c)
}

// seriesName names what a cell has the colour of.
func seriesName(r *sweep.Result, c *sweep.CellResult) string {
	first := slices.IndexFunc(r.Grid, func(a sweep.Axis) bool { return len(a.Values) > 1 })
	if first < 0 {
		return others(r, c, -1)
	}
	varied := 0
	for _, a := range r.Grid {
		if len(a.Values) > 1 {
			varied++
		}
	}
	if at := threadAxis(r); at >= 0 && varied > 1 {
		return others(r, c, at)
	}
	return r.Grid[first].Name + "=" + c.Settings[first]
}

// options are those of a chart, without parts that would draw nothing.
func options(c chart) map[string]any {
	c.Validate()
	o := c.JSON()
	for _, empty := range []string{"title", "toolbox"} {
		delete(o, empty)
	}
	return o
}
