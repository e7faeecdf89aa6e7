//go:build !linux || !(amd64 || arm64 || loong64 || riscv64)

package runtime

import "internal/runtime/atomic"

// The hook counts on 64-bit Linux only. Elsewhere it compiles and never starts.

const alloctopSupported = false

func alloctopMap(n uintptr) uintptr                  { return 0 }
func alloctopUnmap(p, n uintptr)                     {}
func alloctopCreate() (errno uintptr)                { return 38 }
func alloctopReserve(from, n uint64) (errno uintptr) { return 38 }
func alloctopCPU() uint64                            { return 0 }
func alloctopParent() uint64                         { return 0 }

func alloctopGetpid() int { return 0 }

func alloctopMemory() (fd int, errno uintptr) { return 0, 38 }
func alloctopMapFile(fd int) (errno uintptr)  { return 38 }

func alloctopStore64(p *uint64, v uint64) { atomic.Store64(p, v) }
