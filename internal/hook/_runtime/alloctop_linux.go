//go:build amd64 || arm64 || loong64 || riscv64

package runtime

import (
	"internal/goarch"
	"internal/runtime/atomic"
	"internal/runtime/syscall/linux"
	"unsafe"
)

const alloctopSupported = true

func alloctopStore64(p *uint64, v uint64) { atomic.StoreRel64(p, v) }

// System calls that internal/runtime/syscall/linux has no number for: those of
// amd64, else those of the generic table (arm64, riscv64, loong64).
const (
	alloctopFallocate    = 285*goarch.IsAmd64 + 47*(1-goarch.IsAmd64)
	alloctopPwrite       = 18*goarch.IsAmd64 + 68*(1-goarch.IsAmd64)
	alloctopClockGettime = 228*goarch.IsAmd64 + 113*(1-goarch.IsAmd64)
	alloctopPrlimit      = 302*goarch.IsAmd64 + 261*(1-goarch.IsAmd64)
	alloctopUnlinkat     = 263*goarch.IsAmd64 + 35*(1-goarch.IsAmd64)
	alloctopMemfdCreate  = 319*goarch.IsAmd64 + 279*(1-goarch.IsAmd64)
	alloctopGetppid      = 110*goarch.IsAmd64 + 173*(1-goarch.IsAmd64)
	alloctopFstat        = 5*goarch.IsAmd64 + 80*(1-goarch.IsAmd64)
)

// alloctopMap returns zeroed memory that the runtime's statistics do not know
// of, 0 if there is none. No lock is taken.
func alloctopMap(n uintptr) uintptr {
	p, err := mmap(nil, n, _PROT_READ|_PROT_WRITE, _MAP_ANON|_MAP_PRIVATE, -1, 0)
	if err != 0 {
		return 0
	}
	return uintptr(p)
}

func alloctopUnmap(p, n uintptr) { munmap(unsafe.Pointer(p), n) }

// alloctopCreate makes the file at alloctopFile.path and maps it. No descriptor
// is kept: programs count theirs, and close others'.
func alloctopCreate() (errno uintptr) {
	const flags = 0x2 | 0x40 | 0x80 | 0x80000 // O_RDWR|O_CREAT|O_EXCL|O_CLOEXEC
	fd, errno := linux.Open(&alloctopFile.path[0], flags, 0o600)
	if errno != 0 {
		return errno
	}
	errno = alloctopMapFile(fd)
	linux.Close(fd)
	if errno != 0 {
		const atFDCWD = -100
		dir := atFDCWD
		linux.Syscall6(alloctopUnlinkat, uintptr(dir), uintptr(unsafe.Pointer(&alloctopFile.path[0])), 0, 0, 0, 0)
	}
	return errno
}

// alloctopMapFile gives the file its first storage and maps it. Where address
// space is short, most of what is to be had is left to the program.
func alloctopMapFile(fd int) (errno uintptr) {
	const mapShared = 1
	alloctopFile.identity = alloctopIdentity(fd)
	if errno = alloctopReserveFD(fd, 0, alloctopFirst); errno != 0 {
		return errno
	}
	for n := uintptr(alloctopMapSize); n > alloctopFirst; n /= 4 {
		p, err := mmap(nil, n, _PROT_READ|_PROT_WRITE, mapShared, int32(fd), 0)
		if errno = uintptr(err); errno == 0 {
			if n < alloctopMapSize && n/4 > alloctopFirst {
				munmap(add(p, n/4), n-n/4)
				n /= 4
			}
			alloctopFile.base, alloctopFile.limit = uintptr(p), uint64(n)
			break
		}
	}
	return errno
}

// alloctopMemory makes a file in memory, without a name.
func alloctopMemory() (fd int, errno uintptr) {
	const closeOnExec = 1
	name := [...]byte{'a', 'l', 'l', 'o', 'c', 't', 'o', 'p', 0}
	r, _, errno := linux.Syscall6(alloctopMemfdCreate, uintptr(unsafe.Pointer(&name)), closeOnExec, 0, 0, 0, 0)
	return int(r), errno
}

// alloctopReserve gives the file storage for [from, from+n).
func alloctopReserve(from, n uint64) (errno uintptr) {
	fd, errno := linux.Open(&alloctopFile.path[0], 0x2|0x80000, 0) // O_RDWR|O_CLOEXEC
	if errno == 0 {
		const estale = 116
		if errno = estale; alloctopIdentity(fd) == alloctopFile.identity {
			errno = alloctopReserveFD(fd, from, n)
		}
		linux.Close(fd)
	}
	return errno
}

// alloctopIdentity returns the device and inode of an open file: by the name of
// ours there may be another one meanwhile.
func alloctopIdentity(fd int) [2]uint64 {
	var stat [32]uint64
	linux.Syscall6(alloctopFstat, uintptr(fd), uintptr(unsafe.Pointer(&stat)), 0, 0, 0, 0)
	return [2]uint64{stat[0], stat[1]}
}

// Where fallocate is not known, zeros are written. What the process is not
// allowed to write is not tried: it would be answered by SIGXFSZ.
func alloctopReserveFD(fd int, from, n uint64) (errno uintptr) {
	const eintr, efbig, enosys, eopnotsupp = 4, 27, 38, 95
	const fileSize = 1 // RLIMIT_FSIZE
	var limit [2]uint64
	if _, _, errno := linux.Syscall6(alloctopPrlimit, 0, fileSize, 0, uintptr(unsafe.Pointer(&limit)), 0, 0); errno == 0 && from+n > limit[0] {
		return efbig
	}
	errno = eintr
	for errno == eintr { // tmpfs gives up when a signal is pending
		_, _, errno = linux.Syscall6(alloctopFallocate, uintptr(fd), 0, uintptr(from), uintptr(n), 0, 0)
	}
	if errno != enosys && errno != eopnotsupp {
		return errno
	}
	for end := from + n; from < end; {
		w, _, errno := linux.Syscall6(alloctopPwrite, uintptr(fd), uintptr(unsafe.Pointer(&alloctopZeros)), min(uintptr(end-from), unsafe.Sizeof(alloctopZeros)), uintptr(from), 0, 0)
		if errno != 0 && errno != eintr {
			return errno
		}
		if errno == 0 {
			from += uint64(w)
		}
	}
	return 0
}

var alloctopZeros [64 << 10]byte

// alloctopCPU returns the nanoseconds of CPU that the process has used.
func alloctopCPU() uint64 {
	const processCPU = 2 // CLOCK_PROCESS_CPUTIME_ID
	var ts [2]uint64
	linux.Syscall6(alloctopClockGettime, processCPU, uintptr(unsafe.Pointer(&ts)), 0, 0, 0, 0)
	return ts[0]*1e9 + ts[1]
}

func alloctopParent() uint64 {
	r, _, _ := linux.Syscall6(alloctopGetppid, 0, 0, 0, 0, 0, 0)
	return uint64(r)
}

func alloctopGetpid() int { return getpid() }
