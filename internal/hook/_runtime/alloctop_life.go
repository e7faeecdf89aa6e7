package runtime

// The hook's life: it starts when the environment names a directory for
// counter files, and notes how the process ends.

import "unsafe"

// How a process ended; internal/counterfile has the same.
const (
	alloctopExited   = 1
	alloctopSignaled = 2
	alloctopExeced   = 3
)

var alloctopStats MemStats

// This runs before the init functions of all other packages but a few that
// the runtime itself imports. The environment is known already.
func init() {
	dir := gogetenv("ALLOCTOP_COUNTERS")
	if dir == "" {
		return
	}
	if errno := alloctopStart(dir); errno != 0 {
		print(alloctopMarker, ": nothing is counted: no counter file in ", dir, ": errno ", errno, "\n")
	}
}

// alloctopStart counts the whole process, into a new file in a directory.
func alloctopStart(dir string) (errno uintptr) {
	const enametoolong = 36
	if len(dir) > len(alloctopFile.path)-64 {
		return enametoolong
	}
	n := copy(alloctopFile.path[:], dir)
	n = alloctopAppend(n, "/", uint64(alloctopGetpid()))
	n = alloctopAppend(n, ".", uint64(nanotime()))
	copy(alloctopFile.path[n:], ".allocs")
	if errno := alloctopCreate(); errno != 0 {
		return errno
	}
	stw := stopTheWorld(stwReadMemStats)
	systemstack(func() {
		alloctopFill()
		alloctopUsers.whole = true
		alloctop.on = true
	})
	startTheWorld(stw)
	return 0
}

// alloctopStartMemory makes a file without a name. The world is stopped.
func alloctopStartMemory() (errno uintptr) {
	fd, errno := alloctopMemory()
	if errno != 0 {
		return errno
	}
	alloctopAppend(0, "/proc/self/fd/", uint64(fd))
	if errno = alloctopMapFile(fd); errno == 0 {
		alloctopFill()
	}
	return errno
}

// alloctopFill writes the head of a new file. The world is stopped.
func alloctopFill() {
	h := alloctopHead()
	sec, nsec, _ := time_now()
	h.pid, h.parent, h.start = uint64(alloctopGetpid()), alloctopParent(), uint64(sec)*1e9+uint64(nsec)
	h.used, h.reserved = alloctopHeadSize, alloctopFirst
	now := alloctopRead(&alloctopStats)
	lock(&alloctopFile.lock)
	h.version, h.modinfo, h.args = alloctopCopy(buildVersion), alloctopCopy(modinfo), alloctopArgs()
	h.process.started, h.process.open = now, 1
	alloctop.seg = alloctopSegment(&alloctopOpened)
	unlock(&alloctopFile.lock)
	// Last, as it says that there is a head to read.
	alloctopStore64((*uint64)(unsafe.Pointer(&h.magic)), *(*uint64)(unsafe.Pointer(unsafe.StringData("ALLOCTP2"))))
}

// alloctopAppend appends a separator and a number to the file's path.
func alloctopAppend(at int, sep string, v uint64) int {
	var buf [20]byte
	i := len(buf)
	for {
		i--
		buf[i] = byte('0' + v%10)
		if v /= 10; v == 0 {
			break
		}
	}
	at += copy(alloctopFile.path[at:], sep)
	return at + copy(alloctopFile.path[at:], buf[i:])
}

// alloctopArgs writes the command line, as much of it as is reasonable.
func alloctopArgs() uint32 {
	const most = 64 << 10
	n := 0
	for _, a := range argslice {
		if n+len(a)+1 > most {
			break
		}
		n += len(a) + 1
	}
	p := alloctopAlloc(0, 4+uintptr(n))
	if p == 0 {
		return 0
	}
	*(*uint32)(unsafe.Pointer(p)) = uint32(n)
	at := uintptr(0)
	for _, a := range argslice {
		if at+uintptr(len(a))+1 > uintptr(n) {
			break
		}
		memmove(unsafe.Pointer(p+4+at), unsafe.Pointer(unsafe.StringData(a)), uintptr(len(a)))
		at += uintptr(len(a)) + 1
	}
	return alloctopPublish(p, alloctopStrings)
}

// alloctopEnd reads the runtime's totals of a process that ends by itself, and
// counts no more in the same stop of the world. Where preemption is switched
// off, a stop could wait for ever, where the exit would not.
func alloctopEnd(code int) {
	if !alloctop.on {
		return
	}
	alloctopExit(code)
	if debug.asyncpreemptoff != 0 {
		return
	}
	stw := stopTheWorld(stwReadMemStats)
	systemstack(func() {
		now := alloctopRead(&alloctopStats)
		w := &alloctopHead().process
		if w.open != 0 {
			w.sum.add(&now, &w.started)
			w.procs = uint32(gomaxprocs)
			w.open = 0
		}
		alloctop.on = false
	})
	startTheWorld(stw)
}

// The next three are called where nothing but a store is safe.

//go:nosplit
func alloctopExit(code int) {
	if alloctopFile.base != 0 {
		h := alloctopHead()
		h.exitState, h.exitCode = alloctopExited, uint32(code)
	}
}

//go:nosplit
func alloctopSignal(sig uint32) {
	if alloctopFile.base != 0 {
		h := alloctopHead()
		h.exitState, h.exitCode = alloctopSignaled, sig
	}
}

//go:nosplit
func alloctopExec(state uint32) {
	if alloctopFile.base != 0 {
		alloctopHead().exitState = state
	}
}
