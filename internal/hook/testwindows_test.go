package hook

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// Every test that runs alone is a window with all that its subtests do. Tests
// that run in parallel share one, in which is also what each did before it
// called Parallel. Each round of -count and -cpu has its own.
func TestTestsAreWindows(t *testing.T) {
	round := []string{
		"test TestAlone: alone 100",
		"parallel TestFirstParallel TestSecondParallel TestThirdParallel: before 20, together 72",
		"test TestSubs: cleanup 1, sub 16, subParallel 15",
		"test TestSkipped: skipped 1",
		"test TestLater: later 1",
		"test TestNothing:",
		"test TestFails: later 1",
	}
	slices.Sort(round)
	for _, c := range []config{go126, go127} {
		for _, v := range []struct {
			args   string
			rounds int
		}{{"", 1}, {"-test.count=2 -test.cpu=1,2", 4}, {"-test.parallel=1", 1}, {"-test.v -test.count=3", 3}, {"-test.shuffle=7", 1}} {
			t.Run(c.name+"/"+v.args, func(t *testing.T) {
				o := run{args: strings.Fields(v.args)}.of(t, program(t, c, "tests"))
				if o.state.ExitCode() != 1 {
					t.Fatalf("%v, want status 1 for the test that fails\n%s%s", o.state, o.stdout, o.stderr)
				}
				counters := o.counters(t)
				reconcile(t, counters)
				reconcileWindows(t, counters)
				var want []string
				for range v.rounds {
					want = append(want, round...)
				}
				if d := cmp.Diff(want, testWindows(t, counters, len(round))); d != "" {
					t.Errorf("windows (-want +got):\n%s", d)
				}
			})
		}
	}
}

// testWindows describes the windows of each round, sorted, by the objects of
// package prog/tests that lie in them.
func testWindows(t *testing.T, c *counterfile.Counters, round int) []string {
	t.Helper()
	bySegment := map[uint32]map[string]int64{}
	for _, e := range c.Entries {
		if name, ok := strings.CutPrefix(e.Type, "tests."); ok {
			if bySegment[e.Segment] == nil {
				bySegment[e.Segment] = map[string]int64{}
			}
			bySegment[e.Segment][name] += e.Objects
		}
	}
	var list []string
	for _, w := range c.Windows {
		made := map[string]int64{}
		for _, s := range w.Segments {
			for name, n := range bySegment[s] {
				made[name] += n
			}
		}
		var parts []string
		for name, n := range made {
			parts = append(parts, fmt.Sprint(" ", name, " ", n))
		}
		slices.Sort(parts)
		text := map[counterfile.Kind]string{counterfile.KindTest: "test " + w.Name, counterfile.KindParallel: "parallel"}[w.Kind]
		slices.Sort(w.Tests)
		for _, name := range w.Tests {
			text += " " + name
		}
		list = append(list, text+":"+strings.Join(parts, ","))
		if w.Package != "prog/tests" || !w.Final || w.Open {
			t.Errorf("%s: package %q, final %v, open %v", text, w.Package, w.Final, w.Open)
		}
	}
	for i := 0; i+round <= len(list); i += round {
		slices.Sort(list[i : i+round])
	}
	return list
}
