package hook

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// benchmarkResult is what a benchmark printed, or what its window says.
type benchmarkResult struct {
	Name       string
	Procs      int
	Iterations int64
	Allocs     int64 // per iteration, truncated
	Bytes      int64
}

// The last window of every benchmark is what -benchmem divided, whatever the
// benchmark does with its timer; and every other window is equal too.
func TestWindowsAreTheTimedRegions(t *testing.T) {
	for _, c := range []config{go126, go127} {
		t.Run(c.name, func(t *testing.T) {
			args := []string{"-test.run=^$", "-test.bench=.", "-test.benchmem", "-test.benchtime=200x", "-test.count=2", "-test.cpu=1,2",
				"-test.skip=BenchmarkTear"}
			counters, o := run{args: args}.ok(t, program(t, c, "windows"))
			reconcileWindows(t, counters)
			reconcile(t, counters)
			want, got := printed(t, o.stdout), reported(t, counters)
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("results (-printed +counted):\n%s", d)
			}
			if len(got) != 4*10 {
				t.Errorf("%d results, want 10 benchmarks twice with 1 and with 2 procs\n%s", len(got), o.stdout)
			}
			checkKnown(t, counters)
		})
	}
}

func reported(t *testing.T, c *counterfile.Counters) (list []benchmarkResult) {
	t.Helper()
	for _, w := range c.Windows {
		if !w.Final {
			continue
		}
		if w.Kind != counterfile.KindBenchmark || w.Iterations == 0 || w.Package != "prog/windows" {
			t.Errorf("window %+v", w)
			continue
		}
		list = append(list, benchmarkResult{w.Name, w.Procs, w.Iterations, w.Objects / w.Iterations, w.Bytes / w.Iterations})
	}
	return list
}

// checkKnown compares with what the source of the benchmarks says.
func checkKnown(t *testing.T, c *counterfile.Counters) {
	t.Helper()
	perOp := map[string]int64{"BenchmarkStopInLoop": 1, "BenchmarkLoop": 3, "BenchmarkParent/Child/Grandchild": 1}
	for _, w := range c.Windows {
		if !w.Final {
			continue
		}
		switch n := w.Iterations; w.Name {
		case "BenchmarkNothing":
			if w.Objects > 2 {
				t.Errorf("%d objects where none is made, and at most 2 by package testing", w.Objects)
			}
		case "BenchmarkNineOfTen":
			if w.Objects < n*9/10 || w.Objects > n*9/10+2 {
				t.Errorf("%d objects in %d iterations, want 9 for 10", w.Objects, n)
			}
		case "BenchmarkMetric":
			got := fmt.Sprint(w.Metrics)
			if got != "[{cells/op 160000} {things 0.5}]" && got != "[{things 0.5} {cells/op 160000}]" {
				t.Errorf("metrics %s", got)
			}
		}
	}
	bySegment := map[uint32]map[string]int64{}
	for _, e := range c.Entries {
		if e.Type == "windows.pair" || e.Type == "int" {
			if bySegment[e.Segment] == nil {
				bySegment[e.Segment] = map[string]int64{}
			}
			bySegment[e.Segment][site(e.Stack.Expand()).Function] += e.Objects
		}
	}
	for _, w := range c.Windows {
		want, ok := perOp[w.Name]
		if !ok || !w.Final || strings.Contains(w.Name, "Parent") { // beside which another goroutine runs
			continue
		}
		var n int64
		for _, s := range w.Segments {
			n += bySegment[s]["prog/windows."+w.Name]
		}
		if n != want*w.Iterations {
			t.Errorf("%s: %d objects in %d iterations, want %d each", w.Name, n, w.Iterations, want)
		}
	}
}

var resultLine = regexp.MustCompile(`^(Benchmark\S*?)(?:-(\d+))?\s+(\d+)\s.*?(\d+) B/op\s+(\d+) allocs/op`)

// printed reads the output of benchmarks.
func printed(t *testing.T, out string) (list []benchmarkResult) {
	t.Helper()
	for line := range strings.Lines(out) {
		m := resultLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		number := func(s string) int64 {
			n, err := strconv.ParseInt(s, 10, 64)
			if err != nil && s != "" {
				t.Fatal(err)
			}
			return n
		}
		procs := int(number(m[2]))
		if m[2] == "" {
			procs = 1
		}
		list = append(list, benchmarkResult{m[1], procs, number(m[3]), number(m[5]), number(m[4])})
	}
	return list
}
