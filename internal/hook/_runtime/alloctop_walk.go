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

// alloctopFrame is what a function puts at its frame pointer.
type alloctopFrame struct {
	fp uintptr // the caller's
	pc uint64  // to return to
}

func alloctopFrameAt(fp uintptr) *alloctopFrame {
	return (*alloctopFrame)(unsafe.Pointer(fp))
}

// walk follows the frame pointers from fp, within the bounds of the stack and
// for so many frames, so that a wrong one can neither fault nor loop. From the
// stack of g0 it goes on to the goroutine's. It returns a hash of the return
// addresses, and leaves them where they are.
//
//go:nosplit
func (s *alloctopStack) walk(gp *g, fp uintptr) (h uint64) {
	lo, span := gp.stack.lo, gp.stack.hi-goarch.PtrSize-gp.stack.lo
	s.fp, s.n = fp, 0
again:
	for s.n < alloctopDepth && fp-lo < span {
		h = h*alloctopMul + alloctopFrameAt(fp).pc
		fp = alloctopFrameAt(fp).fp
		s.n++
	}
	if s.n < alloctopDepth && gp != gp.m.curg && alloctopUser(gp, fp, lo+span) {
		lo, span = gp.m.curg.stack.lo, gp.m.curg.stack.hi-goarch.PtrSize-gp.m.curg.stack.lo
		goto again
	}
	if s.n == alloctopDepth {
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
		pc := uintptr(alloctopFrameAt(fp).pc)
		if pc == 0 {
			s.n = i
			return
		}
		s.pc[i] = pc
		fp = alloctopFrameAt(fp).fp
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
		h = h*alloctopMul + uint64(s.pc[i])
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
