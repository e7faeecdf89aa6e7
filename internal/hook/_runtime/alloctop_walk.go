package runtime

import (
	"internal/goarch"
	"internal/runtime/sys"
	"unsafe"
)

const (
	alloctopNear  = 10  // return addresses at the leaf that are always walked
	alloctopDepth = 502 // of the longest stack kept whole, behind those
	alloctopCut   = 118 // kept of a longer one
	alloctopFresh = 16  // frames beyond the near ones that are walked before all are
	alloctopSpots = 1024
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
	n      int
	frame  [1 + alloctopDepth]alloctopFrame // the one at 0 has as its fp the root's saved frame pointer
	spot   [alloctopSpots]uint16            // by address, the number of the frame that may be there
	sum    [1 + alloctopDepth]uint64        // hash of the frames up to here
	node   [1 + alloctopDepth]uint32        // of the call tree, 0 if not yet known
	fresh  [alloctopDepth]alloctopFrame
}

type alloctopFrame struct{ fp, pc uintptr }

const alloctopSeed = 0x8BADF00D5EED5EED

// hash walks the frame pointers from fp, in the stack with the bounds lo and hi
// of which the part above lo is not yet walked, up to a frame that it knows,
// and mixes the hash of the return addresses into h, that of the near part.
//
// The counter is in no cache, often. It is asked for as soon as the hash is
// known, before it is known to be right.
//
//go:nosplit
func (t *alloctopP) hash(h uint64, lo, hi uintptr, gp *g, fp uintptr) uint64 {
	w := &t.walk
	if w.lo == gp.stack.lo && w.hi == hi {
		for up, low, k := fp, lo, 0; up > low && up < hi && k < alloctopFresh; k++ {
			if i := w.at(up); i > 0 && i+k < alloctopDepth {
				mixed := alloctopMix(h, w.push(i, k))
				slot := (mixed | 1) & t.mask
				sys.Prefetch(t.hot + uintptr(slot)*unsafe.Sizeof(alloctopHot{}))
				if w.lie(i) {
					return mixed
				}
				break
			}
			w.fresh[k] = alloctopFrame{up, *(*uintptr)(unsafe.Pointer(up + goarch.PtrSize))}
			low, up = up, *(*uintptr)(unsafe.Pointer(up))
		}
	}
	return alloctopMix(h, w.walk(lo, hi, gp, fp))
}

// at returns the frame at an address, 0 if there is none.
//
//go:nosplit
func (w *alloctopWalk) at(fp uintptr) int {
	i := int(w.spot[w.spotOf(fp)])
	if i > w.n || (*alloctopFrame)(unsafe.Pointer(uintptr(unsafe.Pointer(&w.frame))+uintptr(i)*unsafe.Sizeof(alloctopFrame{}))).fp != fp {
		return 0
	}
	return i
}

func (w *alloctopWalk) spotOf(fp uintptr) uintptr {
	return (w.hi - fp) / (2 * goarch.PtrSize) % alloctopSpots
}

// walk walks to the root.
//
//go:nosplit
func (w *alloctopWalk) walk(lo, hi uintptr, gp *g, fp uintptr) uint64 {
	k := 0
	for {
		if fp <= lo || fp >= hi {
			if gp == gp.m.curg || !alloctopUser(gp, fp, hi) {
				break
			}
			lo, hi = gp.m.curg.stack.lo, gp.m.curg.stack.hi-goarch.PtrSize
		}
		pc := *(*uintptr)(unsafe.Pointer(fp + goarch.PtrSize))
		if pc == 0 || k == alloctopDepth {
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
	w.frame[0].fp = fp
	if k == alloctopDepth {
		k, w.lo = alloctopCut, 0 // what is cut off is not known to be intact
	}
	return w.push(0, k)
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

// lie reports whether the frames from the root up to n lie as they lay. It
// looks at all before it decides: that they do is all but certain.
//
//go:nosplit
func (w *alloctopWalk) lie(n int) bool {
	f := uintptr(unsafe.Pointer(&w.frame))
	link, diff := *(*uintptr)(unsafe.Pointer(f)), uintptr(0)
	for ; n > 0; n-- {
		f += unsafe.Sizeof(alloctopFrame{})
		fp, pc := *(*uintptr)(unsafe.Pointer(f)), *(*uintptr)(unsafe.Pointer(f + goarch.PtrSize))
		diff |= (*(*uintptr)(unsafe.Pointer(fp)) ^ link) | (*(*uintptr)(unsafe.Pointer(fp + goarch.PtrSize)) ^ pc)
		link = fp
	}
	return diff == 0
}

// push puts the fresh frames on those that are intact.
//
//go:nosplit
func (w *alloctopWalk) push(n, fresh int) uint64 {
	h := uint64(alloctopSeed)
	if n > 0 {
		h = w.sum[n]
	}
	for fresh--; fresh >= 0; fresh-- {
		f := w.fresh[fresh]
		h = alloctopMix(h, uint64(f.pc))
		n++
		w.frame[n], w.sum[n], w.node[n] = f, h, 0
		w.spot[w.spotOf(f.fp)] = uint16(n)
	}
	w.n = n
	return h
}
