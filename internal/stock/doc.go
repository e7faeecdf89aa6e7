// Package stock counts with the runtime's own heap profile, for Go trees that
// the counting hook does not fit. Of a test that ran with the profile at rate
// 1 it knows every allocation with its line except for most tiny objects
// (pointer-free, below 16 bytes), and how many those are: package testing,
// with one statement laid over it by [Overlay], leaves the runtime's own
// totals beside the profile.
package stock
