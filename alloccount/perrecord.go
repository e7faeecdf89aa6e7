package alloccount

import (
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
// One more call finds the lines. If the test has failed when it ends, they are
// in its log, and the profile is in its artifact directory: go test -artifacts
// keeps that.
//
// Where the number would be wrong PerRecord ends the test: it fails one that
// runs while tests are parallel, or while a Measure is under way, or whose f
// returns an error or no records; and it skips the test if the program is
// built with -race, where sync.Pool drops at random what it is given.
func PerRecord(t testing.TB, f func() (records int, err error)) float64 {
	t.Helper()
	if raceEnabled {
		t.Skip("alloccount.PerRecord: a program built with -race allocates more, and sync.Pool at random: run this test without -race")
	}
	if why := miscounted(); why != "" {
		t.Fatalf("alloccount.PerRecord: %s", why)
	}
	runs := perRecordRuns{part: newPart(t.Name(), 0), least: math.Inf(1), deadline: time.Now().Add(mostTime)}
	m := &measurement{o: MeasureOptions{Label: t.Name()}, engine: &profileEngine{}}
	m.enter()
	defer m.leave()
	for runs.more() {
		if err := runs.once(f); err != nil {
			t.Fatalf("alloccount.PerRecord: %v", err)
		}
	}
	m.leave()
	if len(m.inner)+len(m.others) > 0 {
		t.Fatal("alloccount.PerRecord: a Measure began meanwhile: its allocations were counted, too")
	}
	report, err := MeasureOptions{Label: t.Name()}.Measure(f)
	if err != nil {
		t.Fatalf("alloccount.PerRecord: %v", err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			explain(t, &runs, report)
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
	part        *part
	calls       int // with the first, which does not count
	least, most float64
	deadline    time.Time
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
	p := r.part
	p.growth.counted = Counted{}
	p.openCounts()
	records, err := f()
	p.closeCounts()
	r.calls++
	switch {
	case err != nil:
		return fmt.Errorf("call %d of the function: %w", r.calls, err)
	case records < 1:
		return fmt.Errorf("the function returned %d records: it must say how many it worked on, 1 if it is all one", records)
	case r.calls == 1:
		return nil
	}
	v := ratio(p.growth.counted.Objects, int64(records))
	r.least, r.most = min(r.least, v), max(r.most, v)
	return nil
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
