package callsite

import "strings"

// Causes that the code names by itself.
const (
	newObject     = "new object"
	mapGrowth     = "map growth"
	mapInsertion  = "map insertion"
	panicking     = "panic"
	collection    = "garbage collection"
	runtimeItself = "runtime"
	byReflection  = " by reflection"
)

// entry gives the cause for the functions whose key starts with prefix.
type entry struct{ prefix, cause string }

// operations are what compiled code, or package reflect, calls to allocate.
// From cmd/compile/internal/typecheck/_builtin/runtime.go and the callers of
// mallocgc in runtime, Go 1.26 and 1.27.
var operations = [...]entry{
	{"newobject", newObject},
	{"unsafe_NewArray", "new array"},
	{"unsafe_New", newObject},
	{"newarray", "new array"},
	{"makeslice", "make slice"},
	{"internal/bytealg.MakeNoZero", "make slice"},
	{"growslice", "slice growth"},
	{"moveSlice", "slice moved to the heap"},
	{"slicebytetostring", "string from bytes"},
	{"stringtoslicebyte", "bytes from string"},
	{"rawbyteslice", "bytes from string"},
	{"slicerunetostring", "string from runes"},
	{"stringtoslicerune", "runes from string"},
	{"rawruneslice", "runes from string"},
	{"intstring", "string from a rune"},
	{"concatstring", "string concatenation"},
	{"concatbyte", "string concatenation"},
	{"rawstring", "new string"},
	{"gostring", "string from C"},
	{"gobytes", "bytes from C"},
	{"convT", "boxing into an interface"},
	{"makechan", "new channel"},
	{"makemap", "new map"},
	{"internal/runtime/maps.NewEmptyMap", "new map"},
	{"internal/runtime/maps.NewMap", "new map"},
	{"internal/runtime/maps.newobject", newObject},
	{"internal/runtime/maps.newarray", "new array"},
	{"mapassign", mapGrowth},
	{"maps.clone", "map clone"},
	{"mapiter", "map iteration"},
}

// services are what else the runtime allocates for, looked for from the site
// inwards.
var services = [...]entry{
	{"deferproc", "deferred call"},
	{"deferrangefunc", "deferred call"},
	{"newdefer", "deferred call"},
	{"newcoro", "iter.Pull coroutine"},
	{"coro", "iter.Pull coroutine"},
	{"newproc", "goroutine start"},
	{"malg", "goroutine start"},
	{"allgadd", "goroutine start"},
	{"chansend", "blocking on a channel"},
	{"chanrecv", "blocking on a channel"},
	{"selectgo", "blocking on a channel"},
	{"selectnb", "blocking on a channel"},
	{"reflect.chan", "blocking on a channel"},
	{"reflect.rselect", "blocking on a channel"},
	{"sync.", "blocking in sync"},
	{"internal/sync.", "blocking in sync"},
	{"semacquire", "blocking in sync"},
	{"time.", "timer"},
	{"(*timer)", "timer"},
	{"(*timers)", "timer"},
	{"internal/poll.", "network poller"},
	{"typeAssert", "type assertion"},
	{"interfaceSwitch", "type assertion"},
	{"assertE2I", "type assertion"},
	{"itabAdd", "type assertion"},
	{"buildTypeAssertCache", "type assertion"},
	{"buildInterfaceSwitchCache", "type assertion"},
	{"reflect.ifaceE2I", "type assertion"},
	{"internal/reflectlite.ifaceE2I", "type assertion"},
	{"efaceeq", panicking},
	{"ifaceeq", panicking},
	{"sigpanic", panicking},
	{"SetFinalizer", "finalizer or cleanup"},
	{"AddCleanup", "finalizer or cleanup"},
	{"runFinalizers", "finalizer or cleanup"},
	{"runCleanups", "finalizer or cleanup"},
	{"(*cleanupQueue)", "finalizer or cleanup"},
	{"(*Pinner)", "pinned pointer"},
	{"weak.", "weak pointer"},
	{"getOrAddWeakHandle", "weak pointer"},
	{"GC", collection},
	{"gcStart", collection},
	{"gcBgMark", collection},
	{"gcAssist", collection},
	{"bgsweep", collection},
	{"bgscavenge", collection},
	{"arena.", "arena"},
	{"(*userArena)", "arena"},
	{"(*mspan)", "arena"},
	{"cgocall", "call into C"},
	{"cgoCheck", "call into C"},
	{"syscall.cgocaller", "call into C"},
	{"newextram", "thread start"},
	{"oneNewExtraM", "thread start"},
	{"newm", "thread start"},
	{"allocm", "thread start"},
	{"procresize", "start-up"},
	{"schedinit", "start-up"},
	{"main", "start-up"},
	{"rt0_go", "start-up"},
	{"internal/runtime/maps.", mapGrowth},
}

// means explains the causes to someone who has never seen the runtime.
var means = [...]struct{ cause, text string }{
	{newObject, "new(T), &T{...}, a closure, a variable that is still needed when its function has returned, or make([]T, n) followed by copy"},
	{"new array", "room for several values at once"},
	{"make slice", "make([]T, n)"},
	{"slice growth", "append needed more room than the slice had: a larger array was allocated and the elements copied"},
	{"slice moved to the heap", "a slice that append grew on the stack was returned or kept, and copied to the heap"},
	{"string from bytes", "string(b) of a []byte copies the bytes"},
	{"bytes from string", "[]byte(s) copies the string"},
	{"string from runes", "string(r) of a []rune"},
	{"runes from string", "[]rune(s)"},
	{"string from a rune", "string(r) of a single rune"},
	{"string concatenation", "a + b makes a new string"},
	{"new string", "room for a new string"},
	{"string from C", "C.GoString copies a C string"},
	{"bytes from C", "C.GoBytes copies C memory"},
	{"boxing into an interface", "a value that is not a pointer was put into an interface, such as any or error, and copied"},
	{"new channel", "make(chan T)"},
	{"new map", "make(map[K]V), or a map literal"},
	{mapGrowth, "an insertion needed more room than the map had; make(map[K]V, n) makes it once"},
	{mapInsertion, "a key or value of more than 128 bytes lies outside of the map, in an object of its own"},
	{"map clone", "maps.Clone"},
	{"map iteration", "the state of a range over a map"},
	{"deferred call", "a defer in a loop needs a record of its own on the heap"},
	{"iter.Pull coroutine", "iter.Pull runs its iterator in a coroutine"},
	{"goroutine start", "a go statement, where no finished goroutine could be used again"},
	{"blocking on a channel", "a goroutine that waits on a channel is queued there"},
	{"blocking in sync", "a goroutine that waits for a lock, a condition or a group is queued there"},
	{"timer", "time.NewTimer, time.After, time.Sleep and the like"},
	{"network poller", "waiting for a connection or file"},
	{"type assertion", "the runtime remembers which types were asserted, or tells why it failed"},
	{panicking, "the value of a panic, or the error of a failed operation"},
	{"finalizer or cleanup", "runtime.SetFinalizer or runtime.AddCleanup, or running them"},
	{"pinned pointer", "runtime.Pinner"},
	{"weak pointer", "weak.Make"},
	{"arena", "package arena, an experiment of Go"},
	{collection, "the garbage collector's own"},
	{"call into C", "a call between Go and C"},
	{"thread start", "the runtime's record of an operating system thread"},
	{"start-up", "the start of the program, before main"},
	{runtimeItself, "the runtime's own"},
}

// Explain says in a few words what a cause means in the source, to someone who
// has never seen the runtime. It is "" for what is not a cause.
func Explain(cause string) string {
	base, reflected := strings.CutSuffix(cause, byReflection)
	for _, m := range means {
		switch {
		case m.cause != base:
		case reflected:
			return m.text + "; here package reflect does it"
		default:
			return m.text
		}
	}
	if function, ok := strings.CutPrefix(base, "call of "); ok {
		return "something that " + function + " needed"
	}
	return ""
}
