package runtime

import (
	"internal/goarch"
	"unsafe"
)

const (
	alloctopDepth = 512 // return addresses of the shortest stack that is not kept whole
	alloctopCut   = 128 // kept of a longer one
)

// alloctopStack is the stack of the object that the P is about to count.
type alloctopStack struct {
	fp uintptr // the leaf's frame pointer; 0 if the return addresses are in pc
	n  int
	pc [alloctopDepth]uintptr // leaf first
}

// walk follows the frame pointers from fp, within the bounds of the stack and
// for so many frames, so that a wrong one can neither fault nor loop. It returns
// a hash of the return addresses, and leaves them where they are.
//
// It is a chain of loads that wait for each other, four cycles for a frame. To
// keep the far frames and to look whether they still lie as they lay took as
// long, and so did two chains at once.
//
//go:nosplit
func (s *alloctopStack) walk(gp *g, fp uintptr) (h uint64) {
	lo, span := gp.stack.lo, gp.stack.hi-goarch.PtrSize-gp.stack.lo
	s.fp = fp
	room := alloctopDepth
again:
	for room > 0 && fp-lo < span {
		h = (h ^ uint64(*(*uintptr)(unsafe.Pointer(fp + goarch.PtrSize)))) * alloctopMul
		fp = *(*uintptr)(unsafe.Pointer(fp))
		room--
	}
	if room > 0 && gp != gp.m.curg && alloctopUser(gp, fp, lo+span) {
		lo, span = gp.m.curg.stack.lo, gp.m.curg.stack.hi-goarch.PtrSize-gp.m.curg.stack.lo
		goto again
	}
	s.n = alloctopDepth - room
	if room == 0 {
		return s.cut()
	}
	return h
}

// read reads the return addresses that walk has hashed. One that is 0 is beyond
// the root.
//
//go:nosplit
func (s *alloctopStack) read() {
	if s.fp == 0 {
		return
	}
	fp := s.fp
	s.fp = 0
	for i := 0; i < s.n; i++ {
		pc := *(*uintptr)(unsafe.Pointer(fp + goarch.PtrSize))
		if pc == 0 {
			s.n = i
			return
		}
		s.pc[i] = pc
		fp = *(*uintptr)(unsafe.Pointer(fp))
	}
}

// unwind walks by the tables, which takes longer and goes through C, beyond the
// first skip return addresses.
//
//go:nosplit
func (s *alloctopStack) unwind(gp *g, pc, sp uintptr, skip int) uint64 {
	s.fp = 0
	systemstack(func() {
		var u unwinder
		u.initAt(pc, sp, 0, gp, unwindSilentErrors|unwindJumpStack)
		for s.n = 0; u.valid() && s.n < alloctopDepth; u.next() {
			if skip > 0 {
				skip--
				continue
			}
			s.pc[s.n] = u.symPC() + 1
			s.n++
		}
	})
	if s.n == alloctopDepth {
		return s.cut()
	}
	return s.hash()
}

// cut keeps the leaf of a stack that is too deep.
//
//go:nosplit
func (s *alloctopStack) cut() uint64 {
	s.read()
	s.n = min(s.n, alloctopCut)
	return s.hash()
}

// hash returns what walk does.
//
//go:nosplit
func (s *alloctopStack) hash() (h uint64) {
	for i := 0; i < s.n; i++ {
		h = (h ^ uint64(s.pc[i])) * alloctopMul
	}
	return h
}

// alloctopWay is the way in the call tree to the last new stack of the P, root
// first. Most new stacks differ from the one before in their leaves only.
type alloctopWay struct {
	n    int
	pc   [1 + alloctopDepth]uintptr // from 1 on
	node [1 + alloctopDepth]uint32  // of the call tree; at 0 its root
}

// to returns the node of a stack, 0 when the file is full. The file's lock is
// held.
func (w *alloctopWay) to(s *alloctopStack) uint32 {
	if s.n == 0 {
		return alloctopNode(0, 0)
	}
	i := 0
	for i < s.n && i < w.n && w.pc[i+1] == s.pc[s.n-1-i] {
		i++
	}
	for ; i < s.n; i++ {
		w.n = i
		pc := s.pc[s.n-1-i]
		node := alloctopNode(w.node[i], pc)
		if node == 0 {
			return 0
		}
		w.pc[i+1], w.node[i+1] = pc, node
	}
	w.n = max(w.n, s.n)
	return w.node[s.n]
}
