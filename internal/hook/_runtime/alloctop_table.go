package runtime

import "unsafe"

const (
	alloctopLeaf     = 6       // return addresses kept of a folded stack
	alloctopLine     = 3       // the same, where the table has no room for so many
	alloctopMinTable = 1 << 10 // first size of a P's table, a power of two
	alloctopMaxTable = 1 << 22 // largest, as alloctopEntry can number; three quarters full, new stacks are folded
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
	lock(&alloctopFile.lock)
	alloctopHead().folded++
	unlock(&alloctopFile.lock)
	if alloctopLeft() > alloctopLast {
		if hot := t.fold(o, alloctopLeaf, (t.mask+1)/8*7); hot != nil {
			return hot
		}
	}
	return t.fold(o, alloctopLine, t.mask)
}

// fold counts the object under some frames of its stack, while there are fewer
// counters than most or there is one already.
func (t *alloctopP) fold(o *alloctopNew, frames int, most uint64) *alloctopHot {
	t.stack.n = min(t.stack.n, frames)
	h := alloctopMix(^t.stack.hash(), alloctopKey(alloctopOwnerOn(getg()), o.size, o.typ)) | 1
	if o.slot == 0 {
		h ^= alloctopShared
	}
	if e := t.entry(h); *e != 0 {
		return t.hotAt(e.number())
	}
	if t.used >= most {
		return nil
	}
	return t.add(h, o)
}

// entry returns the entry of a hash in the index, or the free one where it
// belongs.
func (t *alloctopTable) entry(h uint64) *alloctopEntry {
	for i := h; ; i++ {
		e := (*alloctopEntry)(unsafe.Pointer(t.index + uintptr(i&t.mask)*unsafe.Sizeof(alloctopEntry(0))))
		if *e == 0 || e.hasTag(h) && t.hotAt(e.number()).hash == h {
			return e
		}
	}
}

// enter puts a counter that is new to the index into it.
func (t *alloctopTable) enter(h, number uint64) {
	*t.entry(h) = alloctopEntry(h>>(32+alloctopNumberBits)<<alloctopNumberBits | number)
}

func (t *alloctopTable) hotAt(i uint64) *alloctopHot {
	return (*alloctopHot)(unsafe.Pointer(t.hot + uintptr(i)*unsafe.Sizeof(alloctopHot{})))
}

func (t *alloctopTable) coldAt(i uint64) *alloctopCold {
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
	seg := alloctopSegmentOf(uint32(alloctopOwnerOn(getg())))
	if seg == 0 {
		return nil
	}
	i := t.used + 1
	c := t.coldAt(i)
	*c = alloctopCold{size: uint64(o.size), slot: uint64(o.slot), stack: node, typ: alloctopTypeName(o.typ), seg: seg}
	if o.size < maxTinySize && (o.typ == nil || !o.typ.Pointers()) {
		c.flags = alloctopTiny
	}
	hot := t.hotAt(i)
	alloctopStore64(&hot.hash, h)
	t.used = i
	t.enter(h, i)
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
	bytes := alloctopTableHead + uintptr(n)*alloctopSlotSize
	if alloctop.full && alloctopLeft() < uint64(bytes)+alloctopLast {
		return false
	}
	r := alloctopAlloc(0, bytes)
	if r == 0 {
		return false
	}
	index := alloctopMap(uintptr(n) * unsafe.Sizeof(alloctopEntry(0)))
	if index == 0 {
		alloctop.full = true // the region is lost: do not lose more
		return false
	}
	*(*[4]uint32)(unsafe.Pointer(r)) = [4]uint32{uint32(t.pid), uint32(n), t.id, 0}
	old := t.alloctopTable
	hot := r + alloctopTableHead
	t.alloctopTable = alloctopTable{index, n - 1, hot, hot + uintptr(n)*unsafe.Sizeof(alloctopHot{})}
	for i := uint64(1); i <= t.used; i++ {
		*t.hotAt(i), *t.coldAt(i) = *old.hotAt(i), *old.coldAt(i)
		t.enter(t.hotAt(i).hash, i)
	}
	if old.index != 0 {
		alloctopUnmap(old.index, uintptr(old.mask+1)*unsafe.Sizeof(alloctopEntry(0)))
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
