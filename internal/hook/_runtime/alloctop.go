package runtime

// The counting hook of alloctop. Every function of the allocator calls
// alloctopCount, or alloctopFind and alloctopAdd, where it counts the object
// itself, with the m acquired, so that a stop of the world finds an object in
// both counts or in neither.
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
	alloctopTable
	used  uint64        // counters, numbered from 1
	id    uint32        // of the table's region
	pid   int32         // of the P
	stack alloctopStack // of the object at hand
	way   alloctopWay

	guesses [alloctopGuesses]uint8 // frames of a stack, by a hash of its leaf
}

const alloctopGuesses = 1 << 12

// alloctopTable is where counters are, and an index that finds them.
type alloctopTable struct {
	index uintptr // *[mask+1]alloctopEntry
	mask  uint64
	hot   uintptr // *[mask+1]alloctopHot, by number from 1, in the file
	cold  uintptr // *[mask+1]alloctopCold, behind it
}

// alloctopEntry says where the counter of a hash is: its number, and above it
// the upper bits of the hash. 0 is free. The index takes little room in the
// caches, and counters, numbered as they come up, lie beside those that are used
// together.
type alloctopEntry uint32

const alloctopNumberBits = 22 // of alloctopEntry, enough for alloctopMaxTable

func (e alloctopEntry) number() uint64 { return uint64(e) & (1<<alloctopNumberBits - 1) }
func (e alloctopEntry) hasTag(h uint64) bool {
	return uint32(e)>>alloctopNumberBits == uint32(h>>(32+alloctopNumberBits))
}

// alloctopHot is the counter of a hash.
type alloctopHot struct {
	hash  uint64 // of stack, size, type, segment and owner; 0 if free
	count uint64
}

// alloctopCold says what the counter of the same number counts.
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
//go:noinline
func alloctopCount(size uintptr, typ *_type, slot uintptr, skip int) {
	alloctopAdd(alloctopFindElsewhere(size, typ, skip+1), size, typ, slot)
}

// alloctopFind does the first half of what counting an object takes, as soon as
// its size and type are known: it hashes the stack and asks for the line of the
// index, which is in no near cache, often. It returns the counter's hash. Until
// alloctopAdd the m must not be released and nothing be allocated. The two
// innermost callers are the allocator's.
//
// The stack is a chain of loads that wait for each other, four cycles for a
// frame. A processor does not wait with them if it knows where the loop ends, so
// the number of frames is guessed: as many as at the last object of this type
// whose allocation began at the same place in the stack. A wrong frame pointer can
// neither fault nor loop, since they have to rise and to stay within the stack.
//
//go:noinline
//go:nosplit
func alloctopFind(size uintptr, typ *_type) uint64 {
	if !alloctop.on { // since the call of the copy, whose begin may have waited for the world to go on
		return alloctopOff
	}
	gp := getg()
	mp := gp.m
	pp := mp.p.ptr()
	if pp == nil || pp.alloctop == 0 || gp != mp.curg || mp.ncgo != 0 {
		return alloctopFindElsewhere(size, typ, 3)
	}
	t := (*alloctopP)(unsafe.Pointer(pp.alloctop))
	fp := sys.GetCallerSP() - 2*goarch.PtrSize // on amd64, which is the one that counts
	guess := &t.guesses[(fp>>4^uintptr(unsafe.Pointer(typ))>>5)%alloctopGuesses]
	most := int(*guess)
	fp = alloctopFrameAt(alloctopFrameAt(fp).fp).fp
	t.stack.fp = fp
	hi := gp.stack.hi - goarch.PtrSize
	h, n, next := uint64(0), 0, fp
	for {
		fp = next
		h = h*alloctopMul + alloctopFrameAt(fp).pc
		next = alloctopFrameAt(fp).fp
		n++
		if n >= most || next <= fp || next >= hi {
			break
		}
	}
	for next > fp && next < hi && n < alloctopDepth {
		fp = next
		h = h*alloctopMul + alloctopFrameAt(fp).pc
		next = alloctopFrameAt(fp).fp
		n++
	}
	t.stack.n = n
	if n != most {
		*guess = uint8(min(n, 255))
		if n == alloctopDepth {
			h = t.stack.cut()
		}
	}
	h = alloctopMix(h, alloctopKey(gp.alloctop, size, typ)) | 1
	sys.Prefetch(t.index + uintptr(h&t.mask)*unsafe.Sizeof(alloctopEntry(0)))
	return h
}

// alloctopFindElsewhere is alloctopFind for a first object, and on stacks that
// are not simply the goroutine's.
//
// From getfp on nothing may grow the stack, which would move it: what is called
// is nosplit or runs on g0.
//
//go:noinline
//go:nosplit
func alloctopFindElsewhere(size uintptr, typ *_type, skip int) uint64 {
	gp := getg()
	pp := gp.m.p.ptr()
	if pp == nil {
		return alloctopNone
	}
	t := (*alloctopP)(unsafe.Pointer(pp.alloctop))
	if t == nil {
		if t = alloctopTableOf(pp); t == nil {
			return alloctopNone
		}
	}
	var h uint64
	if gp.m.ncgo == 0 {
		fp := getfp()
		for ; skip > 0; skip-- {
			fp = alloctopFrameAt(fp).fp
		}
		h = t.stack.walk(gp, fp)
	} else { // C has no frame pointers that could be followed
		h = t.stack.unwind(gp, sys.GetCallerPC(), sys.GetCallerSP(), skip)
	}
	return alloctopMix(h, alloctopKey(alloctopOwnerOn(gp), size, typ)) | 1
}

// alloctopAdd counts the object for which alloctopFind returned h.
//
//go:noinline
//go:nosplit
func alloctopAdd(h uint64, size uintptr, typ *_type, slot uintptr) {
	if h&1 == 0 {
		if h == alloctopNone {
			alloctopMissed(slot)
		}
		return
	}
	if slot == 0 {
		h ^= alloctopShared
	}
	t := (*alloctopP)(unsafe.Pointer(getg().m.p.ptr().alloctop))
	for i := h; ; i++ {
		e := *(*alloctopEntry)(unsafe.Pointer(t.index + uintptr(i&t.mask)*unsafe.Sizeof(alloctopEntry(0))))
		if e.hasTag(h) {
			if hot := t.hotAt(e.number()); hot.hash == h {
				hot.count++
				return
			}
		}
		if e == 0 {
			break
		}
	}
	alloctopAddNew(t, h, size, typ, slot)
}

// alloctopAddNew counts an object whose counter is not there yet.
//
//go:noinline
//go:nosplit
func alloctopAddNew(t *alloctopP, h uint64, size uintptr, typ *_type, slot uintptr) {
	if hot := alloctopMiss(t, &alloctopNew{h, size, typ, slot}); hot != nil {
		hot.count++
	} else {
		alloctopMissed(slot)
	}
}

// What alloctopFind returns where there is no hash; a hash is odd.
const (
	alloctopOff  = 0 // nothing is to be counted
	alloctopNone = 2 // there is no table
)

// alloctopShared is the difference in hash between tiny objects that share a
// block and those that open one.
const alloctopShared = 1 << 63

// alloctopKey is the part of a counter's hash that is not the stack's.
func alloctopKey(owner uint16, size uintptr, typ *_type) uint64 {
	return uint64(size)*alloctopMul ^ uint64(uintptr(unsafe.Pointer(typ))) ^ uint64(alloctop.seg)<<32 ^ uint64(owner)*alloctopMul2
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
