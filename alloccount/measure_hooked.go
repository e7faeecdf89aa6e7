package alloccount

import (
	"runtime"
	_ "unsafe" // for go:linkname
)

// What the counting hook offers in a program that alloctop built: variables of
// package runtime, which the hook gives their values. In any other program
// they are only declared here, and nil.

//go:linkname hookStart runtime.alloctopLibStart
var hookStart func() (errno uintptr)

//go:linkname hookStop runtime.alloctopLibStop
var hookStop func()

//go:linkname hookFile runtime.alloctopLibFile
var hookFile func() string

//go:linkname hookSwitch runtime.alloctopLibSwitch
var hookSwitch func(op, id, kind uint32, name, pack string, m *runtime.MemStats) uint32

//go:linkname hookFinal runtime.alloctopLibFinal
var hookFinal func(id uint32, n, procs int)

// What hookSwitch does, and the kind of window that a Measure is.
const (
	hookOpen    = 1
	hookClose   = 2
	hookMeasure = 4
)

// hooked reports whether this program was built by alloctop.
func hooked() bool { return hookSwitch != nil && hookFinal != nil }
