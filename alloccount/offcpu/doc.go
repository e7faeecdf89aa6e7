// Package offcpu says where the goroutines of a piece of work spend their time:
// on a processor, in the operating system, or asleep, and for what. It is the
// other half of a report of allocations: "8 workers, 1.3 busy, the rest waiting
// for the lock in pool.go:41".
//
//	p, err := offcpu.Measure(ctx, func(ctx context.Context) error { return work(ctx) })
//	…
//	s, err := offcpu.Summarize(p)
//	fmt.Println(s.Finding())
//
// The samples are those of package fgprof: 99 times a second the stacks of all
// goroutines, running or not. That stops the world each time, so it is not done
// while allocations are counted; let the same function run once for each.
// The package is apart from alloccount because fgprof links net/http.
//
// # Units
//
// Everything is counted in samples, one for each goroutine each time. Divided
// by [Summary.Samples] that is how many goroutines there were on average, and
// times [Summary.Seconds] it is the time of all goroutines together.
//
// # On a processor or waiting
//
// What a goroutine does is read off its leaf frames, as the scheduler left them
// (runtime/proc.go, runtime/sema.go, runtime/chan.go, Go 1.26):
//
//   - One that has parked itself (runtime.gopark) waits, and the frames above
//     say for what: a lock, a channel, a timer, the network.
//   - One that left Go for the operating system or for C (a system call,
//     runtime.cgocall) is [System]: the runtime does not know whether a
//     processor is at work for it. Reading a file is mostly waiting, writing to
//     the page cache mostly is not.
//   - Any other is [CPU]: it runs, or it is ready to and waits for a processor.
//     The two cannot be told apart. How many processors were busy is known from
//     the processor time of the process, which Measure takes: with 8 goroutines
//     ready and 2.0 busy there are too few processors, not too many locks.
//
// # Caveats
//
// A goroutine that was woken and has not begun to run still looks asleep. What
// takes less than the 10 ms between two samples is seen in proportion only if it
// happens often: a mean over few samples is a guess. Samples are taken when a
// timer goes off, so what another timer set to work at that moment is seen more
// often than it is there; hold it against the busy processors. The stop of the
// world comes when all goroutines are at a safe point, so within a function the
// line can be a near one. A stack is cut to its 32 innermost calls, as
// runtime.GoroutineProfile gives them, so that of deep recursion the first
// function of the goroutine is not known. The runtime's own goroutines, which
// collect garbage, are in no sample; the processor time has their work.
package offcpu
