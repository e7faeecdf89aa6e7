package runtime

import (
	"internal/goarch"
	"unsafe"
)

const (
	alloctopLeaf     = 6       // return addresses kept of a folded stack
	alloctopMinIndex = 1 << 10 // first size of a P's index, a power of two
	alloctopMaxIndex = 1 << 22 // largest; half full, new stacks are folded
	alloctopRegion   = 1024    // counters per region of the file
)

// alloctopPath is the stack that was made last and its nodes, root first: most
// new stacks differ from the one before in their leaves only.
type alloctopPath struct {
	n    int
	pc   [alloctopDepth]uintptr
	node [alloctopDepth]uint32
}

// miss makes the counter of a stack not seen before on this P, or finds the
// one that it folds into. It runs on g0; the stack walked does not move.
func (t *alloctopP) miss(h, key uint64, fp uintptr, depth int, size uintptr, typ *_type) *alloctopCounter {
	var pcs [alloctopDepth]uintptr // leaf first
	for i := range depth {
		pcs[i] = *(*uintptr)(unsafe.Pointer(fp + goarch.PtrSize))
		fp = *(*uintptr)(unsafe.Pointer(fp))
	}
	if !alloctop.full && t.used < alloctopMaxIndex/2 {
		if c := t.add(h, pcs[:depth], size, typ); c != nil {
			return c
		}
	}
	// Fold: the leaf frames only. Sites stay exact, and leaves are few.
	depth = min(depth, alloctopLeaf)
	h = ^key
	for _, pc := range pcs[:depth] {
		h = (h ^ uint64(pc)) * alloctopMul
		h ^= h >> 29
	}
	lock(&alloctopFile.lock)
	alloctopHead().folded++
	unlock(&alloctopFile.lock)
	if c := t.find(h); c != nil {
		return c
	}
	if c := t.add(h, pcs[:depth], size, typ); c != nil {
		return c
	}
	return (*alloctopCounter)(unsafe.Pointer(t.rest)) // made with the table, takes what fits nowhere
}

func (t *alloctopP) add(h uint64, pcs []uintptr, size uintptr, typ *_type) *alloctopCounter {
	if t.used*2 >= t.mask && !t.grow() {
		return nil
	}
	lock(&alloctopFile.lock)
	c := t.newCounter(pcs, size, typ)
	unlock(&alloctopFile.lock)
	if c != nil {
		c.hash = h
		t.insert(h, alloctopID(uintptr(unsafe.Pointer(c))))
		t.used++
	}
	return c
}

// newCounter writes a new counter; nil when the file is full. The file's lock
// is held.
func (t *alloctopP) newCounter(pcs []uintptr, size uintptr, typ *_type) *alloctopCounter {
	node := t.path.nodeOf(pcs)
	if node == 0 {
		return nil
	}
	const counter = unsafe.Sizeof(alloctopCounter{})
	if t.next == t.end {
		r := alloctopAlloc(alloctopCounters, alloctopRegion*counter)
		if r == 0 {
			return nil
		}
		t.next, t.end = r, r+alloctopRegion*counter
	}
	c := (*alloctopCounter)(unsafe.Pointer(t.next))
	t.next += counter
	c.size, c.typ, c.seg = uint64(size), alloctopTypeName(typ), alloctop.seg
	if size < maxTinySize && (typ == nil || !typ.Pointers()) {
		c.flags = alloctopTiny
	}
	alloctopStore(&c.stack, node)
	return c
}

// nodeOf returns the call tree's node of a stack, 0 when the file is full.
func (p *alloctopPath) nodeOf(pcs []uintptr) uint32 {
	n := len(pcs)
	if n == 0 {
		return alloctopNode(0, 0)
	}
	same := 0
	for same < n && same < p.n && p.pc[same] == pcs[n-1-same] {
		same++
	}
	node := uint32(0)
	if same > 0 {
		node = p.node[same-1]
	}
	for i := same; i < n; i++ {
		pc := pcs[n-1-i]
		if node = alloctopNode(node, pc); node == 0 {
			p.n = i
			return 0
		}
		p.pc[i], p.node[i] = pc, node
	}
	p.n = n
	return node
}

func (t *alloctopP) insert(h uint64, id uint32) {
	i := h & t.mask
	for *(*uint64)(unsafe.Pointer(t.index + uintptr(i)*8)) != 0 {
		i = (i + 1) & t.mask
	}
	*(*uint64)(unsafe.Pointer(t.index + uintptr(i)*8)) = h>>32<<32 | uint64(id)
}

// grow doubles the index. Nobody else reads it: no lock.
func (t *alloctopP) grow() bool {
	size := uint64(alloctopMinIndex)
	if t.index != 0 {
		size = 2 * (t.mask + 1)
	}
	mem := alloctopMap(uintptr(size) * 8)
	if mem == 0 {
		return t.index != 0 && t.used < t.mask*7/8
	}
	old, n := t.index, t.mask+1
	t.index, t.mask = mem, size-1
	if old != 0 {
		for i := uint64(0); i < n; i++ {
			if s := *(*uint64)(unsafe.Pointer(old + uintptr(i)*8)); s != 0 {
				id := uint32(s)
				t.insert((*alloctopCounter)(unsafe.Pointer(alloctopFile.base+uintptr(id)*8)).hash, id)
			}
		}
		alloctopUnmap(old, uintptr(n)*8)
	}
	return true
}

// alloctopNewP makes the table of a P at its first allocation: GOMAXPROCS may
// grow after the start. It runs on g0.
func alloctopNewP(pp *p) *alloctopP {
	mem := alloctopMap(unsafe.Sizeof(alloctopP{}))
	if mem == 0 {
		return nil
	}
	t := (*alloctopP)(unsafe.Pointer(mem))
	lock(&alloctopFile.lock)
	t.rest = alloctopAlloc(alloctopCounters, unsafe.Sizeof(alloctopCounter{}))
	if t.rest != 0 {
		alloctopStore(&(*alloctopCounter)(unsafe.Pointer(t.rest)).stack, alloctopNode(0, 0))
	}
	unlock(&alloctopFile.lock)
	if t.rest == 0 || !t.grow() {
		alloctopUnmap(mem, unsafe.Sizeof(alloctopP{}))
		return nil
	}
	pp.alloctop = mem
	return t
}
