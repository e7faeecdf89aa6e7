// Package sizeclass knows the size classes of Go's allocator: which class
// holds an object, how large a slot it takes, how objects spread over the
// classes, and what is lost between what was asked for and what was taken.
//
// Two sizes of one object must be told apart. The requested size is what the
// program asked for: the size of the type, the length of the string. The slot
// is what the allocator hands out and what MemStats.TotalAlloc counts. A class
// in a [Histogram] is a class of requested sizes, so that a 3-byte string is
// in class 8 although its slot is a 16-byte block shared with others.
//
// The figures are those of 64-bit systems, and hold for Go 1.26 and 1.27
// (internal/runtime/gc/sizeclasses.go, runtime/malloc.go, runtime/msize.go).
// All sizes are bytes. Nothing here is safe for concurrent writes.
package sizeclass
