// Package alloccount counts heap allocations: the profile of a window, the
// report made from it, and its text, JSON and pprof forms.
package alloccount
