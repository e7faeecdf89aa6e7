package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// One process, two who count: the hook, and the runtime's own heap profiler,
// which misses nothing at rate 1 in a -race build, where no tiny objects share
// a block. For everything that the workload does they agree, by line and by
// the size of the slot, to the object. Left out is what is not the workload's
// (the runtime's start before the hook, the writing of the profile) and what
// the runtime makes on the system stack, a new goroutine's g: the profiler does
// not see for whom.
func TestAgreesWithTheHeapProfiler(t *testing.T) {
	file := filepath.Join(t.TempDir(), "allocs")
	c, _ := run{args: []string{file}, env: []string{"GODEBUG=memprofilerate=1"}}.ok(t, program(t, race, "workload"))
	reconcile(t, c)

	got, want := hookLines(c), profileLines(t, file)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("objects by line and slot (-profiler +hook):\n%s", d)
	}
	var objects int64
	for _, n := range want {
		objects += n
	}
	if objects < 50_000 || len(want) < 100 {
		t.Errorf("%d objects at %d lines: too few to prove anything", objects, len(want))
	}
}

// hookLines and profileLines give the number of objects by line and slot.
func hookLines(c *counterfile.Counters) map[string]int64 {
	lines := map[string]int64{}
	for _, e := range c.Entries {
		stack := e.Stack.Expand()
		if ofWorkload(stack) && !slices.ContainsFunc(stack, func(f counterfile.Frame) bool { return f.Function == "runtime.systemstack" }) {
			f := site(stack)
			lines[fmt.Sprintf("%s %s:%d %d", f.Function, filepath.Base(f.File), f.Line, e.Bytes/e.Objects)] += e.Objects
		}
	}
	return lines
}

func profileLines(t *testing.T, name string) map[string]int64 {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := profile.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int64{}
	for _, s := range p.Sample {
		var stack []counterfile.Frame
		for _, l := range s.Location {
			for _, line := range l.Line {
				stack = append(stack, counterfile.Frame{Function: line.Function.Name, File: line.Function.Filename, Line: int(line.Line)})
			}
		}
		if s.Value[0] != 0 && ofWorkload(stack) {
			f := site(stack)
			lines[fmt.Sprintf("%s %s:%d %d", f.Function, filepath.Base(f.File), f.Line, s.Value[1]/s.Value[0])] += s.Value[0]
		}
	}
	return lines
}

func ofWorkload(stack []counterfile.Frame) bool {
	return slices.ContainsFunc(stack, func(f counterfile.Frame) bool { return strings.HasPrefix(f.Function, "main.workload") })
}
