package runtime

import "unsafe"

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
	hash uint64
	size uintptr
	typ  *_type
	slot uintptr
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
	t.stack.read()
	if !alloctop.full && t.used < alloctopMaxTable/4*3 {
		if hot := t.add(o.hash, o); hot != nil {
			return hot
		}
	}
	// Fold: the leaf frames only. Sites stay exact, and leaves are few.
	t.stack.n = min(t.stack.n, alloctopLeaf)
	h := alloctopMix(^t.stack.hash(), alloctopKey(getg(), o.size, o.typ)) | 1
	if o.slot == 0 {
		h ^= alloctopShared
	}
	lock(&alloctopFile.lock)
	alloctopHead().folded++
	unlock(&alloctopFile.lock)
	if hot, _ := t.find(h); hot.hash == h {
		return hot
	}
	return t.add(h, o)
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

// add makes a slot for the object's stack.
func (t *alloctopP) add(h uint64, o *alloctopNew) *alloctopHot {
	lock(&alloctopFile.lock)
	hot := t.addLocked(h, o)
	unlock(&alloctopFile.lock)
	return hot
}

func (t *alloctopP) addLocked(h uint64, o *alloctopNew) *alloctopHot {
	if t.used*4 >= (t.mask+1)*3 && !t.grow() && t.used >= t.mask/16*15 {
		return nil
	}
	node := t.way.to(&t.stack)
	if node == 0 {
		return nil
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
