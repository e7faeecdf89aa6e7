package web

import (
	"encoding/json"
	"fmt"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// chart is what every go-echarts chart does.
type chart interface {
	Validate()
	JSON() map[string]any
}

// chartOptions returns the options of all charts as JSON, by name: everything
// that does not depend on what the reader chose. The page's script puts in the
// data, the colours of the theme, and what is shown on a click. So no name from
// a profile ever is in an option.
func chartOptions() ([]byte, error) {
	all := make(map[string]map[string]any)
	for name, c := range map[string]chart{
		"sizes":    sizesChart(),
		"heat":     heatChart(),
		"treemap":  treemapChart(),
		"flame":    flameChart(),
		"cost":     costChart(),
		"wall":     wallChart(),
		"rate":     rateChart(),
		"rateHeat": rateHeatChart(),
	} {
		c.Validate()
		o := c.JSON()
		for _, empty := range []string{"title", "toolbox"} {
			delete(o, empty) // go-echarts always has them, and echarts would load their code paths for nothing
		}
		all[name] = o
	}
	text, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("making the options of the charts: %w", err)
	}
	return text, nil
}

// common is what all charts have: no animation, a tooltip for the mark under
// the pointer, no legend, since the page has legends that a keyboard can use.
func common(grid opts.Grid, labels bool) []charts.GlobalOpts {
	grid.ContainLabel = opts.Bool(labels)
	return []charts.GlobalOpts{
		charts.WithAnimation(false),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}),
		charts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: "item"}),
		charts.WithGridOpts(grid),
	}
}

// category is an axis of names.
func category() (opts.XAxis, opts.YAxis) {
	no, yes := opts.Bool(false), opts.Bool(true)
	tick := &opts.AxisTick{Show: no}
	x := opts.XAxis{Type: "category", AxisLabel: &opts.AxisLabel{Show: yes, HideOverlap: yes}, AxisTick: tick}
	y := opts.YAxis{Type: "category", AxisLabel: &opts.AxisLabel{Show: yes}, AxisLine: &opts.AxisLine{Show: no}, Inverse: yes}
	return x, y
}

// sizesChart stacks the heaviest lines in each size class.
func sizesChart() chart {
	c := charts.NewBar()
	x, _ := category()
	c.SetGlobalOptions(append(common(opts.Grid{Left: "4", Right: "12", Top: "26", Bottom: "4"}, true),
		charts.WithXAxisOpts(x),
		charts.WithYAxisOpts(opts.YAxis{
			Type: "value", SplitNumber: 4,
			AxisLabel: &opts.AxisLabel{Show: opts.Bool(true)},
			SplitLine: &opts.SplitLine{Show: opts.Bool(true)},
		}))...)
	c.AddSeries("", nil, charts.WithBarChartOpts(opts.BarChart{Stack: "lines", BarCategoryGap: "22%"}),
		charts.WithSeriesOpts(func(s *charts.SingleSeries) { s.BarMaxWidth = "72" }),
		charts.WithEmphasisOpts(opts.Emphasis{Focus: "none"}))
	return c
}

// heatChart is lines by size classes.
func heatChart() chart {
	c := charts.NewHeatMap()
	x, y := category()
	x.Position = "top"
	x.SplitArea = &opts.SplitArea{Show: opts.Bool(false)}
	c.SetGlobalOptions(append(common(opts.Grid{Left: "0", Right: "12", Top: "4", Bottom: "4"}, true),
		charts.WithXAxisOpts(x), charts.WithYAxisOpts(y))...)
	c.AddSeries("", nil, charts.WithLabelOpts(opts.Label{Show: opts.Bool(true)}))
	return c
}

// treemapChart is packages, in them functions, in them lines.
func treemapChart() chart {
	c := charts.NewTreeMap()
	c.SetGlobalOptions(common(opts.Grid{}, true)...)
	level := func(border, gap float32, upper bool) opts.TreeMapLevel {
		return opts.TreeMapLevel{
			ItemStyle:  &opts.ItemStyle{BorderWidth: border, GapWidth: gap},
			UpperLabel: &opts.UpperLabel{Show: opts.Bool(upper), Height: 20},
		}
	}
	c.AddSeries("", nil,
		charts.WithTreeMapOpts(opts.TreeMapChart{
			Roam: opts.Bool(false), Left: "0", Right: "0", Top: "0", Bottom: "0",
			Levels: &[]opts.TreeMapLevel{level(0, 4, false), level(0, 2, true), level(0, 1, true), level(0, 0, false)},
		}),
		charts.WithSeriesAnimation(false), // treemaps do not heed the chart's
		charts.WithSeriesOpts(func(s *charts.SingleSeries) { s.NodeClick = "false" }))
	return c
}

// flameChart draws a rectangle for each call; the script draws them, since
// echarts has no series of that kind.
func flameChart() chart {
	c := charts.NewCustom()
	c.SetGlobalOptions(append(common(opts.Grid{Left: "0", Right: "0", Top: "0", Bottom: "0"}, false),
		charts.WithXAxisOpts(opts.XAxis{Type: "value", Show: opts.Bool(false), Min: 0, AxisLabel: &opts.AxisLabel{}}),
		charts.WithYAxisOpts(opts.YAxis{Type: "value", Show: opts.Bool(false), Min: 0, Inverse: opts.Bool(true), AxisLabel: &opts.AxisLabel{}}))...)
	c.AddSeries("", nil)
	return c
}

// costChart sets CPU time against the time that passed.
func costChart() chart { return lyingBars("time", "26", "") }

// wallChart says of each line how many goroutines are busy there, and how many
// wait.
func wallChart() chart {
	c := lyingBars("goroutines", "20", "30%")
	c.MultiSeries[0].Emphasis = &opts.Emphasis{Focus: "none"}
	return c
}

// lyingBars are stacked bars that lie, of a width in pixels at most.
func lyingBars(stack, most, gap string) *charts.Bar {
	c := charts.NewBar()
	_, y := category()
	c.SetGlobalOptions(append(common(opts.Grid{Left: "0", Right: "24", Top: "4", Bottom: "4"}, true),
		charts.WithXAxisOpts(opts.XAxis{
			Type: "value", SplitNumber: 5,
			AxisLabel: &opts.AxisLabel{Show: opts.Bool(true), HideOverlap: opts.Bool(true)},
			SplitLine: &opts.SplitLine{Show: opts.Bool(true)},
		}),
		charts.WithYAxisOpts(y))...)
	c.AddSeries("", nil, charts.WithBarChartOpts(opts.BarChart{Stack: stack, BarCategoryGap: gap}),
		charts.WithSeriesOpts(func(s *charts.SingleSeries) { s.BarMaxWidth = most }))
	return c
}

// rateChart shows over time what each of the heaviest lines allocates a second.
func rateChart() chart {
	c := charts.NewLine()
	c.SetGlobalOptions(append(common(opts.Grid{Left: "4", Right: "8", Top: "12", Bottom: "4"}, true),
		charts.WithXAxisOpts(opts.XAxis{Type: "time", AxisLabel: &opts.AxisLabel{Show: opts.Bool(true), HideOverlap: opts.Bool(true)}, SplitLine: &opts.SplitLine{Show: opts.Bool(false)}}),
		charts.WithYAxisOpts(opts.YAxis{Type: "value", SplitNumber: 4, AxisLabel: &opts.AxisLabel{Show: opts.Bool(true)}, SplitLine: &opts.SplitLine{Show: opts.Bool(true)}}))...)
	c.AddSeries("", nil,
		charts.WithLineChartOpts(opts.LineChart{Stack: "lines", ShowSymbol: opts.Bool(false)}),
		charts.WithAreaStyleOpts(opts.AreaStyle{Opacity: opts.Float(0.85)}),
		charts.WithLineStyleOpts(opts.LineStyle{Width: 0}))
	return c
}

// rateHeatChart shows over time what each size class gets a second.
func rateHeatChart() chart {
	c := charts.NewHeatMap()
	x, y := category()
	y.Inverse = opts.Bool(false)
	c.SetGlobalOptions(append(common(opts.Grid{Left: "4", Right: "8", Top: "4", Bottom: "4"}, true),
		charts.WithXAxisOpts(x), charts.WithYAxisOpts(y))...)
	c.AddSeries("", nil)
	return c
}
