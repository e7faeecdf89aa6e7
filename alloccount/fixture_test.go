package alloccount

import (
	"testing"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/callsite"
	"github.com/alloctop/alloctop/internal/counterfile"
)

// The frames that the stacks of the fixtures are made of, leaf first.
var (
	mallocgc   = counterfile.Frame{Function: "runtime.mallocgc", File: "/go/src/runtime/malloc.go", Line: 1100, StartLine: 1020}
	growslice  = counterfile.Frame{Function: "runtime.growslice", File: "/go/src/runtime/slice.go", Line: 180, StartLine: 178}
	toString   = counterfile.Frame{Function: "runtime.slicebytetostring", File: "/go/src/runtime/string.go", Line: 108, StartLine: 80}
	newObject  = counterfile.Frame{Function: "runtime.newobject", File: "/go/src/runtime/malloc.go", Line: 1740, StartLine: 1739}
	readRecord = counterfile.Frame{Function: "encoding/csv.(*Reader).readRecord", File: "/go/src/encoding/csv/reader.go", Line: 249, StartLine: 230}
	grow       = counterfile.Frame{Function: "encoding/csv.(*Reader).readRecord", File: "/go/src/encoding/csv/reader.go", Line: 431, StartLine: 230}
	newReader  = counterfile.Frame{Function: "encoding/csv.NewReader", File: "/go/src/encoding/csv/reader.go", Line: 180, StartLine: 175}
	benchmark  = counterfile.Frame{Function: "example.com/app/parse.BenchmarkRead", File: "/home/me/app/parse/parse_test.go", Line: 21, StartLine: 12}
	runN       = counterfile.Frame{Function: "testing.(*B).runN", File: "/go/src/testing/benchmark.go", Line: 219, StartLine: 193}
)

// stackOf is the stack with these frames, leaf first, each a call of its own.
func stackOf(frames ...counterfile.Frame) *counterfile.Stack {
	var s *counterfile.Stack
	for i := len(frames) - 1; i >= 0; i-- {
		s = &counterfile.Stack{Frames: frames[i : i+1 : i+1], Caller: s}
	}
	return s
}

// appOptions are those of a run in the module of the fixtures.
func appOptions() ScopeOptions {
	return ScopeOptions{
		Command: []string{"go", "test", "-bench=."},
		Rules:   callsite.Rules{Modules: []callsite.Module{{Path: "example.com/app", Dir: "/home/me/app"}}},
	}
}

// testBinary are the counters of a test binary without windows and entries.
func testBinary() *counterfile.Counters {
	return &counterfile.Counters{
		PID: 4711, Parent: 4700, Start: 1_700_000_000_000_000_000, Go: "go1.26.8",
		Main: "example.com/app/parse.test", Module: "example.com/app",
		Args: []string{"parse.test", "-test.bench=."}, Exit: counterfile.Exit{State: counterfile.ExitCode},
		Process: counterfile.Window{Kind: counterfile.KindProcess, Procs: 2, Wall: 2_000_000_000, CPU: 2_100_000_000},
	}
}

// measured adds a window of its own segment to c, with the entries in it, and
// the same to the process.
func measured(c *counterfile.Counters, w counterfile.Window, entries ...counterfile.Entry) {
	segment := uint32(len(c.Windows) + 1)
	w.Segments = append(w.Segments, segment)
	for _, e := range entries {
		e.Segment = segment
		w.Objects += e.Objects
		w.Bytes += e.Bytes
		c.Entries = append(c.Entries, e)
	}
	c.Process.Objects += w.Objects
	c.Process.Bytes += w.Bytes
	c.Windows = append(c.Windows, w)
}

// finished is the window of a benchmark whose numbers were reported.
func finished(name string, iterations int64) counterfile.Window {
	return counterfile.Window{
		Kind: counterfile.KindBenchmark, Name: name, Package: "example.com/app/parse", Procs: 2, Final: true, Iterations: iterations,
		Wall: 1_234_567_890, CPU: 1_300_000_000, GCs: 12, GCCPU: 45_000_000, Pause: 1_200_000,
	}
}

// csvCounters are those of a test binary with one benchmark, of 100,000
// iterations: 7 strings, 5 slices and 1 reader each, and its first round.
func csvCounters() *counterfile.Counters {
	c := testBinary()
	c.Process.Objects, c.Process.Bytes = 37, 3552
	c.Entries = []counterfile.Entry{{Stack: stackOf(newObject, runN), Size: 96, Type: "testing.B", Objects: 37, Bytes: 3552}}
	first := finished("BenchmarkRead", 1)
	first.Final = false
	measured(c, first, counterfile.Entry{Stack: stackOf(toString, readRecord, benchmark, runN), Size: 5, Objects: 13, Bytes: 272, Tiny: true})
	w := finished("BenchmarkRead", 100_000)
	w.Metrics = []counterfile.Metric{{Unit: "cells/op", Value: 20}}
	measured(c, w,
		counterfile.Entry{Stack: stackOf(mallocgc, toString, readRecord, benchmark, runN), Size: 5, Objects: 500_000, Bytes: 2_400_000, Tiny: true},
		counterfile.Entry{Stack: stackOf(mallocgc, toString, readRecord, benchmark, runN), Size: 20, Objects: 200_000, Bytes: 4_800_000},
		counterfile.Entry{Stack: stackOf(mallocgc, growslice, grow, benchmark, runN), Size: 16, Type: "string", Objects: 500_000, Bytes: 8_000_000},
		counterfile.Entry{Stack: stackOf(mallocgc, newObject, newReader, benchmark, runN), Size: 112, Type: "encoding/csv.Reader", Objects: 100_000, Bytes: 12_000_000},
	)
	return c
}

// mustProfile is FromCounters for counters that make a profile.
func mustProfile(t testing.TB, o ScopeOptions, cs ...*counterfile.Counters) *profile.Profile {
	t.Helper()
	p, err := FromCounters(cs, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	return p
}

// mustReport is NewReport for a profile that makes one.
func mustReport(t testing.TB, p *profile.Profile, o ReportOptions) *Report {
	t.Helper()
	r, err := NewReport(p, o)
	if err != nil {
		t.Fatal(err)
	}
	checkInvariants(t, r)
	return r
}

// counted is the report of the counters of one process.
func counted(t testing.TB, c *counterfile.Counters, o ReportOptions) *Report {
	t.Helper()
	return mustReport(t, mustProfile(t, appOptions(), c), o)
}
