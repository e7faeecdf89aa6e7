package alloccount

import (
	"context"

	"github.com/alloctop/alloctop/sizeclass"
)

// Measure calls f once and reports what was allocated meanwhile, per record if
// f says how many records it worked on, and 0 if not.
//
// The counts are those of the whole process, as for [testing.AllocsPerRun]:
// what other goroutines allocate meanwhile is in them. What Measure itself
// allocates is not.
//
// If f returns an error, Measure returns it wrapped, with the report of what
// was counted up to then. A panic of f passes through.
func Measure(f func() (records int, err error)) (*Report, error) {
	return measure(MeasureOptions{}, f)
}

// MeasureOptions say how to measure. The zero value is what [Measure] does.
type MeasureOptions struct {
	// Label names the scope in the report. "" is the file and line of the call.
	Label string

	// WarmUp is how many times to call f before it is measured, to fill caches
	// and pools. What they allocate is a scope of its own, the second of the
	// report: its name ends in "/first", that of the calls that follow in
	// "/steady".
	WarmUp int

	// Runs is how many times to call f and count; 0 is once. With several runs
	// the counts are sums, and Scope.Runs says how the runs differ.
	Runs int

	// Context ends the Measure: it is looked at before each call of f. Measure
	// then returns its error, wrapped, and the report of the calls before. nil
	// never does.
	Context context.Context

	// Timed calls f as often again with nothing counted, for Scope.Cost. In a
	// plain build there is no Cost without it, since the profiler that finds
	// the lines makes f many times slower.
	Timed bool

	// OwnGoroutines counts only what the calling goroutine allocates and those
	// that are started inside, by it or by one of them. Tests that run in
	// parallel, or requests of a server, can so be measured at the same time.
	// Those that were started before, as the workers of a pool, are not in the
	// counts, whatever they do for f, and neither are the runtime's own. One that
	// f leaves behind is counted until the last call of f returns.
	//
	// The runtime cannot tell goroutines apart, so that Scope.Runtime is nil:
	// there is no second count to compare with. Scope.Cost is the process's.
	//
	// It takes a program that alloctop built. In any other one Measure does
	// not call f and returns an error that wraps [errors.ErrUnsupported].
	OwnGoroutines bool

	// DropPaths lets the report do without the call paths, so that
	// Report.Profile is nil. It takes less memory; the lines stay.
	DropPaths bool

	// Sizes are thresholds for a coarse table of sizes, Scope.SizeSteps. Each
	// has to be the bound of a size class of Go.
	Sizes []sizeclass.Bound
}

// Measure is [Measure] with options.
func (o MeasureOptions) Measure(f func() (records int, err error)) (*Report, error) {
	return measure(o, f)
}

// measure does the work. What it allocates itself must not be in the counts of
// a Measure that f of another Measure has called: it happens apart.
func measure(o MeasureOptions, f func() (int, error)) (report *Report, err error) {
	outer := enclosing()
	outer.suspend()
	defer outer.resume()
	var m *measurement
	apart(func() { m, err = o.begin(outer) })
	if err != nil {
		return nil, err
	}
	defer func() { apart(m.leave) }()
	err = m.callAll(f)
	apart(func() { report, err = m.finish(err) })
	return report, err
}

// apart calls f, which belongs to the measuring. Its frame in the stack of an
// allocation tells that the allocation is not the measured function's.
//
//go:noinline
func apart(f func()) { f() }

// atEdge calls f, which begins or ends the counting. It stops the world. For
// that the runtime may have to wait for garbage collection, with an object in
// the queue (runtime/sema.go, semacquire1), and when the world starts again it
// may make threads (runtime/proc.go, startTheWorldWithSema). The frame tells
// such objects, which are the first or the last in the counts and must not be
// there.
//
//go:noinline
func atEdge(f func()) { f() }

// call calls the measured function. Its frame in a stack tells that an
// allocation is the measured function's.
//
//go:noinline
func call(f func() (int, error)) (int, error) { return f() }

// callFirst is call for warming up.
//
//go:noinline
func callFirst(f func() (int, error)) (int, error) { return f() }
