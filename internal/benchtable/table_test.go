package benchtable

import (
	"math"
	"strings"
	"testing"
)

// near fails unless a value is known and right in all digits that a printed
// table of Student's t gives.
func near(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > 1e-3*math.Abs(want) {
		t.Errorf("%s: %v, want %g", what, got, want)
	}
}

// The statistics are those of a textbook: t for 4 degrees of freedom and
// 99.9 % is 8.610, so the error of 1…5 is 8.610·√2.5/√5.
func TestStatistics(t *testing.T) {
	table, err := New([]Row{
		{Name: "base", Seconds: []float64{2, 2, 4, 4}},
		{Name: "other", Seconds: []float64{5, 3, 1, 4, 2}},
	}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	base, other := table.Lines[0], table.Lines[1]
	near(t, "mean", other.Mean, 3)
	near(t, "standard deviation", other.StdDev, 1.58114)
	near(t, "error", other.Error, 6.0881)
	near(t, "ratio", other.Ratio, 1)
	near(t, "deviation of the ratio", other.RatioDev, math.Sqrt(2.5/9+4.0/3/9))
	near(t, "ratio of the baseline", base.Ratio, 1)
	if *base.RatioDev != 0 {
		t.Errorf("the baseline deviates from itself by %g", *base.RatioDev)
	}
}

// What one run cannot say is unknown and not 0.
func TestOneRun(t *testing.T) {
	table, err := New([]Row{{Name: "a", Seconds: []float64{1}}, {Name: "b", Allocs: []float64{3, 4}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := table.Lines[0], table.Lines[1]
	if a.Error != nil || a.StdDev != nil || a.Allocs != nil || a.GCs != nil || a.Bytes != nil {
		t.Errorf("%+v", a)
	}
	if b.Mean != nil || b.Ratio != nil || *b.Allocs != 3.5 || *b.AllocsMin != 3 || *b.AllocsMax != 4 {
		t.Errorf("%+v", b)
	}
}

func TestBaseline(t *testing.T) {
	rows := []Row{
		{Package: "example.com/a", Name: "BenchmarkList-8", Seconds: []float64{1}},
		{Package: "example.com/b", Name: "BenchmarkList-8", Seconds: []float64{1}},
		{Package: "example.com/b", Name: "BenchmarkChan/three-8", Seconds: []float64{2}},
		{Package: "example.com/b", Name: "BenchmarkCounted-8", Allocs: []float64{2}},
	}
	for name, want := range map[string]int{
		"": 0, "example.com/b.BenchmarkList-8": 1, "a.List": 0, "b.Chan/three": 2, "Chan/three-8": 2, "BenchmarkChan/three-8": 2,
	} {
		table, err := New(rows, Options{Baseline: name})
		if err != nil || table.Baseline != want {
			t.Errorf("%q: row %v, want %d (%v)", name, table, want, err)
		}
	}
	for name, want := range map[string]string{
		"Lists":              `there is no benchmark "Lists" to be the baseline; there are a.List, b.List, b.Chan/three, b.Counted`,
		"BenchmarkList-8":    `several benchmarks are named "BenchmarkList-8"`,
		"BenchmarkCounted-8": `the benchmark "BenchmarkCounted-8" cannot be the baseline: it has no times`,
	} {
		if _, err := New(rows, Options{Baseline: name}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
}

func TestLabels(t *testing.T) {
	for _, c := range []struct{ names, want string }{
		{"BenchmarkA-8 BenchmarkB/size=10-8", "A B/size=10"},
		{"BenchmarkA BenchmarkA-2 BenchmarkA-4", "A A-2 A-4"},
		{"list channel", "list channel"},
		{"Benchmark", "Benchmark"},
		{"BenchmarkA/size-x", "A/size-x"},
	} {
		var rows []Row
		for name := range strings.FieldsSeq(c.names) {
			rows = append(rows, Row{Name: name})
		}
		if got := strings.Join(Labels(rows), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.names, got, c.want)
		}
	}
}
