package sizeclass

import "math"

const (
	tinySize   = 16    // size of a block of tiny objects, gc.TinySize
	headerSize = 8     // gc.MallocHeaderSize
	headerOver = 512   // gc.MinSizeForMallocHeader: above it, pointers need a header
	smallMax   = 32760 // maxSmallSize - gc.MallocHeaderSize: above it, an object has pages of its own
	pageSize   = 8192  // 1 << gc.PageShift
)

// Tiny reports whether the tiny allocator takes an object: it is pointer-free
// and smaller than 16 bytes, and not of no size, since nothing is allocated
// for that (runtime/malloc.go, mallocgc).
func Tiny(size int64, pointers bool) bool {
	return !pointers && size > 0 && size < tinySize
}

// Slot returns the bytes that the allocator takes for an object of the
// requested size, with or without pointers in it.
//
// An object with pointers above 512 bytes carries a header of 8 bytes in its
// slot. An object above 32760 bytes gets whole pages of 8192 bytes, without a
// header. For a tiny object it is the block of 16 bytes, which the object opens
// unless it finds room in one that is open: then it takes none (in a program
// built with -race, each opens its own). An object of no size takes none.
func Slot(size int64, pointers bool) int64 {
	switch {
	case size <= 0:
		return 0
	case Tiny(size, pointers):
		return tinySize
	case size > math.MaxInt64-pageSize:
		return size // as the runtime does: there is no such memory
	case size > smallMax:
		return (size + pageSize - 1) &^ (pageSize - 1)
	case pointers && size > headerOver:
		size += headerSize
	}
	return int64(Of(size))
}
