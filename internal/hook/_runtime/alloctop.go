package runtime

// The counting hook of alloctop. Every function of the allocator calls
// alloctopCount where it counts the object itself, with the m acquired, so
// that a stop of the world finds an object in both counts or in neither.
//
// alloctop.go and alloctop_walk.go are the hot path; alloctop_table.go makes
// what it did not find; alloctop_file.go is the file that holds the counters
// and outlives the process; alloctop_window.go counts pieces of time apart;
// alloctop_life.go starts it and notes how the process ends.
//
// Nothing here allocates on the heap, and no pointer to the heap is kept:
// memory is mapped apart and held by uintptr, so that there is no write
// barrier and the runtime's statistics do not know of it.

import (
	"internal/goarch"
	"internal/runtime/sys"
	"unsafe"
)

const (
	alloctopMul    = 0x9E3779B97F4A7C15 // 2^64 / golden ratio
	alloctopMul2   = 0xC2B2AE3D27D4EB4F // any other odd number
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

// alloctopP is what one P needs. It is made at the P's first allocation and
// never freed, as the P itself. Only the P uses it, with preemption disabled.
type alloctopP struct {
	hot  uintptr // *[mask+1]alloctopHot, in the file
	cold uintptr // *[mask+1]alloctopCold, behind it
	mask uint64
	used uint64
	id   uint32 // of the table's region
	pid  int32  // of the P
	walk alloctopWalk
}

// alloctopHot is all that counting one more object touches.
type alloctopHot struct {
	hash  uint64 // of stack, size, type, segment and owner; 0 if free
	count uint64
}

// alloctopCold says what is counted in the slot of the same number.
type alloctopCold struct {
	size  uint64 // requested
	slot  uint64 // bytes of one object as MemStats.TotalAlloc counts them, 0 for tiny ones that share a block
	stack uint32 // node of the call tree
	typ   uint32 // string
	seg   uint32
	flags uint32 // alloctopTiny
}

const alloctopTiny = 1

// alloctopCount counts one object: requested size, its type, and the bytes of
// its slot, 0 for a tiny object that shares a block. The first skip callers
// are the allocator's own.
//
// From getfp on nothing may grow the stack, which would move it: what is called
// is nosplit or runs on g0.
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
		if t = alloctopTableOf(pp); t == nil {
			alloctopMissed(slot)
			return
		}
	}
	if gp.m.ncgo > 0 { // C has no frame pointers that could be followed
		key := alloctopKey(gp, size, typ, slot)
		h := alloctopMix(key, t.walk.unwind(gp, sys.GetCallerPC(), sys.GetCallerSP(), skip)) | 1
		t.count(h, &alloctopNew{hash: h, key: key, far: true, size: size, typ: typ, slot: slot})
		return
	}
	fp := getfp()
	for ; skip > 0; skip-- {
		fp = *(*uintptr)(unsafe.Pointer(fp))
	}

	// Walk the frame pointers within the bounds of the stack, upwards only, so
	// that a wrong one can neither fault nor loop. What is deep is mostly what
	// it was the last time: alloctopWalk knows.
	key := alloctopKey(gp, size, typ, slot)
	h, first, depth, far := key, fp, 0, false
	lo, hi := gp.stack.lo, gp.stack.hi-goarch.PtrSize
	for {
		if fp <= lo || fp >= hi {
			if gp == gp.m.curg || !alloctopUser(gp, fp, hi) {
				h = alloctopMix(h, 0)
				break
			}
			lo, hi = gp.m.curg.stack.lo, gp.m.curg.stack.hi-goarch.PtrSize
		}
		if depth == alloctopNear {
			h, far = t.hash(h, lo, hi, gp, fp), true
			break
		}
		pc := *(*uintptr)(unsafe.Pointer(fp + goarch.PtrSize))
		if pc == 0 {
			h = alloctopMix(h, 0)
			break
		}
		h = (h<<9 | h>>55) ^ uint64(pc)*alloctopMul
		depth++
		lo = fp
		fp = *(*uintptr)(unsafe.Pointer(fp))
	}

	h |= 1
	i := h & t.mask
	hot := (*alloctopHot)(unsafe.Pointer(t.hot + uintptr(i)*unsafe.Sizeof(alloctopHot{})))
	for hot.hash != h {
		if hot.hash == 0 {
			if hot = alloctopMiss(t, &alloctopNew{h, key, first, depth, far, size, typ, slot}); hot == nil {
				alloctopMissed(slot)
				return
			}
			break
		}
		i = (i + 1) & t.mask
		hot = (*alloctopHot)(unsafe.Pointer(t.hot + uintptr(i)*unsafe.Sizeof(alloctopHot{})))
	}
	hot.count++
}

// count is the end of alloctopCount for an object whose stack was not walked
// there.
//
//go:nosplit
func (t *alloctopP) count(h uint64, o *alloctopNew) {
	hot, _ := t.find(h)
	if hot.hash != h {
		if hot = alloctopMiss(t, o); hot == nil {
			alloctopMissed(o.slot)
			return
		}
	}
	hot.count++
}

// alloctopKey is what a counter's hash begins with: all but the stack.
func alloctopKey(gp *g, size uintptr, typ *_type, slot uintptr) uint64 {
	return (uint64(size)^uint64(slot)<<44)*alloctopMul ^ uint64(uintptr(unsafe.Pointer(typ))) ^ uint64(alloctop.seg)<<32 ^ uint64(alloctopOwnerOn(gp))*alloctopMul2
}

// alloctopUser reports whether the chain of frame pointers has left the stack
// of g0 or gsignal, which ends at hi, for that of the user's goroutine.
//
//go:nosplit
func alloctopUser(gp *g, fp, hi uintptr) bool {
	curg := gp.m.curg
	return curg != nil && hi == gp.stack.hi-goarch.PtrSize && fp > curg.stack.lo && fp < curg.stack.hi-goarch.PtrSize
}

func alloctopMix(h, v uint64) uint64 {
	h = (h ^ v) * alloctopMul
	return h ^ h>>29
}
