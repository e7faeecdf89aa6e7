package benchtable

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/alloccount"
)

const output = `goos: linux
pkg: example.com/p
BenchmarkA-2   	     100	     5000 ns/op	    2048 B/op	      20 allocs/op
some line of the program
BenchmarkA-2   	     100	     7000 ns/op	    2048 B/op	      20 allocs/op
BenchmarkB-2   	      10	    1.5 ns/op	  2.25 allocs/record	64 B/op	  3 allocs/op	0.25 GCs/op
PASS
`

func TestRead(t *testing.T) {
	rows, err := Read(nil, strings.NewReader(output))
	if err == nil {
		rows, err = Read(rows, strings.NewReader("BenchmarkA-2 100 6000 ns/op\n")) // of unknown package
	}
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{
		{Package: "example.com/p", Name: "BenchmarkA-2", Seconds: []float64{5e-6, 7e-6, 6e-6}, Bytes: []float64{2048, 2048}, Allocs: []float64{20, 20}},
		{Package: "example.com/p", Name: "BenchmarkB-2", Seconds: []float64{1.5e-9}, Bytes: []float64{64}, Allocs: []float64{2.25}, GCs: []float64{0.25}, Unit: "records"},
	}
	if d := cmp.Diff(want, rows, cmp.Comparer(func(a, b float64) bool { return a-b < 1e-15 && b-a < 1e-15 })); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// Counts of a report take the place of what -benchmem cut to whole numbers, and
// its times, in which the counting is, are not taken.
func TestAddCounts(t *testing.T) {
	rows, err := Read(nil, strings.NewReader(output))
	if err != nil {
		t.Fatal(err)
	}
	scope := func(name string, procs int, iterations, records, objects int64, unit string) *alloccount.Scope {
		return &alloccount.Scope{
			Kind: alloccount.KindBenchmark, Package: "example.com/p", Name: name, Procs: procs, Iterations: iterations, Records: records,
			Unit: unit, Totals: alloccount.Totals{Objects: objects, Bytes: objects * 16}, Cost: &alloccount.Cost{GCCycles: 5, WallSeconds: 9},
		}
	}
	rows = AddCounts(rows, &alloccount.Report{Scopes: []*alloccount.Scope{
		scope("BenchmarkA", 2, 100, 400, 2010, "cells"),
		scope("BenchmarkA", 2, 200, 800, 4020, "cells"),
		scope("BenchmarkA", 1, 10, 10, 75, ""),
		{Kind: alloccount.KindProcess, Name: "other"},
		scope("BenchmarkCutOff", 2, 0, 0, 5, ""),
	}})
	if len(rows) != 3 {
		t.Fatalf("%d rows: %+v", len(rows), rows)
	}
	want := []Row{
		{Package: "example.com/p", Name: "BenchmarkA-2", Seconds: rows[0].Seconds, Bytes: []float64{2048, 2048}, GCs: []float64{0.05}, Allocs: []float64{5.025, 5.025}, Unit: "cells"},
		rows[1],
		{Package: "example.com/p", Name: "BenchmarkA", Bytes: []float64{120}, GCs: []float64{0.5}, Allocs: []float64{7.5}},
	}
	if d := cmp.Diff(want, rows); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
