package runtime

import (
	"internal/goarch"
	"unsafe"
)

const (
	alloctopNear  = 10  // return addresses at the leaf that are always walked
	alloctopDepth = 502 // of the longest stack kept whole, behind those
	alloctopCut   = 118 // kept of a longer one
)

// alloctopWalk is the far part of the stack that the P walked last, root
// first.
//
// The next stack mostly has the same callers. To walk it is a chain of loads
// that wait for each other; to see that the old frames still lie where they
// lay, each with the same link and return address, is a row of loads that do
// not. What is intact is not walked again. The hash goes from the root to the
// leaf, so that of the intact part is known.
type alloctopWalk struct {
	lo, hi uintptr // bounds of the goroutine's stack; 0 if nothing may be taken from here
	link   uintptr // the root's saved frame pointer
	n      int
	frame  [alloctopDepth]alloctopFrame
	sum    [alloctopDepth]uint64 // hash of the frames up to here
	node   [alloctopDepth]uint32 // of the call tree, 0 if not yet known
	fresh  [alloctopDepth]alloctopFrame
}

type alloctopFrame struct{ fp, pc uintptr }

const alloctopSeed = 0x8BADF00D5EED5EED

// hash walks the frame pointers from fp, in the stack with the bounds lo and hi
// of which the part above lo is not yet walked, and returns the hash of the
// return addresses.
//
//go:nosplit
func (w *alloctopWalk) hash(lo, hi uintptr, gp *g, fp uintptr) uint64 {
	intact := 0
	if w.lo == gp.stack.lo && w.hi == hi {
		intact = w.intact()
	}
	k := 0
	for {
		for intact > 0 && w.frame[intact-1].fp < fp {
			intact--
		}
		if intact > 0 && w.frame[intact-1].fp == fp {
			break
		}
		if fp <= lo || fp >= hi {
			if gp == gp.m.curg || !alloctopUser(gp, fp, hi) {
				intact, w.link = 0, fp
				break
			}
			lo, hi = gp.m.curg.stack.lo, gp.m.curg.stack.hi-goarch.PtrSize
		}
		pc := *(*uintptr)(unsafe.Pointer(fp + goarch.PtrSize))
		if pc == 0 || k == alloctopDepth {
			intact, w.link = 0, fp
			break
		}
		w.fresh[k] = alloctopFrame{fp, pc}
		k++
		lo = fp
		fp = *(*uintptr)(unsafe.Pointer(fp))
	}
	if w.lo, w.hi = gp.stack.lo, hi; gp != gp.m.curg {
		w.lo = 0 // two stacks: the bounds of one say nothing
	}
	if intact+k >= alloctopDepth {
		k = w.cut(intact, k)
		intact = 0
	}
	return w.push(intact, k)
}

// unwind walks by the tables, which takes longer and goes through C, and returns
// the hash of the return addresses beyond the first skip. What it finds is not
// for the next walk.
//
//go:nosplit
func (w *alloctopWalk) unwind(gp *g, pc, sp uintptr, skip int) uint64 {
	k := 0
	systemstack(func() {
		var u unwinder
		u.initAt(pc, sp, 0, gp, unwindSilentErrors|unwindJumpStack)
		for ; u.valid() && k < alloctopDepth; u.next() {
			if skip > 0 {
				skip--
				continue
			}
			w.fresh[k] = alloctopFrame{pc: u.symPC() + 1}
			k++
		}
	})
	w.lo = 0
	if k == alloctopDepth {
		k = alloctopCut
	}
	return w.push(0, k)
}

// intact returns how many frames from the root on lie as they lay.
//
//go:nosplit
func (w *alloctopWalk) intact() int {
	link, n := w.link, w.n
	for i := 0; i < n; i++ {
		f := (*alloctopFrame)(unsafe.Pointer(uintptr(unsafe.Pointer(&w.frame)) + uintptr(i)*unsafe.Sizeof(alloctopFrame{})))
		if *(*uintptr)(unsafe.Pointer(f.fp)) != link || *(*uintptr)(unsafe.Pointer(f.fp + goarch.PtrSize)) != f.pc {
			return i
		}
		link = f.fp
	}
	return n
}

// push puts the fresh frames on those that are intact.
//
//go:nosplit
func (w *alloctopWalk) push(n, fresh int) uint64 {
	h := uint64(alloctopSeed)
	if n > 0 {
		h = w.sum[n-1]
	}
	for fresh--; fresh >= 0; fresh-- {
		h = alloctopMix(h, uint64(w.fresh[fresh].pc))
		w.frame[n], w.sum[n], w.node[n] = w.fresh[fresh], h, 0
		n++
	}
	w.n = n
	return h
}

// cut keeps the leaf frames of a stack that is too deep, and nothing for the
// next walk: what was cut off is not known to be intact.
//
//go:nosplit
func (w *alloctopWalk) cut(intact, fresh int) int {
	for ; fresh < alloctopCut; fresh++ {
		intact--
		w.fresh[fresh] = w.frame[intact]
	}
	w.lo = 0
	return alloctopCut
}
