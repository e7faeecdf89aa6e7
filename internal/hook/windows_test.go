package hook

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// Four goroutines allocate without a pause while 20,000 windows end and begin:
// every one of them agrees with the runtime, in objects and in bytes.
func TestNoWindowIsTorn(t *testing.T) {
	for _, c := range []config{go126, go127} {
		t.Run(c.name, func(t *testing.T) {
			counters, _ := run{args: []string{"-test.run=^$", "-test.bench=BenchmarkTear$", "-test.benchtime=1x"}}.ok(t, program(t, c, "windows"))
			checkTear(t, counters, 20_000)
			for _, w := range counters.Windows[1:20_000] {
				if w.Objects == 0 {
					t.Fatal("a window in which an object was made is empty")
				}
			}
		})
		t.Run(c.name+"/stopped", func(t *testing.T) {
			counters, _ := run{args: []string{"-test.run=^$", "-test.bench=BenchmarkTearStopped$", "-test.benchtime=1x"}}.ok(t, program(t, c, "windows"))
			checkTear(t, counters, 500)
		})
	}
}

func checkTear(t *testing.T, c *counterfile.Counters, atLeast int) {
	t.Helper()
	if len(c.Windows) < atLeast {
		t.Fatalf("%d windows, want %d or more", len(c.Windows), atLeast)
	}
	reconcileWindows(t, c)
	reconcile(t, c)
	if c.Folded != 0 || c.Missed != (counterfile.Totals{}) || c.GrowErr != 0 {
		t.Errorf("folded %d, missed %v, errno %d", c.Folded, c.Missed, c.GrowErr)
	}
}

// testing.Benchmark has a window too, without a name, beside that of the test
// which calls it.
func TestWindowOfBenchmarkFunction(t *testing.T) {
	counters, _ := run{args: []string{"-test.run=TestBenchmark", "-test.benchtime=1000x"}}.ok(t, program(t, go126, "windows"))
	reconcileWindows(t, counters)
	var final []string
	for _, w := range counters.Windows {
		if w.Final {
			final = append(final, fmt.Sprint(w.Kind, " ", w.Name, " ", w.Iterations))
		}
	}
	want := []string{fmt.Sprint(counterfile.KindTest, " TestBenchmark 1"), fmt.Sprint(counterfile.KindBenchmark, "  1000")}
	if d := cmp.Diff(want, final); d != "" {
		t.Errorf("final windows (-want +got):\n%s", d)
	}
}
