package sweep

import (
	"math"
	"slices"
	"strconv"

	"golang.org/x/perf/benchmath"

	"github.com/alloctop/alloctop/internal/benchtable"
)

// Schema names the version of the JSON form of a Result.
const Schema = "alloctop/sweep/v1"

// Result is what a sweep comes to. What is not known is nil, 0 or "".
type Result struct {
	Schema     string             `json:"schema"`
	Command    []string           `json:"command"`
	Go         string             `json:"go,omitempty"`
	Processors int                `json:"processors"` // of the machine, that the sweep may use
	Grid       Grid               `json:"grid"`
	Turns      int                `json:"turns"`    // that were asked for
	Complete   bool               `json:"complete"` // all of them were done
	Words      []string           `json:"words"`    // what can be said of several benchmarks
	Benchmarks []*BenchmarkResult `json:"benchmarks"`
	Table      *benchtable.Table  `json:"table"`           // of all benchmarks, in the first cell
	Notes      []string           `json:"notes,omitempty"` // what a reader of the numbers must know
}

// BenchmarkResult is what a sweep comes to for one benchmark.
type BenchmarkResult struct {
	Benchmark
	Words []string        `json:"words"` // what was seen
	Count *BenchmarkCount `json:"count"` // null if it was not counted
	Cells []CellResult    `json:"cells"`
}

// CellResult is a benchmark in one cell.
type CellResult struct {
	Settings Cell   `json:"settings"` // a value for each axis
	Failed   string `json:"failed,omitempty"`

	Seconds    []float64 `json:"seconds"`    // of one operation, of each turn
	Time       *Interval `json:"time"`       // of one operation, seconds
	Change     *Change   `json:"change"`     // against the first cell; nil in itself
	SpeedUp    *float64  `json:"speed_up"`   // against the fewest threads, all else equal
	Efficiency *float64  `json:"efficiency"` // the speed-up for each time that the threads are more
	Threads    *float64  `json:"threads"`    // processor time divided by time, of the timed loop
	Loop       bool      `json:"loop"`       // false if the loop was too short: then it is of the process
	GCShare    *float64  `json:"gc_share"`   // of the processor time
	GCs        int       `json:"gcs"`        // collections in the same time, in the first turn
	Peak       int64     `json:"peak_bytes"` // resident memory, median of the turns
	AllocsMin  float64   `json:"allocs_per_op_min"`
	AllocsMax  float64   `json:"allocs_per_op_max"` // by -benchmem, cut to whole numbers
}

// Interval is a median and the 95 % confidence interval around it.
type Interval struct {
	Median float64  `json:"median"`
	Low    *float64 `json:"low"` // null if there were too few turns
	High   *float64 `json:"high"`
}

// Change compares a cell with another one.
type Change struct {
	Ratio float64 `json:"ratio"` // of the medians
	P     float64 `json:"p"`     // by the Mann-Whitney U test
	Sure  bool    `json:"significant"`
}

// alpha is the error of one comparison that is called significant.
const alpha = 0.05

// Context is what a Result says beside what was measured.
type Context struct {
	Command    []string
	Go         string
	Processors int
	Counts     *Counts // nil if nothing was counted
}

// Analyze makes the result of what was measured, be it complete or not.
func Analyze(m *Measured, c Context) *Result {
	r := &Result{
		Schema: Schema, Command: c.Command, Go: c.Go, Processors: c.Processors,
		Grid: m.Grid, Turns: m.Turns, Complete: m.Complete, Words: []string{},
	}
	if r.Grid == nil {
		r.Grid = Grid{}
	}
	cells := m.Grid.Cells()
	for i, b := range m.Benchmarks {
		x := &BenchmarkResult{Benchmark: b, Count: c.Counts.of(b), Words: []string{}}
		for at, s := range m.Series[i] {
			x.Cells = append(x.Cells, newCell(cells[at], s))
			if first := x.Cells[0]; at > 0 && first.Time != nil && x.Cells[at].Time != nil {
				x.Cells[at].Change = compare(first.Seconds, x.Cells[at].Seconds, alpha)
			}
		}
		r.scale(x)
		r.Benchmarks = append(r.Benchmarks, x)
	}
	for _, x := range r.Benchmarks {
		x.Words = append(x.Words, words{r, x}.all()...)
	}
	r.Words = append(r.Words, r.siblings()...)
	r.Table, _ = benchtable.New(r.rows(), benchtable.Options{}) // the first is always there
	r.note(m, c)
	return r
}

func newCell(c Cell, s Series) CellResult {
	x := CellResult{Settings: c, Failed: s.Failed, Seconds: []float64{}}
	if s.First != nil {
		x.GCs = s.First.GCs
		switch {
		case !s.First.gcKnown():
		case s.First.CPU == 0:
			x.GCShare = new(0.0)
		default:
			x.GCShare = new(s.First.GCCPU / s.First.CPU)
		}
	}
	if len(s.Runs) == 0 {
		return x
	}
	x.Seconds = each(s.Runs, func(r Run) float64 { return r.Seconds })
	x.Time = interval(x.Seconds)
	// Of some turns the loop may have been too short; most of them decide.
	of := slices.DeleteFunc(slices.Clone(s.Runs), func(r Run) bool { return !r.Loop })
	if x.Loop = 2*len(of) > len(s.Runs); !x.Loop {
		of = s.Runs
	}
	x.Threads = new(median(each(of, func(r Run) float64 { return r.CPU / r.Wall })))
	x.Peak = int64(median(each(s.Runs, func(r Run) float64 { return float64(r.Peak) })))
	allocs := each(s.Runs, func(r Run) float64 { return r.Allocs })
	x.AllocsMin, x.AllocsMax = slices.Min(allocs), slices.Max(allocs)
	return x
}

// gcKnown reports whether what the collector says can be true. It counts time in
// which its threads were to run; on a busy machine they did not.
func (r Run) gcKnown() bool { return r.GCCPU <= r.CPU }

func each(runs []Run, f func(Run) float64) []float64 {
	values := make([]float64, len(runs))
	for i, r := range runs {
		values[i] = f(r)
	}
	return values
}

func sample(values []float64, alpha float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(values), &benchmath.Thresholds{CompareAlpha: alpha})
}

func median(values []float64) float64 {
	return benchmath.AssumeNothing.Summary(sample(values, alpha), 0.95).Center
}

// interval sums up times, of which nothing is assumed.
func interval(values []float64) *Interval {
	s := benchmath.AssumeNothing.Summary(sample(values, alpha), 0.95)
	i := &Interval{Median: s.Center}
	if !math.IsInf(s.Lo, 0) && !math.IsInf(s.Hi, 0) {
		i.Low, i.High = &s.Lo, &s.Hi
	}
	return i
}

// compare tells how the times b differ from a.
func compare(a, b []float64, alpha float64) *Change {
	c := benchmath.AssumeNothing.Compare(sample(a, alpha), sample(b, alpha))
	return &Change{Ratio: median(b) / median(a), P: c.P, Sure: c.P < alpha}
}

// scale sets the speed-ups of a benchmark.
func (r *Result) scale(x *BenchmarkResult) {
	at := r.Grid.index(CPU)
	if at < 0 || len(r.Grid[at].Values) < 2 {
		return
	}
	fewest, _ := threadRange(r.Grid[at])
	if fewest == "" {
		return
	}
	base, _ := strconv.Atoi(fewest)
	for i := range x.Cells {
		c := &x.Cells[i]
		n, err := strconv.Atoi(c.Settings[at])
		from := x.cell(with(c.Settings, at, fewest))
		if err != nil || from == nil || from.Time == nil || c.Time == nil || c.Time.Median == 0 {
			continue
		}
		c.SpeedUp = new(from.Time.Median / c.Time.Median)
		c.Efficiency = new(*c.SpeedUp * float64(base) / float64(n))
	}
}

// threadRange returns the values of the axis with the fewest and the most
// threads, "" if it has no number.
func threadRange(a Axis) (fewest, most string) {
	low, high := math.MaxInt, 0
	for _, v := range a.Values {
		if n, err := strconv.Atoi(v); err == nil {
			if n < low {
				low, fewest = n, v
			}
			if n > high {
				high, most = n, v
			}
		}
	}
	return fewest, most
}

// with returns a cell with another value.
func with(c Cell, axis int, value string) Cell {
	c = slices.Clone(c)
	c[axis] = value
	return c
}

// cell returns what was measured in a cell.
func (x *BenchmarkResult) cell(c Cell) *CellResult {
	for i := range x.Cells {
		if slices.Equal(x.Cells[i].Settings, c) {
			return &x.Cells[i]
		}
	}
	return nil
}

// rows are the benchmarks in the first cell, as rows of a table.
func (r *Result) rows() []benchtable.Row {
	var rows []benchtable.Row
	for _, x := range r.Benchmarks {
		row := benchtable.Row{Package: x.Package, Name: x.Name, Seconds: x.Cells[0].Seconds}
		if c := x.Count; c != nil {
			row.Allocs, row.Unit = c.PerRecord, c.Unit
			row.Bytes, row.GCs = []float64{c.Bytes}, []float64{c.GCs}
		}
		rows = append(rows, row)
	}
	return rows
}

// Failures returns how many pairs of a benchmark and a cell failed, of how many.
func (r *Result) Failures() (n, of int) {
	for _, x := range r.Benchmarks {
		of += len(x.Cells)
		for _, c := range x.Cells {
			if c.Failed != "" {
				n++
			}
		}
	}
	return n, of
}
