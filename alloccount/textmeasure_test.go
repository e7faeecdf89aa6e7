package alloccount

import (
	"strings"
	"testing"
	"time"

	"github.com/alloctop/alloctop/callsite"
	"github.com/alloctop/alloctop/internal/counterfile"
	"github.com/alloctop/alloctop/sizeclass"
)

// measuredCSV is a Measure of the reader of the fixtures.
func measuredCSV(t *testing.T, e engine, o MeasureOptions) *Report {
	t.Helper()
	o.Label = "read"
	frames := func(frames ...counterfile.Frame) *counterfile.Stack { return &counterfile.Stack{Frames: frames} }
	m := &measurement{
		o: o, engine: e,
		where: caller{
			pkg: "example.com/app/parse", main: "example.com/app/cmd/app", module: "example.com/app",
			modules: []callsite.Module{{Path: "example.com/app", Dir: "/home/me/app"}},
		},
		steady: &part{name: "read", records: 2000},
	}
	p := m.steady
	if e.kind() == Exact {
		p.entries = []counterfile.Entry{
			{Stack: frames(mallocgc, toString, readRecord, benchmark), Size: 5, Objects: 20_000, Bytes: 96_000, Tiny: true},
			{Stack: frames(mallocgc, growslice, grow, benchmark), Size: 64, Type: "string", Objects: 2000, Bytes: 128_000},
		}
	} else {
		p.entries = []counterfile.Entry{
			{Stack: frames(readRecord, benchmark), Size: 16, Objects: 6000, Bytes: 96_000},
			{Stack: frames(grow, benchmark), Size: 64, Objects: 2000, Bytes: 128_000},
		}
		p.lose(noLine, 16, 14_000, 0)
	}
	p.growth.counted = Counted{22_000, 224_000}
	p.growth.wall, p.growth.cpu, p.growth.pause, p.growth.gcs = 3*time.Millisecond, 4*time.Millisecond, 20*time.Microsecond, 1
	p.growth.gcCPU, p.growth.mutex, p.growth.heap = 0.0004, 0.00001, 4_404_019
	p.runs = []oneCall{{11_000, 1000, time.Millisecond}, {11_000, 1000, 2 * time.Millisecond}}
	r, err := m.report()
	if err != nil {
		t.Fatal(err)
	}
	checkInvariants(t, r)
	r.Go, r.Command, r.Procs = "go1.26.8", []string{"app", "-in", "cells.csv"}, 8
	return r
}

func TestTextMeasure(t *testing.T) {
	r := measuredCSV(t, new(exactEngine), MeasureOptions{Sizes: []sizeclass.Bound{16, 32, 64}})
	r.Runs.PerRecord.Max, r.Runs.PerRecord.Median = 11.25, 11.125
	golden(t, "measure", r, TextOptions{})
	golden(t, "measure80", r, TextOptions{Width: 80})
}

// TestTextMeasurePlain: tiny objects without a line are shown as such, with
// the part that has one.
func TestTextMeasurePlain(t *testing.T) {
	r := measuredCSV(t, new(profileEngine), MeasureOptions{})
	if r.PerRecord() != 11 || r.Unplaced != 14_000 || r.Attributed != 1 {
		t.Errorf("%v per record, %d without a line, %v attributed", r.PerRecord(), r.Unplaced, r.Attributed)
	}
	golden(t, "measure-plain", r, TextOptions{})
}

// TestCoverage: what has no line is named for what it is.
func TestCoverage(t *testing.T) {
	for _, c := range []struct {
		unplaced, tiny int64
		want           string
	}{
		{0, 0, "100.0 % of 10 allocations have a line"},
		{3, 3, "70.0 % of 10 allocations have a line; the rest are tiny objects that the runtime's profile does not record. `alloctop --` counts them all"},
		{3, 2, "70.0 % of 10 allocations have a line; the rest are tiny objects that the runtime's profile does not record, and 1 by other goroutines as the counting began or ended. `alloctop --` counts them all"},
		{3, 0, "70.0 % of 10 allocations have a line; the rest were made by other goroutines as the counting began or ended. `alloctop --` counts them all"},
	} {
		s := &Scope{Totals: Totals{Objects: 10, Tiny: c.tiny}, Unplaced: c.unplaced, Runtime: &Counted{Objects: 10}}
		if got := coverage(s); got != c.want {
			t.Errorf("coverage is %q, want %q", got, c.want)
		}
	}
	if got := coverage(&Scope{Runtime: &Counted{}}); got != "no allocations" {
		t.Errorf("coverage of nothing is %q", got)
	}
}

// TestTextCost: the runtime's CPU time of the collector is shown unless it is
// more than all CPU time, which cannot be.
func TestTextCost(t *testing.T) {
	r := measuredCSV(t, new(exactEngine), MeasureOptions{})
	for _, c := range []struct {
		gc   float64
		want string
	}{
		{0.0004, "CPU 4.00 ms, GC 1 cycle, 400 µs CPU (10.0 %), 20.0 µs paused"},
		{0.004, "CPU 4.00 ms, GC 1 cycle, 4.00 ms CPU (100.0 %), 20.0 µs paused"},
		{0.00401, "CPU 4.00 ms, GC 1 cycle, 20.0 µs paused"},
	} {
		r.Cost.GCCPUSeconds = c.gc
		if text := printed(t, r, TextOptions{Width: 200}); !strings.Contains(text, c.want) {
			t.Errorf("of %v s the text does not say %q:\n%s", c.gc, c.want, text)
		}
	}
}
