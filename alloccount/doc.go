// Package alloccount counts heap allocations: the profile of a run, the report
// made from it, and its text, JSON and pprof forms.
//
// The working form of all data is a pprof profile. [FromCounters] makes it from
// what the counting hook left behind, [FromHeaps] from the runtime's own heap
// profiles, and [ReadProfile] from a file, whoever wrote it. A profile that
// this package writes holds, beside its samples, one comment of JSON with what
// is known of the run, so that a report made from the file equals the report
// of the run.
//
// [NewReport] adds up a profile: one [Scope] for each benchmark, test, Measure
// or process, in it one [Site] for each line that allocates and each cause, by
// size class and type. Objects are heap allocations; Bytes are those of the
// slots that the allocator gave, as runtime.MemStats counts them; Requested
// bytes are those that the program asked for.
//
// With the [Exact] engine every allocation is counted, and the report says so
// beside the runtime's own count. With the [Sampled] engine the runtime's heap
// profile is what there is: most objects below 16 bytes without pointers are
// missing from it, and the report says which part it knows.
//
// The functions of this package may be called from several goroutines at once,
// as long as they are given different values.
package alloccount
