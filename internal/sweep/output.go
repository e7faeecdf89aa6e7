package sweep

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// WriteJSON writes the result as indented JSON.
func (r *Result) WriteJSON(w io.Writer) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("writing the result as JSON: %w", err)
	}
	return nil
}

// Units of what the system says of a process.
const (
	unitThreads = "threads"        // processor time by time
	unitPeak    = "peak-RSS-bytes" // resident memory
)

// WriteBenchmarks writes all runs that were timed in Go's benchmark format. The
// settings of a cell are configuration, so that benchstat -col gogc sets them
// side by side; the number of threads is the end of a benchmark's name.
func (m *Measured) WriteBenchmarks(w io.Writer) error {
	out := benchfmt.NewWriter(w)
	cells := m.Grid.Cells()
	for i, b := range m.Benchmarks {
		for at, s := range m.Series[i] {
			for _, run := range s.Runs {
				if err := out.Write(m.Grid.result(b, cells[at], run)); err != nil {
					return fmt.Errorf("writing the benchmarks: %w", err)
				}
			}
		}
	}
	return nil
}

// result is one run in the form of package benchfmt.
func (g Grid) result(b Benchmark, c Cell, run Run) *benchfmt.Result {
	name := strings.TrimPrefix(b.Name, "Benchmark")
	r := &benchfmt.Result{Iters: int(run.Iterations), Config: []benchfmt.Config{{Key: "pkg", Value: []byte(b.Package), File: true}}}
	for i, a := range g {
		if a.Name != CPU {
			r.Config = append(r.Config, benchfmt.Config{Key: a.Name, Value: []byte(c[i]), File: true})
		} else if n, err := strconv.Atoi(c[i]); err == nil && n > 1 {
			name += "-" + c[i]
		}
	}
	r.Name = benchfmt.Name(name)
	r.Values = []benchfmt.Value{
		{Value: run.Seconds, Unit: "sec/op", OrigValue: math.Round(run.Seconds*1e13) / 1e4, OrigUnit: "ns/op"},
		{Value: run.Bytes, Unit: "B/op"},
		{Value: run.Allocs, Unit: "allocs/op"},
		{Value: run.CPU / run.Wall, Unit: unitThreads},
		{Value: float64(run.Peak), Unit: unitPeak},
	}
	for _, unit := range slices.Sorted(maps.Keys(run.Metrics)) {
		r.Values = append(r.Values, benchfmt.Value{Value: run.Metrics[unit], Unit: unit})
	}
	return r
}
