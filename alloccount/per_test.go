package alloccount

import (
	"strings"
	"testing"

	"github.com/alloctop/alloctop/internal/counterfile"
)

func TestParsePer(t *testing.T) {
	for _, c := range []struct {
		text string
		want Per
	}{
		{"1", Per{Count: 1}},
		{"20000", Per{Count: 20000}},
		{"BenchmarkRead=7", Per{Name: "BenchmarkRead", Count: 7}},
		{"BenchmarkRead/rows=10/b=7", Per{Name: "BenchmarkRead/rows=10/b", Count: 7}},
		{"cells/op", Per{Metric: "cells/op"}},
		{"cells/µs", Per{Metric: "cells/µs"}},
	} {
		got, err := ParsePer(c.text)
		if err != nil || got != c.want {
			t.Errorf("%q: %+v, %v, want %+v", c.text, got, err, c.want)
		}
		if got.String() != c.text {
			t.Errorf("%q is printed as %q", c.text, got)
		}
	}
	for _, text := range []string{"", "0", "-1", "1.5", "cells", "BenchmarkRead=", "BenchmarkRead=0", "BenchmarkRead=x", "=3", "9223372036854775808"} {
		if got, err := ParsePer(text); err == nil {
			t.Errorf("%q: %+v and no error", text, got)
		}
	}
}

// TestPer: what a record is, for all, by name, by name and sub-benchmark, and
// by what the benchmark reports; the most specific counts.
func TestPer(t *testing.T) {
	c := testBinary()
	for _, name := range []string{"BenchmarkA", "BenchmarkA/x=1", "BenchmarkAB"} {
		w := named(counterfile.KindBenchmark, name, 2)
		w.Metrics = []counterfile.Metric{{Unit: "cells/op", Value: 2.5}}
		if name == "BenchmarkAB" {
			w.Metrics = nil
		}
		measured(c, w, one(100)) // in 10 iterations
	}
	measured(c, named(counterfile.KindTest, "TestA", 2), one(100))
	for _, x := range []struct {
		per  []string
		want [4]int64 // records
		unit string   // of the first
	}{
		{nil, [4]int64{10, 10, 10, 0}, ""},
		{[]string{"3"}, [4]int64{30, 30, 30, 3}, ""},
		{[]string{"BenchmarkA=3"}, [4]int64{30, 30, 10, 0}, ""},
		{[]string{"BenchmarkA=3", "BenchmarkA/x=1=4", "5"}, [4]int64{30, 40, 50, 5}, ""},
		{[]string{"BenchmarkA-2=3"}, [4]int64{30, 30, 10, 0}, ""},
		{[]string{"BenchmarkA-4=3"}, [4]int64{10, 10, 10, 0}, ""},
		{[]string{"example.com/app/parse.BenchmarkA=3"}, [4]int64{30, 30, 10, 0}, ""},
		{[]string{"TestA=7"}, [4]int64{10, 10, 10, 7}, ""},
		{[]string{"cells/op"}, [4]int64{25, 25, 10, 0}, "cells"},
		{[]string{"cells/op", "BenchmarkA=3"}, [4]int64{30, 30, 10, 0}, ""},
		{[]string{"9223372036854775807"}, [4]int64{9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807}, ""},
	} {
		var o ReportOptions
		for _, s := range x.per {
			per, err := ParsePer(s)
			if err != nil {
				t.Fatal(err)
			}
			o.Per = append(o.Per, per)
		}
		r := counted(t, c, o)
		var got [4]int64
		for i, s := range r.Scopes {
			got[i] = s.Records
		}
		if got != x.want || r.Unit != x.unit {
			t.Errorf("%q: %d records of unit %q, want %d of %q", x.per, got, r.Unit, x.want, x.unit)
		}
	}
}

// TestPerKept: a profile keeps what a record is, for the reports that are made
// of it later without a word on that, and for none else.
func TestPerKept(t *testing.T) {
	o := appOptions()
	o.Per = []Per{{Name: "BenchmarkRead", Count: 7}, {Metric: "cells/op"}}
	p := mustProfile(t, o, csvCounters())
	if r := mustReport(t, p, ReportOptions{}); r.Records != 700_000 || len(r.Notes) != 0 {
		t.Errorf("%d records, notes %q; want the 7 of each of 100,000 that the run was told", r.Records, r.Notes)
	}
	if r := mustReport(t, p, ReportOptions{Per: []Per{{Count: 2}}}); r.Records != 200_000 {
		t.Errorf("%d records, want the 2 of each that the report was told", r.Records)
	}
	heap, err := FromHeaps([]Heap{{Profile: heapProfile()}}, ScopeOptions{Per: []Per{{Count: 5}}})
	if err != nil {
		t.Fatal(err)
	}
	if r := mustReport(t, heap, ReportOptions{}); r.Records != 5 {
		t.Errorf("%d records of a stock profile, want 5", r.Records)
	}
	damaged, err := runOf(p)
	if err != nil {
		t.Fatal(err)
	}
	damaged.Per = []string{"many"}
	if err := setRun(p, damaged); err != nil {
		t.Fatal(err)
	}
	if _, err := NewReport(p, ReportOptions{}); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("error %v of a damaged comment", err)
	}
}

// TestPerIsName: names of sub-benchmarks end with "=" and a number. Where there
// is one of the name, it is no number of records.
func TestPerIsName(t *testing.T) {
	c := testBinary()
	for _, name := range []string{"BenchmarkRead/size=10", "BenchmarkRead/size/b", "BenchmarkRead/size=20/c"} {
		measured(c, named(counterfile.KindBenchmark, name, 2), one(100)) // in 10 iterations
	}
	for text, want := range map[string][3]int64{
		"BenchmarkRead/size=10":                       {10, 10, 10},
		"BenchmarkRead/size=20":                       {10, 10, 10},
		"example.com/app/parse.BenchmarkRead/size=10": {10, 10, 10},
		"BenchmarkRead/size=10=3":                     {30, 10, 10},
		"BenchmarkRead/size=30":                       {10, 300, 10},
	} {
		per, err := ParsePer(text)
		if err != nil {
			t.Fatal(err)
		}
		r := counted(t, c, ReportOptions{Per: []Per{per}})
		got := [3]int64{r.Scopes[0].Records, r.Scopes[1].Records, r.Scopes[2].Records}
		if changed := want != [3]int64{10, 10, 10}; got != want || changed != (len(r.Notes) == 0) {
			t.Errorf("%q: records %d, want %d; notes %q", text, got, want, r.Notes)
		}
	}
}

// TestPerMissed: a Per that fits nothing, and a metric that is not reported,
// are told to the reader.
func TestPerMissed(t *testing.T) {
	r := counted(t, csvCounters(), ReportOptions{Per: []Per{{Name: "BenchmarkTypo", Count: 3}}})
	if len(r.Notes) != 1 {
		t.Errorf("notes %q", r.Notes)
	}
	r = counted(t, csvCounters(), ReportOptions{Per: []Per{{Metric: "rows/op"}}})
	if len(r.Notes) != 1 || r.Records != 100_000 {
		t.Errorf("notes %q, %d records", r.Notes, r.Records)
	}
}

// TestFractions: an average is never truncated to a whole number.
func TestFractions(t *testing.T) {
	c := testBinary()
	w := named(counterfile.KindBenchmark, "BenchmarkA", 2)
	measured(c, w, one(9)) // in 10 iterations
	if got := counted(t, c, ReportOptions{}).PerRecord(); got != 0.9 {
		t.Errorf("9 allocations in 10 iterations are %v", got)
	}
}
