package alloccount

import (
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// oneNote fails the test unless exactly one of the notes begins so.
func oneNote(t *testing.T, notes []string, want string) {
	t.Helper()
	n := 0
	for _, note := range notes {
		if strings.HasPrefix(note, want) {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d notes begin with %q, want one: %q", n, want, notes)
	}
}

// TestMissedInAPart: what the hook could only add up for the process is missing
// in a benchmark, which says so and does not claim to be complete.
func TestMissedInAPart(t *testing.T) {
	c := csvCounters()
	c.Missed = counterfile.Totals{Objects: 10, Bytes: 300}
	c.Process.Objects += 10
	c.Process.Bytes += 300
	if r := counted(t, c, ReportOptions{}); len(r.Scope.Notes) != 0 {
		t.Errorf("none of them was in the benchmark, and it notes %q", r.Scope.Notes)
	}
	c.Windows[1].Objects += 4
	c.Windows[1].Bytes += 120
	r := counted(t, c, ReportOptions{})
	if r.Attributed == 1 {
		t.Error("attributed 1, though 4 allocations are missing")
	}
	oneNote(t, r.Scope.Notes, "4 allocations could be given to no line")
	if text := printed(t, r, TextOptions{}); !strings.Contains(text, "note: 4 allocations could be given to no line") {
		t.Errorf("the text does not say it:\n%s", text)
	}
}

// TestOutsideOfTests: what a process with tests allocates outside of them, in
// examples or TestMain, is told, unless the process is shown itself.
func TestOutsideOfTests(t *testing.T) {
	tests := func() *counterfile.Counters {
		c := testBinary()
		measured(c, named(counterfile.KindTest, "TestRead", 2), one(100))
		example := counterfile.Frame{Function: "example.com/app/parse.ExampleRead", File: "/home/me/app/parse/example_test.go", Line: 9, StartLine: 8}
		c.Entries = append(c.Entries, counterfile.Entry{Stack: stackOf(newObject, example), Size: 8, Objects: 1234, Bytes: 9872})
		c.Process.Objects += 1234
		c.Process.Bytes += 9872
		return c
	}
	both := tests()
	measured(both, finished("BenchmarkRead", 10), one(50))
	second := tests()
	second.PID, second.Start = 4712, second.Start+1
	bench := csvCounters()
	all := appOptions()
	all.All = true
	for _, c := range []struct {
		name string
		o    ScopeOptions
		cs   []*counterfile.Counters
		want string // "" for no note
	}{
		{"tests", appOptions(), []*counterfile.Counters{tests()}, "1,234 allocations were outside of tests, in examples"},
		{"two processes", appOptions(), []*counterfile.Counters{tests(), second}, "2,468 allocations were outside of tests, in examples"},
		{"tests and benchmarks", appOptions(), []*counterfile.Counters{both}, "1,234 allocations were outside of tests and of what benchmarks time"},
		{"benchmarks", appOptions(), []*counterfile.Counters{bench}, ""},
		{"the process is shown", all, []*counterfile.Counters{tests()}, ""},
	} {
		r := mustReport(t, mustProfile(t, c.o, c.cs...), ReportOptions{})
		if c.want == "" {
			if len(r.Notes) != 0 {
				t.Errorf("%s: notes %q, want none", c.name, r.Notes)
			}
			continue
		}
		oneNote(t, r.Notes, c.want)
	}
}

// TestCutByHook: a path whose outer calls the hook left out ends in a call that
// says so, and if the user's line may be among them, a note does.
func TestCutByHook(t *testing.T) {
	value := counterfile.Frame{Function: "encoding/json.(*decodeState).value", File: "/go/src/encoding/json/decode.go", Line: 380, StartLine: 370}
	goexit := counterfile.Frame{Function: "runtime.goexit", File: "/go/src/runtime/asm_amd64.s", Line: 1771}
	path := func(calls int, root ...counterfile.Frame) *counterfile.Stack {
		frames := []counterfile.Frame{newObject, newReader}
		for len(frames) < calls-len(root) {
			frames = append(frames, value)
		}
		return stackOf(append(frames, root...)...)
	}
	for _, c := range []struct {
		name  string
		stack *counterfile.Stack
		cut   bool
		lost  bool
	}{
		{"cut", path(128), true, true},
		{"cut below C", path(118), true, true},
		{"cut, and the user's line is known", path(128, benchmark), true, false},
		{"whole", path(128, runN, goexit), false, false},
		{"short", path(20), false, false}, // of leaf frames only: the process says how many
	} {
		counters := testBinary()
		measured(counters, finished("BenchmarkDeep", 10), counterfile.Entry{Stack: c.stack, Size: 112, Objects: 20, Bytes: 2240})
		p := mustProfile(t, appOptions(), counters)
		r := mustReport(t, p, ReportOptions{})
		calls := p.Sample[0].Location
		if got := calls[len(calls)-1].Line[0].Function.Name == leftOut; got != c.cut {
			t.Errorf("%s: the path ends with %q", c.name, calls[len(calls)-1].Line[0].Function.Name)
		}
		said := slices.ContainsFunc(r.Scope.Notes, func(n string) bool {
			return strings.HasPrefix(n, "20 allocations were made more than 500 calls deep")
		})
		if said != c.lost {
			t.Errorf("%s: notes %q", c.name, r.Scope.Notes)
		}
	}
}

// TestGrowAdvice: where the file could not be opened, room is no help.
func TestGrowAdvice(t *testing.T) {
	for err, want := range map[syscall.Errno]string{
		syscall.ENOSPC: "the counter file could not grow (no space left on device): paths of calls were shortened; make room",
		syscall.EMFILE: "the counter file could not grow (too many open files): paths of calls were shortened; the program must be able to open the file by its name",
	} {
		c := csvCounters()
		c.GrowErr = int(err)
		oneNote(t, counted(t, c, ReportOptions{}).Scope.Notes, want)
	}
}
