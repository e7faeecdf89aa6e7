package runtime

// The counter file. It is mapped once, far larger than it is, and grows by
// reservation only: what lies before head.reserved is backed by storage, so
// that no touch of it can raise SIGBUS. Ids are file offsets divided by 8.
//
//	head     4096 bytes, alloctopHeader
//	regions  {kind uint32, bytes uint32, content}, 8-byte aligned, one after
//	         another up to head.used; kind 0 is not yet written
//	  1 string   length uint32, bytes
//	  2 pc       pc uint64, n uint64, n frames, the innermost inlined call first
//	  3 nodes    many alloctopTreeNode: a call tree
//	  4 table    P, size n, table that it replaces, 0, all uint32; n alloctopHot; n alloctopCold;
//	             counters are numbered from 1
//	  5 segment  n uint32, n windows as uint32
//	  6 window   alloctopWindow
//	  7 note     window uint32, text uint32, value float64: a metric, or a test in a group
//
// All but counters is append-only and written under alloctopFile.lock, a leaf
// lock: while it is held nothing allocates, no other lock is taken, and we are
// on g0.

import "unsafe"

const (
	alloctopStrings = iota + 1
	alloctopPCs
	alloctopNodes
	alloctopTables
	alloctopSegments
	alloctopWindows
	alloctopNotes
)

const (
	alloctopMapSize   = 4 << 30           // of address space; less where that is not to be had
	alloctopFirst     = 2 << 20           // reserved at the start
	alloctopSpare     = 1 << 20           // of what is reserved, kept back for leaf frames once the file is full
	alloctopLast      = alloctopSpare / 4 // of that, kept back for lines
	alloctopStep      = 4 << 20           // reserved at a time
	alloctopNodesEach = 4096              // nodes per region
	alloctopHeadSize  = 4096
)

type alloctopHeader struct {
	magic       [8]byte
	pid, parent uint64
	start       uint64 // Unix time in nanoseconds
	used        uint64
	reserved    uint64
	folded      uint64 // objects counted under their leaf frames only
	missed      uint64 // objects without a P or a table
	missedBytes uint64
	growErr     uint64 // errno that ended the growth
	exitState   uint32 // alloctopExited...
	exitCode    uint32
	version     uint32 // strings
	modinfo     uint32
	args        uint32 // all, each ended by a zero byte
	refused     uint32 // changes of windows for which there was no room
	process     alloctopWindow
}

var alloctopFile struct {
	lock     mutex
	base     uintptr
	limit    uint64 // of the mapping
	path     [1024]byte
	identity [2]uint64 // of the file, see alloctopIdentity
	pcs      alloctopIndex
	strings  alloctopIndex // by address: the linker keeps one copy of a name
	types    alloctopIndex
	root     uint32 // first of the nodes without a parent
	nodeNext uintptr
	nodeEnd  uintptr
}

func alloctopHead() *alloctopHeader {
	return (*alloctopHeader)(unsafe.Pointer(alloctopFile.base))
}

func alloctopID(p uintptr) uint32 { return uint32((p - alloctopFile.base) / 8) }

// alloctopAlloc returns the zeroed content of a new region, 0 when the file
// can grow no more. Where zeros are not yet a valid content, kind is 0 and
// alloctopPublish comes later.
func alloctopAlloc(kind uint32, n uintptr) uintptr {
	h := alloctopHead()
	total := uint64(n+8+7) &^ 7
	if alloctop.full {
		if h.used+total > h.reserved {
			return 0
		}
	} else if h.used+total > h.reserved-alloctopSpare {
		step := max(uint64(alloctopStep), total)
		errno := uintptr(12) // ENOMEM
		if h.reserved+step <= alloctopFile.limit {
			errno = alloctopReserve(h.reserved, step)
		}
		if errno != 0 {
			h.growErr, alloctop.full = uint64(errno), true
			return 0
		}
		h.reserved += step
	}
	p := alloctopFile.base + uintptr(h.used)
	r := (*[2]uint32)(unsafe.Pointer(p))
	r[1] = uint32(total - 8)
	alloctopStore(&r[0], kind)
	alloctopStore64(&h.used, h.used+total)
	return p + 8
}

// alloctopLeft returns how many bytes of what is reserved are not used.
func alloctopLeft() uint64 {
	h := alloctopHead()
	return h.reserved - h.used
}

// alloctopPublish makes a region visible to a reader of the live file.
func alloctopPublish(p uintptr, kind uint32) uint32 {
	alloctopStore((*uint32)(unsafe.Pointer(p-8)), kind)
	return alloctopID(p)
}

// alloctopCopy writes a string that may lie on the heap.
func alloctopCopy(s string) uint32 {
	p := alloctopAlloc(0, 4+uintptr(len(s)))
	if p == 0 {
		return 0
	}
	*(*uint32)(unsafe.Pointer(p)) = uint32(len(s))
	memmove(unsafe.Pointer(p+4), unsafe.Pointer(unsafe.StringData(s)), uintptr(len(s)))
	return alloctopPublish(p, alloctopStrings)
}

// alloctopName writes a string of the binary, once.
func alloctopName(s string) uint32 {
	if len(s) == 0 || !alloctopFile.strings.room() {
		return 0
	}
	slot := alloctopFile.strings.slot(uint64(uintptr(unsafe.Pointer(unsafe.StringData(s)))), uint64(len(s)))
	if slot[2] == 0 {
		id := alloctopCopy(s)
		if id == 0 {
			return 0
		}
		*slot = [3]uint64{uint64(uintptr(unsafe.Pointer(unsafe.StringData(s)))), uint64(len(s)), uint64(id)}
		alloctopFile.strings.used++
	}
	return uint32(slot[2])
}

// alloctopFrames writes the frames of a return address by the runtime's own
// tables, inlined calls first.
func alloctopFrames(pc uintptr) uint32 {
	if !alloctopFile.pcs.room() {
		return 0
	}
	if slot := alloctopFile.pcs.slot(uint64(pc), 0); slot[2] != 0 {
		return uint32(slot[2])
	}
	var frames [64][4]uint32 // function, file, line, start line
	n := 0
	if f := findfunc(pc - 1); f.valid() {
		u, uf := newInlineUnwinder(f, pc-1)
		for ; uf.valid() && n < len(frames); uf = u.next(uf) {
			sf := u.srcFunc(uf)
			file, line := u.fileLine(uf)
			frames[n] = [4]uint32{alloctopName(sf.name()), alloctopName(file), uint32(line), uint32(sf.startLine)}
			n++
		}
	}
	p := alloctopAlloc(0, 16+uintptr(n)*16)
	if p == 0 {
		return 0
	}
	*(*[2]uint64)(unsafe.Pointer(p)) = [2]uint64{uint64(pc), uint64(n)}
	memmove(unsafe.Pointer(p+16), unsafe.Pointer(&frames), uintptr(n)*16)
	id := alloctopPublish(p, alloctopPCs)
	*alloctopFile.pcs.slot(uint64(pc), 0) = [3]uint64{uint64(pc), 0, uint64(id)}
	alloctopFile.pcs.used++
	return id
}

// alloctopTreeNode is a return address under its caller's. Children and
// siblings are for the process alone: with them a new path is written in one
// go, without a search.
type alloctopTreeNode struct {
	parent  uint32 // 0 for a root
	pc      uint32
	child   uint32 // the first
	sibling uint32 // the next child of the same parent
}

// alloctopNode returns the node of a return address under its caller's, 0 when
// the file is full. A stack without any frame is the node of pc 0.
func alloctopNode(parent uint32, pc uintptr) uint32 {
	rec := uint32(0)
	if pc != 0 {
		if rec = alloctopFrames(pc); rec == 0 {
			return 0
		}
	}
	link := &alloctopFile.root
	if parent != 0 {
		link = &alloctopNodeAt(parent).child
	}
	first := *link
	for id := first; id != 0; id = alloctopNodeAt(id).sibling {
		if alloctopNodeAt(id).pc == rec {
			return id
		}
	}
	const size = unsafe.Sizeof(alloctopTreeNode{})
	if alloctopFile.nodeNext == alloctopFile.nodeEnd {
		p := alloctopAlloc(alloctopNodes, alloctopNodesEach*size)
		if p == 0 {
			return 0
		}
		alloctopFile.nodeNext, alloctopFile.nodeEnd = p, p+alloctopNodesEach*size
	}
	id := alloctopID(alloctopFile.nodeNext)
	alloctopFile.nodeNext += size
	*alloctopNodeAt(id) = alloctopTreeNode{parent: parent, pc: rec, sibling: first}
	*link = id
	return id
}

func alloctopNodeAt(id uint32) *alloctopTreeNode {
	return (*alloctopTreeNode)(unsafe.Pointer(alloctopFile.base + uintptr(id)*8))
}

// alloctopTypeName returns the name of a type. One made by reflect has its
// name under reflectOffs.lock, which a caller of the allocator may hold.
func alloctopTypeName(t *_type) uint32 {
	if t == nil || !alloctopFile.types.room() {
		return 0
	}
	slot := alloctopFile.types.slot(uint64(uintptr(unsafe.Pointer(t))), 0)
	if slot[2] == 0 {
		name := "(type made by reflect)"
		for md := &firstmoduledata; md != nil; md = md.next {
			if p := uintptr(unsafe.Pointer(t)); p >= md.types && p < md.etypes {
				name = toRType(t).string()
			}
		}
		id := alloctopName(name)
		if id == 0 {
			return 0
		}
		*slot = [3]uint64{uint64(uintptr(unsafe.Pointer(t))), 0, uint64(id)}
		alloctopFile.types.used++
	}
	return uint32(slot[2])
}

// alloctopMissed counts what no table could take.
func alloctopMissed(bytes uintptr) {
	systemstack(func() {
		lock(&alloctopFile.lock)
		h := alloctopHead()
		h.missed++
		h.missedBytes += uint64(bytes)
		unlock(&alloctopFile.lock)
	})
}
