package benchtable

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"
)

// Row is what was measured of one benchmark. Each list has a value for each
// run; an empty one says that this is not known.
type Row struct {
	Package string // import path, "" if unknown
	Name    string // as a benchmark prints it, or any other

	Seconds []float64 // of one operation
	GCs     []float64 // collections that ended, for each operation
	Bytes   []float64 // allocated by one operation
	Allocs  []float64 // allocations per record

	Unit string // what a record is, in the plural, "cells"; "" for an operation
}

// Options says how a table is made.
type Options struct {
	// Baseline is the name of the row that the others are compared with, as in
	// the table or as the benchmark prints it. "" is the first row with times.
	Baseline string
}

// Table is what the rows come to, ready to be shown.
type Table struct {
	Lines    []Line `json:"lines"`
	Baseline int    `json:"baseline"` // index into Lines; -1 if no row has times
}

// Line is one row of a table. What is not known is nil.
type Line struct {
	Label string `json:"name"` // without what all rows have in common
	Runs  int    `json:"runs"` // how often it was timed

	Mean      *float64 `json:"mean_seconds"`     // of one operation
	Error     *float64 `json:"error_seconds"`    // half of the 99.9 % confidence interval of the mean
	StdDev    *float64 `json:"std_dev_seconds"`  // of the runs
	Ratio     *float64 `json:"ratio"`            // of the mean to that of the baseline
	RatioDev  *float64 `json:"ratio_std_dev"`    // standard deviation of that ratio
	GCs       *float64 `json:"gcs_per_1000_ops"` // collections in 1,000 operations
	Bytes     *float64 `json:"bytes_per_op"`     // allocated
	Allocs    *float64 `json:"allocs_per_record"`
	AllocsMin *float64 `json:"allocs_per_record_min"` // of the runs
	AllocsMax *float64 `json:"allocs_per_record_max"`
	Unit      string   `json:"unit,omitempty"` // what a record is, in the plural; "" for an operation
}

// confidence is the level of the interval whose half is the error, as
// BenchmarkDotNet has it.
const confidence = 0.999

// New makes the table of rows, in their order.
func New(rows []Row, o Options) (*Table, error) {
	labels := Labels(rows)
	base, err := baseline(rows, labels, o.Baseline)
	if err != nil {
		return nil, err
	}
	t := &Table{Baseline: base}
	for i, r := range rows {
		t.Lines = append(t.Lines, newLine(r, labels[i]))
	}
	if base >= 0 {
		for i := range t.Lines {
			t.Lines[i].compare(t.Lines[base], i == base)
		}
	}
	return t, nil
}

func newLine(r Row, label string) Line {
	l := Line{Label: label, Runs: len(r.Seconds), Unit: r.Unit}
	l.GCs, l.Bytes, l.Allocs = mean(r.GCs, 1000), mean(r.Bytes, 1), mean(r.Allocs, 1)
	if len(r.Allocs) > 0 {
		l.AllocsMin, l.AllocsMax = new(slices.Min(r.Allocs)), new(slices.Max(r.Allocs))
	}
	l.Mean = mean(r.Seconds, 1)
	if len(r.Seconds) > 1 { // one run says nothing of how others would be
		sample := benchmath.NewSample(slices.Clone(r.Seconds), &benchmath.DefaultThresholds)
		s := benchmath.AssumeNormal.Summary(sample, confidence)
		l.Mean, l.Error = new(s.Center), new(s.Hi-s.Center)
		l.StdDev = new(deviation(r.Seconds, s.Center))
	}
	return l
}

// compare sets the ratio to the baseline. The two samples are independent of
// each other, so their relative variances add up.
func (l *Line) compare(base Line, same bool) {
	if l.Mean == nil || *base.Mean == 0 {
		return
	}
	ratio := *l.Mean / *base.Mean
	l.Ratio = &ratio
	switch {
	case same && l.StdDev != nil:
		l.RatioDev = new(0.0)
	case l.StdDev != nil && base.StdDev != nil && *l.Mean != 0:
		l.RatioDev = new(ratio * math.Hypot(*l.StdDev / *l.Mean, *base.StdDev / *base.Mean))
	}
}

// mean returns the mean of the values times a factor, nil if there are none.
func mean(values []float64, factor float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return new(sum / float64(len(values)) * factor)
}

// deviation returns the standard deviation of a sample.
func deviation(values []float64, mean float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return math.Sqrt(sum / float64(len(values)-1))
}

// baseline returns the index of the row with the given name.
func baseline(rows []Row, labels []string, name string) (int, error) {
	if name == "" {
		return slices.IndexFunc(rows, func(r Row) bool { return len(r.Seconds) > 0 }), nil
	}
	fits := func(i int) bool {
		full := rows[i].Name
		if rows[i].Package != "" {
			full = rows[i].Package + "." + full
		}
		return slices.Contains([]string{labels[i], rows[i].Name, full, strings.TrimPrefix(rows[i].Name, "Benchmark"), "Benchmark" + labels[i]}, name)
	}
	found := -1
	for i := range rows {
		switch {
		case !fits(i):
		case found >= 0:
			return 0, fmt.Errorf("several benchmarks are named %q; write the package before the name, as in %s.%s", name, rows[i].Package, rows[i].Name)
		case len(rows[i].Seconds) == 0:
			return 0, fmt.Errorf("the benchmark %q cannot be the baseline: it has no times; give a file of go test -bench with it", name)
		default:
			found = i
		}
	}
	if found < 0 {
		return 0, fmt.Errorf("there is no benchmark %q to be the baseline; there are %s", name, strings.Join(labels, ", "))
	}
	return found, nil
}
