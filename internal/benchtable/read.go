package benchtable

import (
	"fmt"
	"io"
	"strconv"

	"golang.org/x/perf/benchfmt"

	"github.com/alloctop/alloctop/alloccount"
)

// Units of a benchmark's values beside the time, "sec/op", and those of
// -benchmem, "B/op" and "allocs/op".
const (
	UnitGCs       = "GCs/op"        // collections that ended
	unitPerRecord = "allocs/record" // by alloccount.Benchmark
)

// Read adds to rows what a file in Go's benchmark format has: runs of the same
// benchmark, of one or of several files, become one row. Other lines of the
// file are passed over.
func Read(rows []Row, r io.Reader) ([]Row, error) {
	in := benchfmt.NewReader(r, "")
	for in.Scan() {
		result, ok := in.Result().(*benchfmt.Result)
		if !ok {
			continue // metadata, or output of the program that resembles a result
		}
		i, found := find(rows, result.GetConfig("pkg"), "Benchmark"+result.Name.String())
		if !found {
			rows = append(rows, Row{Package: result.GetConfig("pkg"), Name: "Benchmark" + result.Name.String()})
		}
		rows[i].add(result)
	}
	if err := in.Err(); err != nil {
		return rows, fmt.Errorf("reading the benchmarks: %w", err)
	}
	return rows, nil
}

// add appends the values of one run. Allocations per record take the place of
// those per operation, which Go cuts to whole numbers.
func (r *Row) add(result *benchfmt.Result) {
	put := func(to *[]float64, unit string) bool {
		v, ok := result.Value(unit)
		if ok {
			*to = append(*to, v)
		}
		return ok
	}
	put(&r.Seconds, "sec/op")
	put(&r.Bytes, "B/op")
	put(&r.GCs, UnitGCs)
	if put(&r.Allocs, unitPerRecord) {
		r.Unit = "records"
	} else if r.Unit == "" {
		put(&r.Allocs, "allocs/op")
	}
}

// find returns the index of a benchmark, or where it is to be added. A package
// that one side does not know fits any.
func find(rows []Row, pkg, name string) (i int, found bool) {
	at := len(rows)
	for i, r := range rows {
		switch {
		case r.Name == name && r.Package == pkg:
			return i, true
		case r.Name == name && (r.Package == "" || pkg == "") && at == len(rows):
			at = i
		}
	}
	return at, at < len(rows)
}

// AddCounts adds to rows what a report of alloctop counted: allocations per
// record in place of what the rows had, bytes and collections where the rows
// had none, and rows for benchmarks that were not there. Times of a report are
// not taken, since the counting is in them.
func AddCounts(rows []Row, r *alloccount.Report) []Row {
	counted := map[int]bool{}
	for _, s := range r.Scopes {
		if s.Kind != alloccount.KindBenchmark || s.Iterations == 0 || s.Records == 0 {
			continue
		}
		name := s.Name
		if s.Procs > 1 {
			name += "-" + strconv.Itoa(s.Procs)
		}
		i, found := find(rows, s.Package, name)
		if !found {
			rows = append(rows, Row{Package: s.Package, Name: name})
		}
		rows[i].count(s, !counted[i])
		counted[i] = true
	}
	return rows
}

func (r *Row) count(s *alloccount.Scope, first bool) {
	if first {
		r.Allocs, r.Unit = nil, ""
		if s.Unit != "" {
			r.Unit = s.Unit
		} else if s.Records != s.Iterations {
			r.Unit = "records"
		}
		if len(r.Bytes) == 0 {
			r.Bytes = []float64{float64(s.Totals.Bytes) / float64(s.Iterations)}
		}
		if len(r.GCs) == 0 && s.Cost != nil {
			r.GCs = []float64{float64(s.Cost.GCCycles) / float64(s.Iterations)}
		}
	}
	r.Allocs = append(r.Allocs, s.PerRecord())
}

// Runs returns how many runs of all benchmarks were timed.
func Runs(rows []Row) (n int) {
	for _, r := range rows {
		n += len(r.Seconds)
	}
	return n
}
