package alloccount

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// one is an entry of n objects of 8 bytes.
func one(n int64) counterfile.Entry {
	return counterfile.Entry{Stack: stackOf(toString, readRecord, benchmark), Size: 8, Objects: n, Bytes: 8 * n, Tiny: true}
}

// named is a finished window.
func named(k counterfile.Kind, name string, procs int) counterfile.Window {
	w := finished(name, 10)
	w.Kind, w.Procs = k, procs
	return w
}

// list names the scopes of a report and their objects.
func list(r *Report) (scopes []string) {
	for _, s := range r.Scopes {
		scopes = append(scopes, fmt.Sprintf("%s %s %s-%d #%d pid %d: %d", s.Kind, s.Package, s.Name, s.Procs, s.Run, s.Process.PID, s.Totals.Objects))
	}
	return scopes
}

// process are the counters of a program of the user's that ends well.
func process(pid, parent int, start int64, main string) *counterfile.Counters {
	c := testBinary()
	c.PID, c.Parent, c.Start, c.Main = pid, parent, start, main
	return c
}

func TestScopes(t *testing.T) {
	o := appOptions()
	all := appOptions()
	all.All = true
	const pkg = "example.com/app/parse"

	benchmarks := process(1, 9, 100, pkg+".test")
	ramp := named(counterfile.KindBenchmark, "BenchmarkA", 2)
	ramp.Final = false
	measured(benchmarks, ramp, one(5))
	for range 2 { // -count=2
		measured(benchmarks, named(counterfile.KindBenchmark, "BenchmarkA", 1), one(10))
		measured(benchmarks, named(counterfile.KindBenchmark, "BenchmarkA", 2), one(20))
	}
	benchmarks.Entries = append(benchmarks.Entries, one(7)) // set-up, in segment 0

	tests := process(2, 9, 200, pkg+".test")
	measured(tests, named(counterfile.KindTest, "TestA", 2), one(3))
	parallel := named(counterfile.KindParallel, "", 2)
	parallel.Tests = []string{"TestB", "TestC"}
	measured(tests, parallel, one(4))

	child := process(3, 2, 300, pkg+".test")
	measured(child, named(counterfile.KindTest, "TestHelper", 2), one(6))
	before := process(4, 2, 150, "example.com/app/cmd/x") // older than process 2: not its child
	before.Entries = append(before.Entries, one(11))
	tool := process(5, 9, 400, "golang.org/x/tools/cmd/stringer")
	tool.Module = "golang.org/x/tools"
	tool.Entries = append(tool.Entries, one(1000))
	measuring := process(6, 9, 500, "example.com/app/cmd/y")
	load := named(counterfile.KindMeasure, "load", 2)
	load.Package = ""
	measured(measuring, load, one(8))

	whole := o
	whole.Whole = true
	for _, c := range []struct {
		name string
		o    ScopeOptions
		cs   []*counterfile.Counters
		want []string
	}{
		{"benchmarks are those that were reported, repeats are numbered", o, []*counterfile.Counters{benchmarks}, []string{
			"benchmark example.com/app/parse BenchmarkA-1 #0 pid 1: 10",
			"benchmark example.com/app/parse BenchmarkA-2 #0 pid 1: 20",
			"benchmark example.com/app/parse BenchmarkA-1 #1 pid 1: 10",
			"benchmark example.com/app/parse BenchmarkA-2 #1 pid 1: 20",
		}},
		{"tests, and a child that is one scope", o, []*counterfile.Counters{child, tests}, []string{
			"test example.com/app/parse TestA-2 #0 pid 2: 3",
			"test example.com/app/parse parallel tests-2 #0 pid 2: 4",
			"process example.com/app/parse parse.test-2 #0 pid 3: 6",
		}},
		{"processes, without tools", o, []*counterfile.Counters{tool, before, tests}, []string{
			"process example.com/app/cmd/x x-2 #0 pid 4: 11",
			"test example.com/app/parse TestA-2 #0 pid 2: 3",
			"test example.com/app/parse parallel tests-2 #0 pid 2: 4",
		}},
		{"only a tool", o, []*counterfile.Counters{tool}, []string{
			"process golang.org/x/tools/cmd/stringer stringer-2 #0 pid 5: 1000",
		}},
		{"Measure beside its process", o, []*counterfile.Counters{measuring}, []string{
			"measure example.com/app/cmd/y load-2 #0 pid 6: 8",
			"process example.com/app/cmd/y y-2 #0 pid 6: 8",
		}},
		{"whole processes, without tools", whole, []*counterfile.Counters{tests, tool}, []string{
			"test example.com/app/parse TestA-2 #0 pid 2: 3",
			"test example.com/app/parse parallel tests-2 #0 pid 2: 4",
			"process example.com/app/parse parse.test-2 #0 pid 2: 7",
		}},
		{"all", all, []*counterfile.Counters{benchmarks, tool}, []string{
			"benchmark example.com/app/parse BenchmarkA-1 #0 pid 1: 10",
			"benchmark example.com/app/parse BenchmarkA-2 #0 pid 1: 20",
			"benchmark example.com/app/parse BenchmarkA-1 #1 pid 1: 10",
			"benchmark example.com/app/parse BenchmarkA-2 #1 pid 1: 20",
			"process example.com/app/parse parse.test-2 #0 pid 1: 72",
			"process golang.org/x/tools/cmd/stringer stringer-2 #0 pid 5: 1000",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustReport(t, mustProfile(t, c.o, c.cs...), ReportOptions{})
			if diff := cmp.Diff(c.want, list(r)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestScopesOverlap: an allocation that lies in several scopes is in the file
// once, so that other tools count it once.
func TestScopesOverlap(t *testing.T) {
	o := appOptions()
	o.All = true
	c := csvCounters()
	p := mustProfile(t, o, c)
	var sum int64
	for _, s := range p.Sample {
		sum += s.Value[0]
	}
	if want := c.Process.Objects; sum != want {
		t.Errorf("the samples sum to %d objects, the process made %d", sum, want)
	}
	r := mustReport(t, p, ReportOptions{})
	if a, b := r.Scopes[0].Totals.Objects, r.Scopes[1].Totals.Objects; a != 1_300_000 || b != 1_300_050 {
		t.Errorf("%d objects in the benchmark and %d in the process", a, b)
	}
}

// TestScopesCutOff: a process that is killed leaves the benchmark that it was
// in, the innermost, and those before it whole.
func TestScopesCutOff(t *testing.T) {
	c := testBinary()
	c.Exit = counterfile.Exit{}
	c.Process.Open = true
	measured(c, named(counterfile.KindBenchmark, "BenchmarkA", 2), one(10))
	parent := named(counterfile.KindBenchmark, "BenchmarkB", 2)
	parent.Final, parent.Open = false, true
	measured(c, parent)
	sub := named(counterfile.KindBenchmark, "BenchmarkB/sub", 2)
	sub.Final, sub.Open = false, true
	measured(c, sub, one(4))
	c.Windows[1].Segments = append(c.Windows[1].Segments, c.Windows[2].Segments...)

	r := counted(t, c, ReportOptions{Per: []Per{{Count: 5}}})
	want := []string{
		"benchmark example.com/app/parse BenchmarkA-2 #0 pid 4711: 10",
		"benchmark example.com/app/parse BenchmarkB/sub-2 #0 pid 4711: 4",
	}
	if diff := cmp.Diff(want, list(r)); diff != "" {
		t.Fatalf("-want +got:\n%s", diff)
	}
	whole, cut := r.Scopes[0], r.Scopes[1]
	if whole.Runtime == nil || whole.Runtime.Objects != 10 || whole.Records != 50 {
		t.Errorf("the benchmark before: runtime %v, %d records", whole.Runtime, whole.Records)
	}
	if cut.Runtime != nil || cut.Records != 0 || cut.Attributed != 0 || cut.Process.Exit != "signal: killed" {
		t.Errorf("the benchmark that was cut off: runtime %v, %d records, attributed %v, exit %q", cut.Runtime, cut.Records, cut.Attributed, cut.Process.Exit)
	}
}

// TestExit: every end of a process has its word.
func TestExit(t *testing.T) {
	running := func(pid int) bool { return pid == 4711 }
	for _, c := range []struct {
		exit    counterfile.Exit
		running func(int) bool
		want    string
	}{
		{counterfile.Exit{State: counterfile.ExitCode}, running, "0"},
		{counterfile.Exit{State: counterfile.ExitCode, Code: 2}, nil, "2"},
		{counterfile.Exit{State: counterfile.ExitSignal, Signal: 15}, nil, "signal: terminated"},
		{counterfile.Exit{State: counterfile.ExitExec}, nil, "exec"},
		{counterfile.Exit{}, nil, "signal: killed"},
		{counterfile.Exit{}, running, "running"},
	} {
		o := appOptions()
		o.Running = c.running
		counters := testBinary()
		counters.Exit = c.exit
		r := mustReport(t, mustProfile(t, o, counters), ReportOptions{})
		if got := r.Process.Exit; got != c.want {
			t.Errorf("%+v: %q, want %q", c.exit, got, c.want)
		}
	}
}

// TestMissed: what the hook could only add up is in the totals of the process,
// and in a site that says so.
func TestMissed(t *testing.T) {
	c := csvCounters()
	c.Windows = nil
	c.Missed = counterfile.Totals{Objects: 10, Bytes: 300, Requested: 255, Tiny: 3}
	c.Process.Objects += 10
	c.Process.Bytes += 300
	r := counted(t, c, ReportOptions{})
	if r.Attributed != 1 || r.Totals.Tiny != 500_016 {
		t.Errorf("attributed %v, %d tiny objects", r.Attributed, r.Totals.Tiny)
	}
	var found int64
	for _, x := range r.Sites {
		if x.Function == noPath {
			found += x.Objects
		}
	}
	if found != 10 {
		t.Errorf("%d objects without a call path, want 10", found)
	}
}

// TestNothingCounted: no counters are an error that says what to look at.
func TestNothingCounted(t *testing.T) {
	if _, err := FromCounters(nil, ScopeOptions{}); err == nil {
		t.Error("no error")
	}
}

// The benchmark in which package testing runs all others is nobody's.
func TestRootBenchmarkIsNoScope(t *testing.T) {
	c := testBinary()
	root := finished("Main", 0)
	root.Final, root.Open = false, true
	measured(c, root, counterfile.Entry{Stack: stackOf(newObject, runN), Size: 96, Objects: 2, Bytes: 192})
	measured(c, finished("BenchmarkRead", 10), counterfile.Entry{Stack: stackOf(newObject, benchmark, runN), Size: 96, Objects: 10, Bytes: 960})
	r := counted(t, c, ReportOptions{})
	if len(r.Scopes) != 1 || r.Name != "BenchmarkRead" {
		t.Errorf("%d scopes, the first is %q; want BenchmarkRead alone", len(r.Scopes), r.Name)
	}
}
