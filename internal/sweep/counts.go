package sweep

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/alloctop/alloctop/alloccount"
)

// Counts is what one run under the counter says of the benchmarks.
type Counts struct {
	Go         string           `json:"go,omitempty"`
	Cell       string           `json:"cell"` // the settings that it ran with
	Benchmarks []BenchmarkCount `json:"benchmarks"`
	Missing    string           `json:"missing,omitempty"` // why there are none
}

// BenchmarkCount is the exact count of one benchmark.
type BenchmarkCount struct {
	Benchmark
	Records   float64   `json:"records_per_op"`
	Unit      string    `json:"unit,omitempty"`           // what a record is, in the plural; "" for an operation
	PerRecord []float64 `json:"allocs_per_record"`        // of each run
	PerOp     float64   `json:"allocs_per_op"`            // of the first run
	Bytes     float64   `json:"bytes_per_op"`             // of the first run
	GCs       float64   `json:"gcs_per_op"`               // of the first run
	Exact     bool      `json:"matches_runtime"`          // the runtime counted the same
	Lines     []Line    `json:"heaviest_lines,omitempty"` // most allocations first
}

// Line is a line that allocates.
type Line struct {
	File  string  `json:"file"`
	Line  int     `json:"line"`
	Share float64 `json:"share"` // of the benchmark's allocations, 0 to 1
}

// String returns the line as it is shown, with the last element of its path.
func (l Line) String() string { return fmt.Sprintf("%s:%d", path.Base(l.File), l.Line) }

// mostLines is how many of the heaviest lines are kept.
const mostLines = 2

// CountsOf takes from a report what it says of benchmarks. Of benchmarks that
// were counted several times the counts of all are kept.
func CountsOf(r *alloccount.Report) []BenchmarkCount {
	var all []BenchmarkCount
	for _, s := range r.Scopes {
		if s.Kind != alloccount.KindBenchmark || s.Iterations == 0 || s.Records == 0 {
			continue
		}
		b := Benchmark{s.Package, s.Name}
		i := slices.IndexFunc(all, func(c BenchmarkCount) bool { return c.Benchmark == b })
		if i >= 0 {
			all[i].PerRecord = append(all[i].PerRecord, s.PerRecord())
			continue
		}
		n := float64(s.Iterations)
		c := BenchmarkCount{
			Benchmark: b, Records: float64(s.Records) / n, Unit: s.Unit, PerRecord: []float64{s.PerRecord()},
			PerOp: float64(s.Totals.Objects) / n, Bytes: float64(s.Totals.Bytes) / n, Lines: heaviest(s),
			Exact: s.Runtime != nil && s.Runtime.Objects == s.Totals.Objects,
		}
		if c.Unit == "" && s.Records != s.Iterations {
			c.Unit = "records"
		}
		if s.Cost != nil {
			c.GCs = float64(s.Cost.GCCycles) / n
		}
		all = append(all, c)
	}
	return all
}

// heaviest returns the lines with most allocations, whatever their causes.
func heaviest(s *alloccount.Scope) []Line {
	var lines []Line
	for _, x := range s.Sites {
		i := slices.IndexFunc(lines, func(l Line) bool { return l.File == x.File && l.Line == x.Line })
		switch {
		case x.File == "":
		case i >= 0:
			lines[i].Share += x.Share
		default:
			lines = append(lines, Line{x.File, x.Line, x.Share})
		}
	}
	slices.SortStableFunc(lines, func(a, b Line) int { return cmp.Compare(b.Share, a.Share) })
	return lines[:min(len(lines), mostLines)]
}

// perRecord is the least count of the runs: what the runtime makes meanwhile only
// adds.
func (c *BenchmarkCount) perRecord() float64 { return slices.Min(c.PerRecord) }

// of returns the count of a benchmark, nil if there is none.
func (c *Counts) of(b Benchmark) *BenchmarkCount {
	if c == nil {
		return nil
	}
	for i := range c.Benchmarks {
		if c.Benchmarks[i].Benchmark == b {
			return &c.Benchmarks[i]
		}
	}
	return nil
}
