package runtime

import (
	"internal/goarch"
	"unsafe"
)

const (
	alloctopLeaf     = 6       // return addresses kept of a folded stack
	alloctopMinTable = 1 << 10 // first size of a P's table, a power of two
	alloctopMaxTable = 1 << 22 // largest; three quarters full, new stacks are folded
)

const (
	alloctopTableHead = 16 // P, size, the table that it replaces, 0
	alloctopSlotSize  = unsafe.Sizeof(alloctopHot{}) + unsafe.Sizeof(alloctopCold{})
)

// alloctopNew is an object whose stack was not seen before on this P.
type alloctopNew struct {
	hash, key uint64
	fp        uintptr // of the first frame
	near      int     // frames from there on
	far       bool    // more frames are in the walk
	size      uintptr
	typ       *_type
	slot      uintptr
}

//go:nosplit
func alloctopTableOf(pp *p) (t *alloctopP) {
	systemstack(func() { t = alloctopNewP(pp) })
	return t
}

//go:nosplit
func alloctopMiss(t *alloctopP, o *alloctopNew) (hot *alloctopHot) {
	systemstack(func() { hot = t.miss(o) })
	return hot
}

// miss makes a slot for the object's stack, or finds the one that it folds
// into; nil when nothing fits any more. On g0; the stack walked does not move.
func (t *alloctopP) miss(o *alloctopNew) *alloctopHot {
	var near [alloctopNear]uintptr
	fp := o.fp
	for i := range o.near {
		near[i] = *(*uintptr)(unsafe.Pointer(fp + goarch.PtrSize))
		fp = *(*uintptr)(unsafe.Pointer(fp))
	}
	if !alloctop.full && t.used < alloctopMaxTable/4*3 {
		if hot := t.add(o.hash, near[:o.near], o.far, o); hot != nil {
			return hot
		}
	}
	// Fold: the leaf frames only. Sites stay exact, and leaves are few.
	leaf := near[:min(o.near, alloctopLeaf)]
	if o.near == 0 && o.far { // below a call from C all frames are in the walk
		leaf = near[:min(t.walk.n, alloctopLeaf)]
		for i := range leaf {
			leaf[i] = t.walk.frame[t.walk.n-i].pc
		}
	}
	h := ^uint64(alloctopSeed)
	for _, pc := range leaf {
		h = alloctopMix(h, uint64(pc))
	}
	h = alloctopMix(h, o.key) | 1
	lock(&alloctopFile.lock)
	alloctopHead().folded++
	unlock(&alloctopFile.lock)
	if hot, _ := t.find(h); hot.hash == h {
		return hot
	}
	return t.add(h, leaf, false, o)
}

// find returns the slot of a hash, or the free one where it belongs.
func (t *alloctopP) find(h uint64) (*alloctopHot, uint64) {
	for i := h & t.mask; ; i = (i + 1) & t.mask {
		hot := (*alloctopHot)(unsafe.Pointer(t.hot + uintptr(i)*unsafe.Sizeof(alloctopHot{})))
		if hot.hash == h || hot.hash == 0 {
			return hot, i
		}
	}
}

func (t *alloctopP) coldAt(i uint64) *alloctopCold {
	return (*alloctopCold)(unsafe.Pointer(t.cold + uintptr(i)*unsafe.Sizeof(alloctopCold{})))
}

// add makes a slot for the frames at the leaf, and if far those of the walk.
func (t *alloctopP) add(h uint64, near []uintptr, far bool, o *alloctopNew) *alloctopHot {
	lock(&alloctopFile.lock)
	hot := t.addLocked(h, near, far, o)
	unlock(&alloctopFile.lock)
	return hot
}

func (t *alloctopP) addLocked(h uint64, near []uintptr, far bool, o *alloctopNew) *alloctopHot {
	if t.used*4 >= (t.mask+1)*3 && !t.grow() && t.used >= t.mask/16*15 {
		return nil
	}
	node := uint32(0)
	if far && t.walk.n > 0 {
		if node = t.walk.nodeOf(); node == 0 {
			return nil
		}
	}
	if len(near) == 0 && node == 0 {
		node = alloctopNode(0, 0)
	}
	for i := len(near) - 1; i >= 0; i-- {
		if node = alloctopNode(node, near[i]); node == 0 {
			return nil
		}
	}
	seg := alloctopSegmentOf(alloctopOwnerOn(getg()))
	if seg == 0 {
		return nil
	}
	hot, i := t.find(h)
	c := t.coldAt(i)
	*c = alloctopCold{size: uint64(o.size), slot: uint64(o.slot), stack: node, typ: alloctopTypeName(o.typ), seg: seg}
	if o.size < maxTinySize && (o.typ == nil || !o.typ.Pointers()) {
		c.flags = alloctopTiny
	}
	alloctopStore64(&hot.hash, h)
	t.used++
	return hot
}

// nodeOf returns the call tree's node of the frames in the walk, 0 when the
// file is full. Those found are kept: most new stacks differ from the one
// before in their leaves only.
func (w *alloctopWalk) nodeOf() uint32 {
	i := w.n
	for i > 0 && w.node[i] == 0 {
		i--
	}
	node := w.node[i] // the root's is 0
	for i++; i <= w.n; i++ {
		if node = alloctopNode(node, w.frame[i].pc); node == 0 {
			return 0
		}
		w.node[i] = node
	}
	return node
}

// grow makes a table of twice the size that replaces the old one: a reader
// sees the one or the other, whenever the process dies. The file's lock is
// held.
func (t *alloctopP) grow() bool {
	n := uint64(alloctopMinTable)
	if t.hot != 0 {
		n = 2 * (t.mask + 1)
	}
	if n > alloctopMaxTable {
		return false
	}
	r := alloctopAlloc(0, alloctopTableHead+uintptr(n)*alloctopSlotSize)
	if r == 0 {
		return false
	}
	*(*[4]uint32)(unsafe.Pointer(r)) = [4]uint32{uint32(t.pid), uint32(n), t.id, 0}
	oldHot, oldCold, oldMask := t.hot, t.cold, t.mask
	t.hot, t.mask = r+alloctopTableHead, n-1
	t.cold = t.hot + uintptr(n)*unsafe.Sizeof(alloctopHot{})
	for i := uint64(0); oldHot != 0 && i <= oldMask; i++ {
		hot := (*alloctopHot)(unsafe.Pointer(oldHot + uintptr(i)*unsafe.Sizeof(alloctopHot{})))
		if hot.hash != 0 {
			to, j := t.find(hot.hash)
			*to = *hot
			*t.coldAt(j) = *(*alloctopCold)(unsafe.Pointer(oldCold + uintptr(i)*unsafe.Sizeof(alloctopCold{})))
		}
	}
	t.id = alloctopPublish(r, alloctopTables)
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
	t.pid = pp.id
	lock(&alloctopFile.lock)
	ok := t.grow()
	unlock(&alloctopFile.lock)
	if !ok {
		alloctopUnmap(mem, unsafe.Sizeof(alloctopP{}))
		return nil
	}
	pp.alloctop = mem
	return t
}
