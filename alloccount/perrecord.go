package alloccount

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Bounds of the runs that [PerRecord] makes.
const (
	leastRuns = 5
	mostRuns  = 1000
	mostTime  = time.Second
)

// PerRecord returns how many allocations f makes per record, for a test to
// compare with what is allowed:
//
//	if n := alloccount.PerRecord(t, parse); n > 2 {
//		t.Errorf("%.2f allocations per record, want 2 or less", n)
//	}
//
// It calls f once to fill caches and pools, then up to 1,000 times within a
// second, 5 times at least, and takes the smallest: what other goroutines and
// the runtime allocate in between only adds. [testing.AllocsPerRun] gives an
// average cut to a whole number.
//
// In a program that alloctop built only the test's own goroutine counts and
// those that are started inside, as with MeasureOptions.OwnGoroutines. So
// tests may run in parallel there, and beside other Measures.
//
// One more call finds the lines. If the test has failed when it ends, they are
// in its log, and the profile is in its artifact directory: go test -artifacts
// keeps that.
//
// Where the number would be wrong PerRecord ends the test: in a plain build it
// fails one that runs while tests are parallel, or while a Measure is under
// way; in any build one whose f returns an error or no records; and it skips
// the test if the program is built with -race, where sync.Pool drops at random
// what it is given.
func PerRecord(t testing.TB, f func() (records int, err error)) float64 {
	t.Helper()
	if raceEnabled {
		t.Skip("alloccount.PerRecord: a program built with -race allocates more, and sync.Pool at random: run this test without -race")
	}
	o := MeasureOptions{Label: t.Name(), OwnGoroutines: ownersKnown()}
	if why := miscounted(); why != "" && !o.OwnGoroutines {
		t.Fatalf("alloccount.PerRecord: %s", why)
	}
	runs := &perRecordRuns{least: math.Inf(1), deadline: time.Now().Add(mostTime)}
	if err := runs.all(o, f); err != nil {
		t.Fatalf("alloccount.PerRecord: %v", err)
	}
	report, err := o.Measure(f)
	if err != nil {
		t.Fatalf("alloccount.PerRecord: %v", err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			explain(t, runs, report)
		}
	})
	return runs.least
}

// miscounted says why allocations cannot be counted now, "" if they can.
func miscounted() (why string) {
	underway.Lock()
	n := len(underway.list)
	underway.Unlock()
	if n > 0 {
		return "a Measure is under way: its allocations would be counted, too"
	}
	defer func() {
		if recover() != nil {
			why = "tests run in parallel, and their allocations cannot be told apart: leave out t.Parallel here"
		}
	}()
	testing.AllocsPerRun(1, func() {}) // panics if tests run in parallel
	return ""
}

// perRecordRuns are the runs of PerRecord.
type perRecordRuns struct {
	meter       meter
	part        *part
	calls       int // with the first, which does not count
	least, most float64
	deadline    time.Time
}

// all makes the runs.
func (r *perRecordRuns) all(o MeasureOptions, f func() (int, error)) (err error) {
	if !o.OwnGoroutines {
		return r.allPlain(o, f)
	}
	var m *measurement
	apart(func() { m, err = o.begin(enclosing()) })
	if err != nil {
		return err
	}
	defer apart(func() {
		m.leave()
		err = errors.Join(err, m.engine.end(m.steady), m.engine.place(m))
	})
	r.meter, r.part = m.engine, m.steady
	return r.loop(f)
}

// allPlain makes the runs where the runtime counts, all goroutines together.
func (r *perRecordRuns) allPlain(o MeasureOptions, f func() (int, error)) error {
	m := &measurement{o: o, engine: &profileEngine{}}
	m.enter()
	defer m.leave()
	r.meter, r.part = plainMeter{}, newPart(o.Label, 0)
	if err := r.loop(f); err != nil {
		return err
	}
	m.leave()
	if len(m.inner)+len(m.others) > 0 {
		return errors.New("a Measure began meanwhile: its allocations were counted, too")
	}
	return nil
}

// plainMeter reads what the runtime counts, without its profiler.
type plainMeter struct{}

func (plainMeter) open(p *part) error { p.openCounts(); return nil }
func (plainMeter) close(p *part)      { p.closeCounts() }
func (plainMeter) end(*part) error    { return nil }

func (r *perRecordRuns) loop(f func() (int, error)) error {
	for r.more() {
		if err := r.once(f); err != nil {
			return err
		}
	}
	return nil
}

// more reports whether another run could give less.
func (r *perRecordRuns) more() bool {
	switch n := r.calls - 1; {
	case n < leastRuns:
		return n < 1 || r.least > 0
	case n >= mostRuns, r.least == 0:
		return false
	}
	return time.Now().Before(r.deadline)
}

// once calls f.
func (r *perRecordRuns) once(f func() (int, error)) error {
	call := f
	if r.calls > 0 {
		call = func() (int, error) { return r.count(f) }
	}
	records, err := call()
	r.calls++
	switch {
	case err != nil:
		return fmt.Errorf("call %d of the function: %w", r.calls, err)
	case records < 1:
		return fmt.Errorf("the function returned %d records: it must say how many it worked on, 1 if it is all one", records)
	case r.calls == 1:
		return nil
	}
	v := ratio(r.part.growth.counted.Objects, int64(records))
	r.least, r.most = min(r.least, v), max(r.most, v)
	return nil
}

// count calls f and counts.
func (r *perRecordRuns) count(f func() (int, error)) (records int, err error) {
	p := r.part
	p.growth.counted = Counted{}
	if err := r.meter.open(p); err != nil {
		return 0, err
	}
	defer func() { // also when f panics
		r.meter.close(p)
		p.records += int64(records)
	}()
	return f()
}

// explain logs which lines allocate, and writes the profile.
func explain(t testing.TB, runs *perRecordRuns, report *Report) {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "alloccount.PerRecord: %s allocations per record, the least of %d runs (most: %s); one run by line:\n\n",
		average(runs.least), runs.calls-1, average(runs.most))
	if err := report.WriteText(&text, TextOptions{}); err != nil {
		t.Error(err)
	}
	name := filepath.Join(t.ArtifactDir(), "allocs.pprof")
	if err := writeProfileFile(name, report); err != nil {
		t.Error(err)
	}
	fmt.Fprintf(&text, "\nprofile: %s (go test -artifacts keeps it; go tool pprof -http=: shows it)", name)
	t.Log(text.String())
}

func writeProfileFile(name string, report *Report) error {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("the profile is not written: %w", err)
	}
	err = WriteProfile(f, report.Profile)
	if closeErr := f.Close(); err == nil && closeErr != nil {
		err = fmt.Errorf("the profile is not written: %w", closeErr)
	}
	return err
}
