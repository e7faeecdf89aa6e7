package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// alloctopIndex is a hash table from a pair to an id that is not 0, in private
// memory, open addressing.
type alloctopIndex struct {
	slots uintptr // *[n][3]uint64
	n     uint64
	used  uint64
}

// slot returns the pair's place, or the free one where it belongs.
func (x *alloctopIndex) slot(a, b uint64) *[3]uint64 {
	h := (a*alloctopMul ^ b) * alloctopMul
	for i := (h ^ h>>32) & (x.n - 1); ; i = (i + 1) & (x.n - 1) {
		s := (*[3]uint64)(unsafe.Pointer(x.slots + uintptr(i)*24))
		if s[2] == 0 || s[0] == a && s[1] == b {
			return s
		}
	}
}

// room makes sure that one more pair fits.
func (x *alloctopIndex) room() bool {
	if x.used*2 < x.n {
		return true
	}
	n := max(1024, 2*x.n)
	mem := alloctopMap(uintptr(n) * 24)
	if mem == 0 {
		return x.used+1 < x.n
	}
	old, oldN := x.slots, x.n
	x.slots, x.n = mem, n
	for i := uint64(0); i < oldN; i++ {
		if s := (*[3]uint64)(unsafe.Pointer(old + uintptr(i)*24)); s[2] != 0 {
			*x.slot(s[0], s[1]) = *s
		}
	}
	if old != 0 {
		alloctopUnmap(old, uintptr(oldN)*24)
	}
	return true
}

// The file has readers in other processes: what makes a thing visible is
// stored after what it consists of.
func alloctopStore(p *uint32, v uint32) { atomic.StoreRel(p, v) }
