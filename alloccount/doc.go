// Package alloccount counts heap allocations: how many a piece of work takes,
// how large they are, and which lines of code make them.
//
//	report, err := alloccount.Measure(func() (records int, err error) {
//		return parse(data)
//	})
//	if err != nil {
//		return err
//	}
//	return report.WriteText(os.Stderr, alloccount.TextOptions{})
//
// A parser that takes 20 allocations per record, most of them of 32 bytes or
// less, spends its time in the allocator and in garbage collection, and more
// threads make it hardly faster. Mostly few lines are to blame. Go's benchmarks
// say how many allocations there are and not where, and its heap profile says
// where and not how many: at its default rate it is a sample, and at rate 1 it
// lacks most objects below 16 bytes, which are the ones to look for.
//
// # Entry points
//
//   - [Measure], with [MeasureOptions], counts a function: in a program, in a
//     test, in a benchmark.
//   - [PerRecord] is for a test that holds a limit.
//   - [Benchmark] reports allocations per record, for benchstat.
//   - [NewReport] makes the report of any profile of allocations: one of
//     alloctop, or of runtime/pprof, read by [ReadProfile].
//   - [Report] is the result: totals, size classes, lines. WriteText prints it,
//     WriteJSON and [ReadReport] are its JSON form, and Profile is what every
//     pprof tool opens.
//
// # Two engines
//
// In a program that alloctop built, as by
//
//	alloctop -- go test ./...
//	alloctop -- go run ./cmd/server
//
// the runtime has a counting hook, and Measure opens it for a while: each
// object is counted where it is allocated, with its call path, requested size
// and type. [Report.Engine] is [Exact]. The hook is for linux/amd64 with Go
// 1.26 and 1.27.
//
// In any other program Measure asks the runtime (Engine is [Sampled]). The
// totals and the size classes are exact, from its own counters. Lines are from
// its heap profile at rate 1, switched on while the function runs. It
// does not record a tiny object (pointer-free, below 16 bytes) that shares a
// block with others: those are a site without a file, Scope.Unplaced says how
// many they are, and the text form which part has a line. A block is
// charged to the line that opened it, so of lines that make tiny objects in turn
// one may be shown for the other. Sizes are those of slots.
//
// # What is counted
//
// An allocation is an object on the heap: new, make, a literal or variable that
// escapes, a string or slice that is made or grows, boxing into an interface,
// a closure, a map's parts, a channel, a goroutine's descriptor. Whether and
// how an expression allocates depends on the compiler's decisions.
//
// Objects are counted by number, and by two sizes: bytes are those of the slots
// that the allocator took, as runtime.MemStats.TotalAlloc counts them; requested
// bytes are what the program asked for. A tiny object that shares a block takes
// no bytes; the one that opened it takes 16. A size class is by requested
// size: the smallest slot of Go that the object fits in.
//
// Freed objects are counted like others: this is about work, not about
// what is in use.
//
// Not counted, because the allocator does not count it either:
//
//   - stacks of goroutines, and their growth;
//   - what C allocates, and memory from mmap or package syscall;
//   - objects of no size, strings of one byte, boxed values below 256 and zero
//     values, which share static memory;
//   - an arena (GOEXPERIMENT=arenas) is counted by its chunks, not by its objects;
//   - what the runtime keeps for itself outside of the heap.
//
// Counts are those of the whole process between the begin and the end of the
// function: goroutines that it starts are in them, and so is whatever else the
// program does meanwhile, even the runtime, which may need an object of its own
// for a thread. What Measure allocates itself is not: a function that
// allocates nothing measures 0.
//
// # Records
//
// The function returns how many records it worked on, be they rows, cells or
// requests, and the report divides by them. With 0 it has totals only.
//
// # What it costs
//
// With the hook, opening and closing the window stops the world for some
// microseconds, the function takes 1.0 to 2 times as long, and the report takes
// a millisecond, and 20 microseconds more for each call path.
//
// In a plain build the function takes 10 to 60 times as long, since the
// profiler looks at each object, and runtime.GC runs before and after. That
// empties pools: ask for MeasureOptions.WarmUp to see the steady state. For the
// time that the function takes without a profiler there is
// MeasureOptions.Timed.
//
// [PerRecord] and [Benchmark] do not profile what they count: a reading of the
// runtime's counters stops the world for some microseconds before and after.
//
// A program that imports this package and calls nothing pays nothing at its
// start. It does link the heap profiler, so that the runtime samples with its
// default rate unless the program sets runtime.MemProfileRate to 0.
//
// # Times
//
// [Cost] has what a Measure took beside allocations. Wall and processor time
// are the process's; divided, they say how many threads were busy. Garbage
// collection is what the runtime estimates, and that moves only at the end of a
// cycle, so of a function in which no cycle ends nothing is known, and
// the first cycle brings something of before. Waiting for locks is
// extrapolated from one lock in eight. The peak of the heap is the largest that
// was seen: before and after, and with Timed every millisecond between.
//
// # Concurrency
//
// All functions may be called from several goroutines. A Measure that f calls is
// part of what f does: its allocations are in the outer counts, its own work is
// not, and the outer report says so in its notes. Of two Measures in different
// goroutines at the same time each counts what the other's function allocates, and
// says so; in a plain build also what the other one's own work takes.
//
// In a program that alloctop built, MeasureOptions.OwnGoroutines counts the
// calling goroutine and those that are started inside, to the object, whatever
// others do meanwhile. A goroutine that existed before is not in the counts, nor
// is the callback of a timer, a finalizer or a cleanup, or what the runtime's
// own goroutines make, as those of garbage collection. What a Measure counts that
// is called inside, by any of these goroutines, is in the outer counts, too. For
// all this the counters are read after each call of f, which takes a millisecond
// or more.
//
// PerRecord counts so of itself, and tests may run in parallel. In a plain
// build it refuses them: their allocations cannot be told apart. A Measure in
// the loop of a benchmark is right, but its own work is in what the benchmark
// itself reports: use [Benchmark] there.
//
// While Measures run in a plain build, they set runtime.MemProfileRate, and put
// it back when the last has ended. A heap profile that the program writes itself
// then mixes two rates, and scales what was measured to too much. Do not change
// the rate, and do not take profiles of another kind for the same work,
// meanwhile.
//
// A report belongs to the caller; nothing in this package keeps it.
package alloccount
