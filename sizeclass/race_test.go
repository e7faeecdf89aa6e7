//go:build race

package sizeclass_test

// With the race detector, tiny objects do not share blocks (runtime/malloc.go,
// mallocgcTiny).
const race = true
