package runtime

import _ "unsafe" // for go:linkname

// What package alloccount calls. They are variables so that a program built
// without the hook, in which nobody gives them a value, finds them nil.

//go:linkname alloctopLibStart
var alloctopLibStart func() (errno uintptr) = alloctopBegin

//go:linkname alloctopLibStop
var alloctopLibStop func() = alloctopCease

//go:linkname alloctopLibFile
var alloctopLibFile func() string = alloctopPath

//go:linkname alloctopLibSwitch
var alloctopLibSwitch func(op, id, kind uint32, name, pack string, m *MemStats) uint32 = alloctopSwitch

//go:linkname alloctopLibFinal
var alloctopLibFinal func(id uint32, n, procs int) = alloctopFinal

//go:linkname alloctopLibOwner
var alloctopLibOwner func(op, id uint32) uint32 = alloctopOwner

var alloctopUsers struct {
	n     int
	whole bool // counting for the whole life of the process
}

// alloctopBegin begins to count, into memory that has no name in the file
// system, unless the process is counted already. Each call wants one of
// alloctopCease.
func alloctopBegin() (errno uintptr) {
	stw := stopTheWorld(stwReadMemStats)
	systemstack(func() {
		if alloctopUsers.n == 0 && !alloctopUsers.whole {
			if alloctopFile.base == 0 {
				errno = alloctopStartMemory()
			}
			alloctop.on = errno == 0
		}
		if errno == 0 {
			alloctopUsers.n++
		}
	})
	startTheWorld(stw)
	return errno
}

// alloctopCease makes the counter dormant again when nobody wants it.
func alloctopCease() {
	stw := stopTheWorld(stwReadMemStats)
	systemstack(func() {
		if alloctopUsers.n--; alloctopUsers.n == 0 && !alloctopUsers.whole {
			alloctop.on = false
		}
	})
	startTheWorld(stw)
}

// alloctopPath is where this process can read its own counter file.
func alloctopPath() string {
	if alloctopFile.base == 0 {
		return ""
	}
	return gostring(&alloctopFile.path[0])
}
