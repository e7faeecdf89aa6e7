// Package sweep runs benchmarks under a grid of settings (threads, memory
// settings, experiments) and says what the settings do.
//
// The test binaries are built once for each experiment, by the user's own go
// test command, and kept ([Build], [Keep]). Each measurement is one process that
// runs one benchmark, so that what the system says of the process is of that
// benchmark. [Plan.Measure] goes round the cells of the grid turn by turn, so
// that what drifts on the machine hits all alike, and can be interrupted and
// resumed by a [State]. [Analyze] makes the [Result] of what was measured, with
// what it comes to in words.
//
// Counting allocations is left to the caller, who hands the [Counts] in.
package sweep
