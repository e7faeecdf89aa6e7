package workbook

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
)

func TestThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for _, c := range []struct {
		opts         Options
		sheets, want int
	}{
		{Options{}, 8, 1},
		{Options{ParallelParseThreads: 4}, 8, 1},
		{Options{ParallelParse: true}, 8, 3},
		{Options{ParallelParse: true}, 2, 2},
		{Options{ParallelParse: true, ParallelParseThreads: 5}, 8, 5},
		{Options{ParallelParse: true, ParallelParseThreads: 5}, 2, 2},
	} {
		if got := c.opts.threads(c.sheets); got != c.want {
			t.Errorf("%+v, %d sheets: %d threads: want %d", c.opts, c.sheets, got, c.want)
		}
	}
}

func TestForEachDoesEachOnce(t *testing.T) {
	for _, threads := range []int{0, 1, 2, 7, 100} {
		for _, n := range []int{0, 1, 2, 50} {
			done := make([]atomic.Int32, n)
			if err := forEach(n, threads, func(i int) error { done[i].Add(1); return nil }); err != nil {
				t.Fatal(err)
			}
			for i := range done {
				if times := done[i].Load(); times != 1 {
					t.Errorf("%d threads: task %d of %d was done %d times", threads, i, n, times)
				}
			}
		}
	}
}

// TestForEachRunsAtOnce has tasks that wait for each other, so that it ends only if
// each has a thread.
func TestForEachRunsAtOnce(t *testing.T) {
	const n = 4
	var arrived atomic.Int32
	all := make(chan struct{})
	_ = forEach(n, n, func(int) error {
		if arrived.Add(1) == n {
			close(all)
		}
		<-all
		return nil
	})
}

// TestForEachIsAPlainLoop checks that one thread or one task starts no goroutine.
func TestForEachIsAPlainLoop(t *testing.T) {
	for _, c := range []struct{ n, threads int }{{1, 8}, {5, 1}, {5, 0}} {
		before := runtime.NumGoroutine()
		_ = forEach(c.n, c.threads, func(int) error {
			if now := runtime.NumGoroutine(); now > before {
				t.Errorf("%d tasks, %d threads: %d goroutines more", c.n, c.threads, now-before)
			}
			return nil
		})
	}
}

// TestForEachReportsTheFirstError has tasks 3 and up fail, in any order: the error
// is that of task 3, as a plain loop would report, and all have ended by then.
func TestForEachReportsTheFirstError(t *testing.T) {
	for range 500 {
		for _, threads := range []int{1, 2, 8} {
			var running atomic.Int32
			err := forEach(20, threads, func(i int) error {
				running.Add(1)
				defer running.Add(-1)
				runtime.Gosched()
				if i < 3 {
					return nil
				}
				return fmt.Errorf("task %d", i)
			})
			if err == nil || err.Error() != "task 3" {
				t.Fatalf("%d threads: %v", threads, err)
			}
			if running.Load() != 0 {
				t.Fatalf("%d threads: a task ran on after the error", threads)
			}
		}
	}
}

func TestPlainLoopStopsAtAnError(t *testing.T) {
	done := 0
	err := forEach(1000, 1, func(int) error { done++; return errors.New("no") })
	if err == nil || done != 1 {
		t.Errorf("%v after %d tasks: want an error after 1", err, done)
	}
}
