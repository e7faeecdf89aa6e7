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

//go:linkname hookOwner runtime.alloctopLibOwner
var hookOwner func(op, id uint32) uint32

// What hookSwitch does, and the kinds of window that a Measure is.
const (
	hookOpen       = 1
	hookClose      = 2
	hookMeasure    = 4
	hookMeasureOwn = 5
)

// What hookOwner does. A goroutine has an owner, 0 if none, and those that it
// starts inherit it.
const (
	hookOwnerOf   = 1 // return the present goroutine's owner
	hookOwnerNew  = 2 // return a new one within id, 0 if there can be no more
	hookOwnerSet  = 3 // give it to the present goroutine
	hookOwnerIdle = 4 // return 1 if no goroutine has it, or one within it
	hookOwnerOut  = 5 // return the one that it is within, 0 if none
)

// hooked reports whether this program was built by alloctop.
func hooked() bool { return hookSwitch != nil && hookFinal != nil }
