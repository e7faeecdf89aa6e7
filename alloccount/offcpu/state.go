package offcpu

import (
	"strings"

	"github.com/alloctop/alloctop/callsite"
)

// State is what a goroutine does.
type State int

const (
	CPU     State = iota // runs, or is ready to
	System               // in a system call or in C
	Waiting              // asleep
)

// What a goroutine in state System is in.
const (
	inC      = "C"
	inSystem = "the operating system"
)

// waits says for what a goroutine waits that one of these functions of the
// runtime, named without its package, put to sleep. Names are those of Go 1.26:
// runtime/chan.go, select.go, sema.go, netpoll.go, time.go, mgcmark.go, and what
// they give to other packages by go:linkname.
var waits = map[string]string{
	"chanrecv": "a channel to receive from", "chanrecv1": "a channel to receive from", "chanrecv2": "a channel to receive from",
	"chansend": "a channel to send to", "chansend1": "a channel to send to",
	"selectgo": "one of several channels", "selectnbrecv": "one of several channels", "block": "nothing, for ever",
	"runtime_SemacquireMutex": "a lock", "runtime_SemacquireRWMutex": "a lock", "runtime_SemacquireRWMutexR": "a lock",
	"runtime_Semacquire": "a semaphore", "runtime_SemacquireWaitGroup": "a wait group", "runtime_notifyListWait": "a condition",
	"runtime_pollWait": "the network or a pipe", "timeSleep": "time to pass", "Sleep": "time to pass",
	"gcAssistAlloc": "the garbage collector", "gcParkAssist": "the garbage collector", "gcStart": "the garbage collector", "GC": "the garbage collector",
	"notetsleepg": "a signal", "signal_recv": "a signal",
}

// stateOf says what the goroutine of a stack does, leaf first, and for what it
// waits if it does.
func stateOf(stack []callsite.Frame) (State, string) {
	if len(stack) == 0 {
		return CPU, ""
	}
	switch leaf := stack[0].Function; {
	case leaf == "runtime.gopark", leaf == "runtime.goparkunlock", leaf == "runtime.notetsleepg", leaf == "runtime.coroswitch_m":
		return Waiting, waitOf(stack)
	case leaf == "runtime.cgocall":
		return System, inC
	case isSystemCall(leaf):
		return System, inSystem
	}
	return CPU, ""
}

// waitOf says for what a parked goroutine waits. The outermost function of the
// runtime decides: below time.Sleep may be a channel.
func waitOf(stack []callsite.Frame) string {
	what := "something else"
	for _, f := range stack {
		name := f.Function[strings.LastIndexByte(f.Function, '.')+1:]
		known, ok := waits[name]
		switch {
		case ok && inRuntime(f):
			what = known
		case !inRuntime(f):
			return what
		}
	}
	return what
}

// inRuntime reports whether the code is the runtime's, also where its name is of
// another package: sync.runtime_Semacquire is in runtime/sema.go.
func inRuntime(f callsite.Frame) bool {
	return strings.HasPrefix(f.Function, "runtime.") || strings.HasPrefix(f.Function, "internal/runtime/") || strings.Contains(f.File, "/src/runtime/") || strings.HasPrefix(f.File, "runtime/")
}

// isSystemCall reports whether a function is one that leaves for the operating
// system. Those of golang.org/x/sys end in these of syscall.
func isSystemCall(function string) bool {
	name, ok := strings.CutPrefix(function, "syscall.")
	if !ok {
		if name, ok = strings.CutPrefix(function, "internal/runtime/syscall/linux."); !ok {
			name, ok = strings.CutPrefix(function, "internal/runtime/syscall.")
		}
	}
	if !ok {
		return false
	}
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "syscall") || strings.HasPrefix(name, "rawsyscall") || strings.HasPrefix(name, "rawvfork")
}
