package alloccount

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// recorder stands for the test that PerRecord is called in.
type recorder struct {
	testing.TB
	dir     string
	failed  bool
	log     []string
	cleanup []func()
}

func (r *recorder) Helper()             {}
func (r *recorder) Name() string        { return "TestCells" }
func (r *recorder) Failed() bool        { return r.failed }
func (r *recorder) ArtifactDir() string { return r.dir }
func (r *recorder) Cleanup(f func())    { r.cleanup = append(r.cleanup, f) }
func (r *recorder) Log(args ...any)     { r.log = append(r.log, fmt.Sprint(args...)) }
func (r *recorder) Error(args ...any)   { r.Log(args...); r.failed = true }
func (r *recorder) Fatal(args ...any)   { r.Error(args...); runtime.Goexit() }
func (r *recorder) Skip(args ...any)    { r.Log(args...); runtime.Goexit() }
func (r *recorder) Fatalf(f string, args ...any) {
	r.Fatal(fmt.Sprintf(f, args...))
}

// run calls PerRecord as the test would, then what ends the test.
func (r *recorder) run(f func() (int, error)) (n float64) {
	n = -1
	done := make(chan bool)
	go func() {
		defer close(done)
		n = PerRecord(r, f)
	}()
	<-done
	return n
}

// end ends the test, failed or not.
func (r *recorder) end(failed bool) {
	r.failed = r.failed || failed
	for _, f := range r.cleanup {
		f()
	}
}

func TestPerRecord(t *testing.T) {
	for _, c := range []struct {
		records int
		want    float64
	}{{1000, 1.1}, {1, 2}, {10, 1.1}, {7, 8. / 7}} {
		r := &recorder{TB: t, dir: t.TempDir()}
		calls := 0
		n := r.run(func() (int, error) { calls++; return parse(c.records) })
		r.end(false)
		if raceEnabled {
			if calls != 0 || len(r.log) != 1 || !strings.Contains(r.log[0], "run this test without -race") {
				t.Errorf("with -race: %d calls, log %q", calls, r.log)
			}
			continue
		}
		if n != c.want || calls < 7 || calls > mostRuns+2 {
			t.Errorf("%d records: %v allocations in %d calls, want %v", c.records, n, calls, c.want)
		}
		if len(r.log) != 0 || r.failed {
			t.Errorf("log of a test that passed: %q", r.log)
		}
	}
	mustBeIdle(t)
}

// TestPerRecordExplains: a test that fails has the guilty line in its log, and
// the profile beside it.
func TestPerRecordExplains(t *testing.T) {
	if raceEnabled {
		return // TestPerRecord tests what happens then
	}
	r := &recorder{TB: t, dir: t.TempDir()}
	r.run(func() (int, error) { return parse(1000) })
	r.end(true)
	log := strings.Join(r.log, "\n")
	if !strings.Contains(log, "1.1 allocations per record, the least of") || !strings.Contains(log, "perrecord_test.go") && !strings.Contains(log, "measure_test.go:") {
		t.Errorf("log:\n%s", log)
	}
	f, err := os.Open(filepath.Join(r.dir, "allocs.pprof"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := ReadProfile(f)
	if err != nil {
		t.Fatal(err)
	}
	if report := mustReport(t, p, ReportOptions{}); ownObjects(report.Scope) != 1100 || report.Name != "TestCells" {
		t.Errorf("profile:\n%s", text(t, report))
	}
}

func TestPerRecordRefuses(t *testing.T) {
	if raceEnabled {
		return // TestPerRecord tests what happens then
	}
	refused := func(t *testing.T, want string, f func() (int, error)) {
		t.Helper()
		r := &recorder{TB: t, dir: t.TempDir()}
		n := r.run(f)
		if n != -1 || !r.failed || len(r.log) != 1 || !strings.HasPrefix(r.log[0], "alloccount.PerRecord: "+want) {
			t.Errorf("returned %v, log %q", n, r.log)
		}
	}
	fine := func() (int, error) { return parse(1) }
	t.Run("error", func(t *testing.T) {
		refused(t, "call 1 of the function: a fault", func() (int, error) { return 1, errors.New("a fault") })
	})
	t.Run("no records", func(t *testing.T) {
		refused(t, "the function returned 0 records", func() (int, error) { return 0, nil })
	})
	mustBeIdle(t)
	if ownersKnown() {
		return // there nothing else makes the number wrong: TestPerRecordBeside
	}
	t.Run("in a Measure", func(t *testing.T) {
		mustMeasure(t, MeasureOptions{}, func() (int, error) {
			refused(t, "a Measure is under way", fine)
			return 0, nil
		})
	})
	t.Run("around a Measure", func(t *testing.T) {
		refused(t, "a Measure began meanwhile", func() (int, error) {
			mustMeasureQuietly(MeasureOptions{}, fine)
			return 1, nil
		})
	})
	t.Run("parallel tests", func(t *testing.T) {
		t.Run("one", func(t *testing.T) {
			t.Parallel()
			refused(t, "tests run in parallel", fine)
		})
	})
	mustBeIdle(t)
}

// TestPerRecordBeside: with the hook neither a Measure nor tests in parallel
// make the number wrong.
func TestPerRecordBeside(t *testing.T) {
	if raceEnabled || !ownersKnown() {
		return // TestHooked runs it with the hook, TestPerRecordRefuses is for the rest
	}
	r := mustMeasure(t, MeasureOptions{}, func() (int, error) {
		if n := PerRecord(t, func() (int, error) { return parse(10) }); n != 1.1 {
			t.Errorf("in a Measure: %v", n)
		}
		return 1, nil
	})
	if n := atParse(r.Scope); n%11 != 0 || n < 7*11 {
		t.Errorf("%d objects in the Measure around it", n)
	}
	n := PerRecord(t, func() (int, error) {
		mustMeasureQuietly(MeasureOptions{}, func() (int, error) { return parse(100) })
		return parse(10)
	})
	if n != 12.1 {
		t.Errorf("around a Measure: %v", n)
	}
	t.Run("parallel", func(t *testing.T) {
		for i := range 10 {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				n := PerRecord(t, func() (int, error) { _, err := parse(10 * (i + 1)); return 1, err })
				if want := float64(11 * (i + 1)); n != want {
					t.Errorf("%v, want %v", n, want)
				}
			})
		}
	})
	mustBeIdle(t)
}
