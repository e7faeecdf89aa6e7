package runtime

// The counting hook of alloctop. Every function of the allocator calls
// alloctopCount where it counts the object itself, with the m acquired, so
// that a stop of the world finds an object in both counts or in neither.
//
// alloctop.go is the hot path; alloctop_table.go makes what it did not find;
// alloctop_file.go is the file that holds the counters and outlives the
// process; alloctop_window.go counts pieces of time apart; alloctop_life.go
// starts it and notes how the process ends.
//
// Nothing here allocates on the heap, and no pointer to the heap is kept:
// memory is mapped apart and held by uintptr, so that there is no write
// barrier and the runtime's statistics do not know of it.

import (
	"internal/goarch"
	"unsafe"
)

const (
	alloctopDepth  = 128                // return addresses kept, counted from the leaf
	alloctopMul    = 0x9E3779B97F4A7C15 // 2^64 / golden ratio
	alloctopMarker = "alloctop counting hook 1"
)

// Read by every allocation and written rarely: alone on its cache lines.
var alloctop struct {
	_    [64]byte
	on   bool
	full bool   // the file can grow no more: fold new stacks
	seg  uint32 // current segment; changes only while the world is stopped
	_    [64]byte
}

// alloctopCounter is one counter, in the file. Only the owning P writes it,
// and only with preemption disabled.
type alloctopCounter struct {
	hash  uint64 // of stack, size, type and segment
	count uint64
	bytes uint64 // slots, as MemStats.TotalAlloc counts them
	size  uint64 // requested
	stack uint32 // node of the call tree; written last, never 0 in a valid counter
	typ   uint32 // string
	seg   uint32
	flags uint32 // alloctopTiny
}

const alloctopTiny = 1

// alloctopP is what one P needs. It is made at the P's first allocation and
// never freed, as the P itself.
type alloctopP struct {
	index     uintptr // *[mask+1]uint64: high half of a hash, then the counter's file offset divided by 8
	mask      uint64
	used      uint64
	next, end uintptr // unused part of the current region of counters
	rest      uintptr // *alloctopCounter of what fits nowhere
	path      alloctopPath
}

// alloctopCount counts one object: requested size, its type, and the bytes of
// its slot, 0 for a tiny object that shares a block. The first skip callers
// are the allocator's own.
//
//go:noinline
func alloctopCount(size uintptr, typ *_type, slot uintptr, skip int) {
	gp := getg()
	pp := gp.m.p.ptr()
	if pp == nil {
		alloctopMissed(slot)
		return
	}
	t := (*alloctopP)(unsafe.Pointer(pp.alloctop))
	if t == nil {
		systemstack(func() { t = alloctopNewP(pp) })
		if t == nil {
			alloctopMissed(slot)
			return
		}
	}
	fp := getfp()
	for ; skip >= 0; skip-- {
		fp = *(*uintptr)(unsafe.Pointer(fp))
	}

	// Walk the frame pointers within the bounds of the stack, upwards only, so
	// that a wrong one can neither fault nor loop. From g0 the chain goes on in
	// the stack of the user's goroutine.
	key := (uint64(size)<<32^uint64(alloctop.seg))*alloctopMul ^ uint64(uintptr(unsafe.Pointer(typ)))
	h := key
	first := fp
	depth := 0
	lo, hi := gp.stack.lo, gp.stack.hi-goarch.PtrSize
	for depth < alloctopDepth {
		if fp <= lo || fp >= hi {
			curg := gp.m.curg
			if curg == nil || lo == curg.stack.lo || fp <= curg.stack.lo || fp >= curg.stack.hi-goarch.PtrSize {
				break
			}
			lo, hi = curg.stack.lo, curg.stack.hi-goarch.PtrSize
		}
		pc := *(*uintptr)(unsafe.Pointer(fp + goarch.PtrSize))
		if pc == 0 {
			break
		}
		h = (h ^ uint64(pc)) * alloctopMul
		h ^= h >> 29
		depth++
		lo = fp
		fp = *(*uintptr)(unsafe.Pointer(fp))
	}

	c := t.find(h)
	if c == nil {
		systemstack(func() { c = t.miss(h, key, first, depth, size, typ) })
	}
	c.count++
	c.bytes += uint64(slot)
}

// find returns the counter of a hash: 64 bits stand for stack, size, type and
// segment.
func (t *alloctopP) find(h uint64) *alloctopCounter {
	for i := h & t.mask; ; i = (i + 1) & t.mask {
		s := *(*uint64)(unsafe.Pointer(t.index + uintptr(i)*8))
		if s == 0 {
			return nil
		}
		if s>>32 == h>>32 {
			c := (*alloctopCounter)(unsafe.Pointer(alloctopFile.base + uintptr(s&(1<<32-1))*8))
			if c.hash == h {
				return c
			}
		}
	}
}
