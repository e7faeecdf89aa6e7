package alloccount

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// measureOwn measures f with its own goroutines only. It may be called from
// any goroutine.
func measureOwn(t testing.TB, o MeasureOptions, f func() (int, error)) *Report {
	o.OwnGoroutines = true
	r, err := o.Measure(f)
	if err != nil {
		t.Error(err)
		return &Report{Scope: &Scope{}}
	}
	checkInvariants(t, r)
	for _, s := range r.Scopes {
		if !s.Own || s.Runtime != nil || s.Kind != KindMeasure || r.Engine != Exact {
			t.Errorf("scope %q: own %v, the runtime counted %+v, engine %s", s.Name, s.Own, s.Runtime, r.Engine)
		}
	}
	return r
}

// spread lets goroutines within goroutines parse, each the given records: six
// times as many in all.
func spread(records int) (int, error) {
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			_, _ = parse(records)
			group.Go(func() { _, _ = parse(records) })
		})
	}
	_, _ = parse(2 * records)
	group.Wait()
	return 6 * records, nil
}

// atParse returns the objects that parse made.
func atParse(s *Scope) (n int64) {
	for _, x := range s.Sites {
		if x.Function == ownPackage+".parse" && !ofRuntime(x) {
			n += x.Objects
		}
	}
	return n
}

// TestMeasureOwnPlain: where goroutines cannot be told apart nothing is
// counted that looks as if they were.
func TestMeasureOwnPlain(t *testing.T) {
	if hooked() {
		return // the other tests of this file are for that
	}
	r, err := MeasureOptions{OwnGoroutines: true}.Measure(func() (int, error) { t.Error("called"); return 0, nil })
	if r != nil || !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "run it by alloctop -- COMMAND") {
		t.Errorf("report %v, error %v", r, err)
	}
	mustBeIdle(t)
}

// TestMeasureOwn: Measures at the same time count each its own, whatever else
// the program does.
func TestMeasureOwn(t *testing.T) {
	if !hooked() {
		return // TestHooked runs it with the hook
	}
	stop := make(chan bool)
	var others, group sync.WaitGroup
	for range 2 {
		others.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					_, _ = spread(10)
				}
			}
		})
	}
	for i := range 20 {
		group.Go(func() {
			for calls := 1; calls <= 3; calls++ {
				r := measureOwn(t, MeasureOptions{Label: fmt.Sprint("own ", i), Runs: calls}, func() (int, error) { return spread(10 * (i + 1)) })
				if want := int64(calls * 66 * (i + 1)); atParse(r.Scope) != want || r.Records*11/10 != want {
					t.Errorf("%d calls of %d: %d objects, want %d:\n%s", calls, i, atParse(r.Scope), want, text(t, r))
				}
				if len(r.Scope.Notes) != 0 {
					t.Errorf("notes: %q", r.Scope.Notes)
				}
				if r.Runs != nil && r.Runs.PerRecord.Max >= 2*1.1 {
					t.Errorf("runs: %+v", r.Runs)
				}
			}
		})
	}
	group.Wait()
	close(stop)
	others.Wait()
	mustBeIdle(t)
}

// TestMeasureOwnNested: a Measure that a Measure's goroutines make is in its
// counts, one of any other goroutine is not; one of the whole process has all.
func TestMeasureOwnNested(t *testing.T) {
	if !hooked() {
		return // TestHooked runs it with the hook
	}
	work, done := make(chan func()), make(chan bool)
	go func() {
		for f := range work {
			f()
			done <- true
		}
	}()
	defer close(work)
	elsewhere := func(f func()) { work <- f; <-done }
	inside := func(f func()) { in := make(chan bool); go func() { defer close(in); f() }(); <-in }

	var inner, innermost, other, whole *Report
	outer := measureOwn(t, MeasureOptions{Label: "outer"}, func() (int, error) {
		inside(func() {
			inner = measureOwn(t, MeasureOptions{Label: "inner"}, func() (int, error) {
				innermost = measureOwn(t, MeasureOptions{Label: "innermost", Runs: 2}, func() (int, error) { return parse(100) })
				return parse(1000)
			})
		})
		elsewhere(func() {
			other = measureOwn(t, MeasureOptions{Label: "other"}, func() (int, error) { return parse(20_000) })
		})
		whole = mustMeasureQuietly(MeasureOptions{Label: "whole"}, func() (int, error) {
			elsewhere(func() { _, _ = parse(3000) })
			return parse(4000)
		})
		return parse(10)
	})
	for _, c := range []struct {
		r    *Report
		want int64
		note string
	}{
		{innermost, 220, ""},
		{inner, 1100 + 220, "Measure innermost ran inside"},
		{other, 22_000, ""},
		{whole, 3300 + 4400, ""},
		{outer, 11 + 1100 + 220 + 4400, "Measure inner, innermost, whole ran inside"},
	} {
		if n := atParse(c.r.Scope); n != c.want {
			t.Errorf("%s: %d objects, want %d:\n%s", c.r.Name, n, c.want, text(t, c.r))
		}
		if n := strings.Join(c.r.Scope.Notes, "\n"); !strings.HasPrefix(n, c.note) || c.note == "" && n != "" {
			t.Errorf("%s: notes %q, want %q", c.r.Name, n, c.note)
		}
	}
	for _, x := range outer.Sites { // the own work of the others is not in it
		if strings.HasPrefix(x.UserFunction, ownPackage+".(*measurement)") || strings.HasPrefix(x.UserFunction, ownPackage+".apart") {
			t.Errorf("the work of another Measure: %+v", x)
		}
	}
	mustBeIdle(t)
}

// TestMeasureOwnBefore: goroutines from before do not count, whoever gives them
// work, and those left behind count until the function returns, in no Measure
// after that.
func TestMeasureOwnBefore(t *testing.T) {
	if !hooked() {
		return // TestHooked runs it with the hook
	}
	worker := func() (work chan int, done chan bool) {
		work, done = make(chan int), make(chan bool)
		go func() {
			for n := range work {
				_, _ = parse(n)
				done <- true
			}
		}()
		return work, done
	}
	work, done := worker()
	var laterWork chan int
	var laterDone chan bool
	measure := func(f func() (int, error)) int64 {
		return atParse(measureOwn(t, MeasureOptions{Label: "workers"}, f).Scope)
	}
	n := measure(func() (int, error) {
		work <- 1000
		<-done
		laterWork, laterDone = worker()
		laterWork <- 100
		<-laterDone
		return parse(10)
	})
	if n != 11+110 {
		t.Errorf("%d objects, want 121", n)
	}
	laterWork <- 1000
	<-laterDone
	for range 3 {
		n = measure(func() (int, error) {
			laterWork <- 1000
			<-laterDone
			return parse(10)
		})
		if n != 11 {
			t.Errorf("then %d objects, want 11", n)
		}
	}
	close(work)
	close(laterWork)
}

// TestMeasureOwnEnds: whichever way the function ends, its goroutine is as it
// was before.
func TestMeasureOwnEnds(t *testing.T) {
	if !hooked() {
		return // TestHooked runs it with the hook
	}
	fault := errors.New("a fault")
	outer := measureOwn(t, MeasureOptions{Label: "outer"}, func() (int, error) {
		func() {
			defer func() { _ = recover() }()
			_, _ = MeasureOptions{OwnGoroutines: true}.Measure(func() (int, error) { panic("a fault") })
		}()
		_, err := MeasureOptions{OwnGoroutines: true, Label: "list"}.Measure(func() (int, error) { _, _ = parse(100); return 0, fault })
		if want := "alloccount: list, after 1 call and 110 allocations: a fault"; err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
		return parse(1000)
	})
	if n := atParse(outer.Scope); n != 1210 {
		t.Errorf("%d objects, want 1210:\n%s", n, text(t, outer))
	}
	if id := hookOwner(hookOwnerOf, 0); id != 0 {
		t.Errorf("owner %d is left", id)
	}
	mustBeIdle(t)
}

// TestMeasureOwnMost: the counter has room for 64 windows at a time. A Measure
// that finds none is refused, and the others are right.
func TestMeasureOwnMost(t *testing.T) {
	if !hooked() {
		return // TestHooked runs it with the hook
	}
	for range 2 { // first with new windows, then with those of before
		const n = 70
		var group, begun sync.WaitGroup
		begun.Add(n)
		refused := make(chan error, n)
		for range n {
			group.Go(func() {
				begins := sync.OnceFunc(begun.Done)
				r, err := MeasureOptions{OwnGoroutines: true, Label: "most"}.Measure(func() (int, error) {
					begins()
					begun.Wait()
					return parse(10)
				})
				begins()
				if err != nil {
					refused <- err
					return
				}
				if got := atParse(r.Scope); got != 11 {
					t.Errorf("%d objects, want 11", got)
				}
			})
		}
		group.Wait()
		if len(refused) < n-64 || len(refused) > n-60 {
			t.Errorf("%d were refused", len(refused))
		}
		close(refused)
		for err := range refused {
			if !strings.Contains(err.Error(), "the counter can open no more windows") {
				t.Error(err)
			}
		}
	}
	mustBeIdle(t)
}

// TestMeasureOwnOften: many Measures leave nothing behind, and count the same.
func TestMeasureOwnOften(t *testing.T) {
	if !hooked() {
		return // TestHooked runs it with the hook
	}
	mustLeaveNothing(t, func(times int) {
		for range times {
			r := measureOwn(t, MeasureOptions{Label: "often", WarmUp: 1}, func() (int, error) { return spread(10) })
			if a, b := atParse(r.Scope), atParse(r.Scopes[1]); a != 66 || b != 66 {
				t.Fatalf("%d and %d objects, want 66:\n%s", a, b, text(t, r))
			}
		}
	})
}

// TestOwnScope: a report does not compare what some goroutines allocated with
// what the runtime counted of all.
func TestOwnScope(t *testing.T) {
	for _, open := range []bool{false, true} {
		c := testBinary()
		measured(c, counterfile.Window{Kind: counterfile.KindMeasure, Name: "request", Own: true, Open: open, Objects: 1_000_000, Iterations: 10},
			counterfile.Entry{Stack: stackOf(mallocgc, growslice, grow, benchmark), Size: 64, Objects: 20, Bytes: 1280})
		r := counted(t, c, ReportOptions{})
		s := r.Scopes[0]
		if !s.Own || s.Runtime != nil || s.Totals.Objects != 20 || s.Attributed != 0 {
			t.Errorf("open %v: scope %+v", open, s)
		}
		want := "attributed 20 allocations of its own goroutines; the runtime counts all of a process together"
		if open {
			want = "in the middle of the measure"
		}
		if out := text(t, r); !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("open %v: no %q in\n%s", open, want, out)
		}
	}
}
