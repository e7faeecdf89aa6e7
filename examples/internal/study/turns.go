package study

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/alloctop/alloctop/internal/procstat"
)

// A Job is one way to do some work.
type Job struct {
	Name string
	Do   func() error
}

// A Run is what doing a job once took.
type Run struct {
	Wall, CPU time.Duration // CPU is user and system time of all threads, 0 if unknown
	GCs       int64         // cycles that ended
	Objects   int64         // allocated
	Bytes     int64         // allocated, as slots
}

// Rounds says how often jobs are done.
type Rounds struct {
	Most   int
	Within time.Duration // no more rounds than fit into it, but 3; 0 is no limit
}

// fewest is how many rounds there are, however long they take.
const fewest = 3

// Turns does all jobs in turn, in rounds, after one round that is not timed. The
// speed of a machine drifts, so a job is best compared with another of the same
// round: result[job][round]. Every second round goes backwards, since what ran
// before matters, too.
func Turns(ctx context.Context, n Rounds, jobs []Job) ([][]Run, error) {
	runs := make([][]Run, len(jobs))
	start := time.Now()
	for round := -1; round < n.Most && !n.full(round+1, time.Since(start)); round++ {
		for i := range jobs {
			if round%2 != 0 {
				i = len(jobs) - 1 - i
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			run, err := once(jobs[i].Do)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", jobs[i].Name, err)
			}
			if round >= 0 {
				runs[i] = append(runs[i], run)
			}
		}
	}
	return runs, nil
}

// full reports whether another round would not fit, after so many in this time.
func (n Rounds) full(done int, took time.Duration) bool {
	return n.Within > 0 && done > fewest && took+took/time.Duration(done) > n.Within
}

// once does a job, with nothing left to collect of the job before.
func once(do func() error) (Run, error) {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu, start := procstat.CPU(), time.Now()
	err := do()
	run := Run{Wall: time.Since(start), CPU: procstat.CPU() - cpu}
	runtime.ReadMemStats(&after)
	run.GCs = int64(after.NumGC - before.NumGC)
	run.Objects = int64(after.Mallocs - before.Mallocs)
	run.Bytes = int64(after.TotalAlloc - before.TotalAlloc)
	return run, err
}

// Median returns the median of what f says of the runs.
func Median(runs []Run, f func(Run) float64) float64 {
	values := make([]float64, len(runs))
	for i, r := range runs {
		values[i] = f(r)
	}
	return median(values)
}

// Seconds is the time of a run by the clock.
func Seconds(r Run) float64 { return r.Wall.Seconds() }

// CPUSeconds is the time that the threads of a run were busy, together.
func CPUSeconds(r Run) float64 { return r.CPU.Seconds() }

// Busy is how many threads of a run were busy on average, 0 if unknown.
func Busy(r Run) float64 { return r.CPU.Seconds() / r.Wall.Seconds() }

// Crowded says if other work was on the machine: runs had wanted one thread at least,
// all the time. It is "" if they had it.
func Crowded(runs []Run) string {
	busy := Median(runs, Busy)
	if busy == 0 || busy > 0.9 {
		return ""
	}
	return fmt.Sprintf(" The machine had other work meanwhile, and gave %.0f %% of the one thread that was asked for: do not trust the times, run it again.", busy*100)
}

// SpeedUp returns how many times as fast as base a job is: the median of the
// ratios of each round.
func SpeedUp(base, job []Run) float64 {
	ratios := make([]float64, len(job))
	for i := range job {
		ratios[i] = base[i].Wall.Seconds() / job[i].Wall.Seconds()
	}
	return median(ratios)
}

// median sorts values.
func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	if n%2 == 1 {
		return values[n/2]
	}
	return (values[n/2-1] + values[n/2]) / 2
}

// Threads are the numbers of threads that are worth a try for up to most tasks:
// powers of two, and all that the machine has.
func Threads(most int) []int {
	most = min(most, runtime.GOMAXPROCS(0))
	var threads []int
	for n := 1; n < most; n *= 2 {
		threads = append(threads, n)
	}
	return append(threads, max(most, 1))
}
