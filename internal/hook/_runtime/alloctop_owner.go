package runtime

// Owners: what goroutines of one Measure allocate is told from what others do.
//
// Each goroutine has an owner, 0 if it has none, and those that it starts
// inherit it (newproc1). A Measure gives its goroutine an owner while the
// measured function runs, one within the owner that the goroutine had. A window
// of kind alloctopMeasureOwn counts only goroutines of the owner that made it,
// and of owners within that one.
//
// The owner is in the hash of each counter. What it means is settled when the
// counter is made: its segment is the set of open windows without those that
// the owner is not within. So it costs nothing where nobody asks for it, and
// the file knows only segments. It follows that neither what an owner is within
// nor whose a window is may change; an owner can be used again when no
// goroutine has it.

import "unsafe"

// What alloctopOwner can do.
const (
	alloctopOwnerOf   = iota + 1 // return the present goroutine's owner
	alloctopOwnerNew             // return a new one within id, 0 if there can be no more
	alloctopOwnerSet             // give it to the present goroutine
	alloctopOwnerIdle            // return 1 if no goroutine has it, or one within it
	alloctopOwnerOut             // return the one that it is within, 0 if none
)

const alloctopMostOwners = 1 << 16

var alloctopOwners struct {
	within uintptr // *[alloctopMostOwners]uint16, by owner; guarded by alloctopFile.lock, as n
	n      uint32
	open   uint32 // windows of owners that are open; changes only while the world is stopped
}

func alloctopOwner(op, id uint32) (result uint32) {
	gp := getg()
	switch op {
	case alloctopOwnerOf:
		return uint32(gp.alloctop)
	case alloctopOwnerSet:
		gp.alloctop = uint16(id)
	case alloctopOwnerNew:
		systemstack(func() { result = alloctopNewOwner(id) })
	case alloctopOwnerIdle:
		stw := stopTheWorld(stwReadMemStats)
		systemstack(func() { result = alloctopIdle(id) })
		startTheWorld(stw)
	case alloctopOwnerOut:
		return uint32(*alloctopWithin(id))
	}
	return result
}

func alloctopNewOwner(within uint32) (id uint32) {
	x := &alloctopOwners
	lock(&alloctopFile.lock)
	if x.within == 0 {
		x.within = alloctopMap(alloctopMostOwners * 2)
	}
	if x.within != 0 && x.n+1 < alloctopMostOwners {
		x.n++
		id = x.n
		*alloctopWithin(id) = uint16(within)
	}
	unlock(&alloctopFile.lock)
	return id
}

// alloctopWithin returns the place of the owner that another one is within.
func alloctopWithin(id uint32) *uint16 {
	return (*uint16)(unsafe.Pointer(alloctopOwners.within + uintptr(id)*2))
}

// alloctopIsWithin reports whether an owner is another one, or within it.
func alloctopIsWithin(id, other uint32) bool {
	for id != 0 && id != other {
		id = uint32(*alloctopWithin(id))
	}
	return id == other
}

// alloctopIdle returns 1 if no goroutine has an owner, or one within it. The
// world is stopped.
func alloctopIdle(id uint32) (idle uint32) {
	idle = 1
	forEachG(func(gp *g) {
		switch readgstatus(gp) &^ _Gscan {
		case _Gdead, _Gdeadextra:
			return // what it has is of its former life
		}
		if alloctopIsWithin(uint32(gp.alloctop), id) {
			idle = 0
		}
	})
	return idle
}

// alloctopCountOwned counts the open windows that are of an owner. The world is
// stopped.
func alloctopCountOwned() {
	n := uint32(0)
	for _, id := range alloctopOpened.id[:alloctopOpened.n] {
		if alloctopWindowAt(id).owner != 0 {
			n++
		}
	}
	alloctopOwners.open = n
}

// alloctopSegmentOf returns the segment of what goroutines of an owner allocate
// now, 0 when the file is full. The file's lock is held.
func alloctopSegmentOf(owner uint32) uint32 {
	if alloctopOwners.open == 0 {
		return alloctop.seg
	}
	var set alloctopSet
	for _, id := range alloctopOpened.id[:alloctopOpened.n] {
		if o := alloctopWindowAt(id).owner; o == 0 || alloctopIsWithin(owner, o) {
			set.add(id)
		}
	}
	return alloctopSegment(&set)
}

// alloctopOwnerOn returns the owner of the goroutine for which gp, perhaps a g0,
// runs.
//
//go:nosplit
func alloctopOwnerOn(gp *g) uint16 {
	if curg := gp.m.curg; curg != nil {
		return curg.alloctop
	}
	return 0
}
