package runtime

// Windows: what is counted between an opening and a closing, several pieces of
// time together, nested in any way.
//
// A segment is a set of windows that are open at the same time. Every
// counter's hash has the current segment in it, so opening or closing a window
// costs one store, made while the world is stopped, in the same stop in which
// the runtime's own numbers are read. A window's total is the sum over the
// segments that it is in. A benchmark that stops and starts its timer a million
// times goes back and forth between the same two segments.

import "unsafe"

// What alloctopSwitch can do.
const (
	alloctopOpen  = iota + 1 // open a window; id 0 makes a new one
	alloctopClose            // close it; it may be opened again
	alloctopReset            // forget what an open window has counted: a new one takes its place
)

// Kinds of windows; internal/counterfile has the same.
const (
	alloctopProcess = iota
	alloctopBenchmark
	alloctopTest
	alloctopParallel
	alloctopMeasure
	alloctopMeasureOwn // of the goroutines of one owner
)

const alloctopMaxOpen = 64 // windows open at the same time

type alloctopWindow struct {
	kind, group  uint32 // group is the window that this one is a part of, 0 if none
	name, pack   uint32 // strings
	open, final  uint32
	procs, owner uint32 // owner is 0 if all goroutines count
	n            uint64 // iterations
	sum, started alloctopReading
}

// alloctopReading is what the runtime says at one moment, or between two.
type alloctopReading struct {
	objects, bytes, wall, cpu, gcs, gcCPU, pause uint64
}

func (r *alloctopReading) add(now, then *alloctopReading) {
	r.objects += now.objects - then.objects
	r.bytes += now.bytes - then.bytes
	r.wall += now.wall - then.wall
	r.cpu += now.cpu - then.cpu
	r.gcs += now.gcs - then.gcs
	r.gcCPU += now.gcCPU - then.gcCPU
	r.pause += now.pause - then.pause
}

// alloctopRead takes a reading. The world is stopped.
func alloctopRead(m *MemStats) alloctopReading {
	readmemstats_m(m)
	return alloctopReading{
		objects: m.Mallocs,
		bytes:   m.TotalAlloc,
		wall:    uint64(nanotime()),
		cpu:     alloctopCPU(),
		gcs:     uint64(m.NumGC),
		gcCPU:   uint64(work.cpuStats.GCTotalTime),
		pause:   m.PauseTotalNs,
	}
}

// alloctopSet is a set of open windows, in the order of opening.
type alloctopSet struct {
	n  uint32
	id [alloctopMaxOpen]uint32
}

var (
	alloctopOpened   alloctopSet
	alloctopSegIndex alloctopIndex
)

func alloctopWindowAt(id uint32) *alloctopWindow {
	return (*alloctopWindow)(unsafe.Pointer(alloctopFile.base + uintptr(id)*8))
}

// alloctopSwitch opens, closes or resets a window in one stop of the world and
// leaves in m what ReadMemStats would. It returns the window's id, 0 when the
// counter is off or can open no more.
//
//go:linkname alloctopSwitch
func alloctopSwitch(op, id, kind uint32, name, pack string, m *MemStats) uint32 {
	if !alloctop.on {
		ReadMemStats(m)
		return 0
	}
	_ = m.Alloc                                    // nil check before the switch of stacks, as in ReadMemStats
	wall, cpu := uint64(nanotime()), alloctopCPU() // the stop itself is in no window's time
	owner := getg().alloctop
	stw := stopTheWorld(stwReadMemStats)
	systemstack(func() {
		now := alloctopRead(m)
		now.wall, now.cpu = wall, cpu
		lock(&alloctopFile.lock)
		id = alloctopMove(op, id, &now)
		if w := alloctopWindowAt(id); id != 0 && op != alloctopClose && w.name == 0 {
			w.kind, w.name, w.pack = kind, alloctopCopy(name), alloctopCopy(pack)
			if kind == alloctopMeasureOwn {
				w.owner = uint32(owner)
			}
		}
		if op == alloctopOpen && kind >= alloctopMeasure && id != 0 && alloctopWindowAt(id).open == 0 {
			id = 0 // refused: a Measure that counts nothing must not seem to count
		}
		alloctopCountOwned()
		unlock(&alloctopFile.lock)
	})
	startTheWorld(stw)
	if id != 0 && op != alloctopClose {
		w := alloctopWindowAt(id)
		w.started.wall, w.started.cpu = uint64(nanotime()), alloctopCPU()
	}
	return id
}

// alloctopMove makes the change. Where the file is full and has no room for the
// new set, nothing changes: a window that cannot be closed stays open, as one of
// which the runtime's count is not known.
func alloctopMove(op, id uint32, now *alloctopReading) uint32 {
	old, set := id, alloctopOpened
	closes := set.remove(id)
	if op == alloctopReset {
		id = 0
	}
	if op != alloctopClose {
		if id == 0 {
			id = alloctopNewWindow()
		}
		if id == 0 || !set.add(id) {
			alloctopHead().refused++
			return old
		}
	}
	seg := alloctopSegment(&set)
	if seg == 0 {
		alloctopHead().refused++
		return old
	}
	if closes {
		w := alloctopWindowAt(old)
		w.sum.add(now, &w.started)
		w.open = 0
	}
	if op != alloctopClose {
		w := alloctopWindowAt(id)
		w.started, w.open = *now, 1
	}
	alloctopOpened, alloctop.seg = set, seg
	return id
}

// alloctopNewWindow returns the id of a new window, 0 when the file is full.
func alloctopNewWindow() uint32 {
	p := alloctopAlloc(alloctopWindows, unsafe.Sizeof(alloctopWindow{}))
	if p == 0 {
		return 0
	}
	return alloctopID(p)
}

// remove takes a window from the set and reports whether it was there.
func (s *alloctopSet) remove(id uint32) bool {
	at := uint32(0)
	for at < s.n && s.id[at] != id {
		at++
	}
	if id == 0 || at == s.n {
		return false
	}
	s.n--
	for ; at < s.n; at++ {
		s.id[at] = s.id[at+1]
	}
	s.id[s.n] = 0
	return true
}

func (s *alloctopSet) add(id uint32) bool {
	if s.n == alloctopMaxOpen {
		return false
	}
	s.id[s.n] = id
	s.n++
	return true
}

// alloctopSegment returns the id of a set of windows, for which two 64-bit
// hashes stand.
func alloctopSegment(set *alloctopSet) uint32 {
	if !alloctopSegIndex.room() {
		return 0
	}
	a, b := uint64(set.n)+1, uint64(1)
	for _, id := range set.id[:set.n] {
		a = (a ^ uint64(id)) * alloctopMul
		b = (b + uint64(id)) * alloctopMul2
		b ^= b >> 29
	}
	slot := alloctopSegIndex.slot(a, b)
	if slot[2] == 0 {
		p := alloctopAlloc(0, 4+4*uintptr(set.n))
		if p == 0 {
			return 0
		}
		memmove(unsafe.Pointer(p), unsafe.Pointer(set), 4+4*uintptr(set.n))
		*slot = [3]uint64{a, b, uint64(alloctopPublish(p, alloctopSegments))}
		alloctopSegIndex.used++
	}
	return uint32(slot[2])
}

// alloctopFinal says that a window's numbers were reported, for n iterations.
//
//go:linkname alloctopFinal
func alloctopFinal(id uint32, n, procs int) {
	if id != 0 {
		w := alloctopWindowAt(id)
		w.n, w.procs, w.final = uint64(n), uint32(procs), 1
	}
}

// alloctopJoin makes a closed window a part of a group, which is a window too;
// group 0 makes one. It returns the group.
//
//go:linkname alloctopJoin
func alloctopJoin(id, group, kind uint32) uint32 {
	if !alloctop.on {
		return 0
	}
	systemstack(func() {
		lock(&alloctopFile.lock)
		if group == 0 {
			if group = alloctopNewWindow(); group != 0 {
				alloctopWindowAt(group).kind = kind
			}
		}
		if id != 0 {
			alloctopWindowAt(id).group = group
		}
		unlock(&alloctopFile.lock)
	})
	return group
}

// alloctopNote attaches a text and a number to a window.
//
//go:linkname alloctopNote
func alloctopNote(id uint32, text string, value uint64) {
	if id == 0 {
		return
	}
	systemstack(func() {
		lock(&alloctopFile.lock)
		if s := alloctopCopy(text); s != 0 {
			if p := alloctopAlloc(0, 16); p != 0 {
				*(*[2]uint32)(unsafe.Pointer(p)) = [2]uint32{id, s}
				*(*uint64)(unsafe.Pointer(p + 8)) = value
				alloctopPublish(p, alloctopNotes)
			}
		}
		unlock(&alloctopFile.lock)
	})
}
