package callsite_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/alloctop/alloctop/callsite"
)

// frames reads a stack, leaf first, one line for each frame: function, tab,
// file:line, and the start line of the function after @. $G is the Go tree, and
// - no name.
func frames(t *testing.T, text string) []callsite.Frame {
	t.Helper()
	var stack []callsite.Frame
	for line := range strings.Lines(strings.TrimSpace(text)) {
		var f callsite.Frame
		function, place, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if f.Function = strings.TrimSpace(function); f.Function == "-" {
			f.Function = ""
		}
		if place != "" {
			place, start, started := strings.Cut(strings.TrimSpace(strings.ReplaceAll(place, "$G", "/usr/local/go/src")), " @")
			i := strings.LastIndex(place, ":")
			f.File = place[:i]
			if _, err := fmt.Sscan(place[i+1:], &f.Line); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if started {
				if _, err := fmt.Sscan(start, &f.StartLine); err != nil {
					t.Fatalf("%q: %v", line, err)
				}
			}
		}
		stack = append(stack, f)
	}
	return stack
}

// app is the user of the stacks in this file.
var app = callsite.Rules{Modules: []callsite.Module{{Path: "example.com/app", Dir: "/home/u/app"}}}

// Stacks as Go 1.26.8 and 1.27.4 made them, shortened at the root.
var located = []struct {
	name, stack       string
	site, user, cause string
}{
	{
		name: "in the standard library",
		stack: `
			runtime.slicebytetostring	$G/runtime/string.go:170
			encoding/csv.(*Reader).readRecord	$G/encoding/csv/reader.go:407
			encoding/csv.(*Reader).Read	$G/encoding/csv/reader.go:200
			main.load	/home/u/app/load.go:31
			main.main	/home/u/app/main.go:10`,
		site: "encoding/csv.(*Reader).readRecord /usr/local/go/src/encoding/csv/reader.go:407",
		user: "main.load /home/u/app/load.go:31", cause: "string from bytes",
	}, {
		name:  "the counting hook starts after the allocator, and Go 1.27 has nothing there for a new object",
		stack: "main.load	/home/u/app/load.go:31",
		site:  "main.load /home/u/app/load.go:31", user: "main.load /home/u/app/load.go:31", cause: "new object",
	}, {
		name: "a specialised allocator of Go 1.27",
		stack: `
			runtime.mallocgcSmallScanNoHeaderSC3	$G/runtime/malloc_generated.go:400
			main.load	/home/u/app/load.go:31`,
		site: "main.load /home/u/app/load.go:31", user: "main.load /home/u/app/load.go:31", cause: "new object",
	}, {
		name: "linknamed",
		stack: `
			reflect.unsafe_New	$G/runtime/malloc.go:2178
			reflect.New	$G/reflect/value.go:3164
			main.main	/home/u/app/main.go:113`,
		site: "reflect.New /usr/local/go/src/reflect/value.go:3164",
		user: "main.main /home/u/app/main.go:113", cause: "new object by reflection",
	}, {
		name: "linknamed, with -trimpath",
		stack: `
			internal/bytealg.MakeNoZero	runtime/slice.go:437
			strings.(*Builder).grow	strings/builder.go:69
			main.main	example.com/app/main.go:113`,
		site: "strings.(*Builder).grow strings/builder.go:69",
		user: "main.main example.com/app/main.go:113", cause: "make slice",
	}, {
		name: "a user's package called runtime",
		stack: `
			runtime.makeslice	$G/runtime/slice.go:117
			example.com/x/runtime.F	/home/u/src/runtime/f.go:7
			main.main	/home/u/app/main.go:5`,
		site: "example.com/x/runtime.F /home/u/src/runtime/f.go:7", user: "main.main /home/u/app/main.go:5", cause: "make slice",
	}, {
		name: "a command in a directory called runtime",
		stack: `
			runtime.makeslice	$G/runtime/slice.go:117
			main.main	/home/u/src/runtime/main.go:7`,
		site: "main.main /home/u/src/runtime/main.go:7", cause: "make slice",
	}, {
		name: "a package without a domain below internal/runtime",
		stack: `
			runtime.makeslice	$G/runtime/slice.go:117
			mymod/internal/runtime/maps.F	/home/u/src/internal/runtime/maps/f.go:7`,
		site: "mymod/internal/runtime/maps.F /home/u/src/internal/runtime/maps/f.go:7", cause: "make slice",
	}, {
		name: "the runtime's own tests",
		stack: `
			runtime.growslice	$G/runtime/slice.go:265
			runtime_test.BenchmarkGrow	$G/runtime/slice_test.go:12
			testing.tRunner	$G/testing/testing.go:2036`,
		site: "runtime_test.BenchmarkGrow /usr/local/go/src/runtime/slice_test.go:12", cause: "slice growth",
	}, {
		name: "tests inside of a package of the runtime",
		stack: `
			runtime.newobject	$G/runtime/malloc.go:2157
			internal/runtime/maps_test.TestGrow	$G/internal/runtime/maps/map_test.go:12`,
		site: "internal/runtime/maps_test.TestGrow /usr/local/go/src/internal/runtime/maps/map_test.go:12", cause: "new object",
	}, {
		name: "runtime/pprof is an ordinary package",
		stack: `
			runtime.growslice	$G/runtime/slice.go:265
			runtime/pprof.(*protobuf).varint	$G/runtime/pprof/protobuf.go:16
			main.main	/home/u/app/main.go:5`,
		site: "runtime/pprof.(*protobuf).varint /usr/local/go/src/runtime/pprof/protobuf.go:16",
		user: "main.main /home/u/app/main.go:5", cause: "slice growth",
	}, {
		name: "a runtime function that the user called, inlined",
		stack: `
			runtime.newobject	$G/runtime/malloc.go:2157
			runtime.CallersFrames	$G/runtime/symtab.go:81
			main.main	/home/u/app/main.go:130`,
		site: "main.main /home/u/app/main.go:130", user: "main.main /home/u/app/main.go:130", cause: "call of runtime.CallersFrames",
	}, {
		name: "a method of the runtime",
		stack: `
			runtime.newobject	$G/runtime/malloc.go:2157
			runtime.(*Frames).Next	$G/runtime/symtab.go:120
			main.main	/home/u/app/main.go:142`,
		site: "main.main /home/u/app/main.go:142", user: "main.main /home/u/app/main.go:142", cause: "call of runtime.(*Frames).Next",
	}, {
		name: "something that a package got from the runtime",
		stack: `
			runtime.growslice	$G/runtime/slice.go:273
			os.runtime_args	$G/runtime/runtime.go:130
			os.init.0	$G/os/proc.go:23`,
		site: "os.init.0 /usr/local/go/src/os/proc.go:23", cause: "runtime",
	}, {
		name: "generated wrappers",
		stack: `
			runtime.makeslice	$G/runtime/slice.go:117
			main.outer.keep	<autogenerated>:1
			main.(*pair).keep-fm	/home/u/app/main.go:55
			main.call	/home/u/app/main.go:51`,
		site: "main.call /home/u/app/main.go:51", user: "main.call /home/u/app/main.go:51", cause: "make slice",
	}, {
		name: "nothing but a wrapper",
		stack: `
			runtime.newobject	$G/runtime/malloc.go:2157
			main.outer.keep	<autogenerated>:1`,
		site: "main.outer.keep :0", cause: "new object",
	}, {
		name: "a body that Go 1.26 named after what it was inlined into",
		stack: `
			runtime.growslice	$G/runtime/slice.go:265 @178
			main.collect.Collect[...]-range1	$G/slices/iter.go:52 @51
			main.main.Keys[...].func4	$G/maps/iter.go:28 @26
			slices.AppendSeq[...]	$G/slices/iter.go:51 @50
			slices.Collect[...]	$G/slices/iter.go:60 @59
			main.collect	/home/u/app/main.go:45 @45
			main.main	/home/u/app/main.go:97 @93`,
		site: "slices.AppendSeq[...] /usr/local/go/src/slices/iter.go:52",
		user: "main.collect /home/u/app/main.go:45", cause: "slice growth",
	}, {
		name: "a body whose loop was cut from the stack",
		stack: `
			runtime.growslice	$G/runtime/slice.go:265
			slices.AppendSeq[go.shape.[]int,go.shape.int]-range1	$G/slices/iter.go:52 @51`,
		site: "slices.AppendSeq[...] /usr/local/go/src/slices/iter.go:52", cause: "slice growth",
	}, {
		name: "nested bodies, of Go 1.26",
		stack: `
			runtime.makeslice	$G/runtime/slice.go:117
			main.rangefn.gen.rangefn-range1-range3	/home/u/app/main.go:39 @37
			main.gen	/home/u/app/main.go:29 @27
			main.rangefn-range1	/home/u/app/main.go:37 @35
			main.gen	/home/u/app/main.go:29 @27
			main.rangefn	/home/u/app/main.go:35 @34
			main.main	/home/u/app/main.go:96 @93`,
		site: "main.rangefn /home/u/app/main.go:39", user: "main.rangefn /home/u/app/main.go:39", cause: "make slice",
	}, {
		name: "a map that grows, deep in the runtime",
		stack: `
			runtime.newarray	$G/runtime/malloc.go:2207
			internal/runtime/maps.newarray	$G/runtime/malloc.go:2231
			internal/runtime/maps.newGroups	$G/internal/runtime/maps/group.go:321
			internal/runtime/maps.(*table).reset	$G/internal/runtime/maps/table.go:103
			internal/runtime/maps.newTable	$G/internal/runtime/maps/table.go:94
			internal/runtime/maps.(*table).grow	$G/internal/runtime/maps/table.go:1228
			internal/runtime/maps.(*table).rehash	$G/internal/runtime/maps/table.go:1163
			runtime.mapassign_faststr	$G/internal/runtime/maps/runtime_faststr.go:388
			main.main	/home/u/app/main.go:107`,
		site: "main.main /home/u/app/main.go:107", user: "main.main /home/u/app/main.go:107", cause: "map growth",
	}, {
		name: "a go statement, on the system stack",
		stack: `
			runtime.newobject	$G/runtime/malloc.go:2157
			runtime.malg	$G/runtime/proc.go:5274
			runtime.newproc1	$G/runtime/proc.go:5322
			runtime.newproc.func1	$G/runtime/proc.go:5299
			runtime.systemstack	$G/runtime/asm_amd64.s:562`,
		site: "runtime.malg /usr/local/go/src/runtime/proc.go:5274", cause: "goroutine start",
	}, {
		name: "a go statement, as the counting hook sees it across stacks",
		stack: `
			runtime.newobject	$G/runtime/malloc.go:2157
			runtime.malg	$G/runtime/proc.go:5274
			runtime.newproc1	$G/runtime/proc.go:5322
			runtime.newproc.func1	$G/runtime/proc.go:5299
			runtime.systemstack	$G/runtime/asm_amd64.s:562
			runtime.newproc	$G/runtime/proc.go:5298
			main.main	/home/u/app/main.go:121`,
		site: "main.main /home/u/app/main.go:121", user: "main.main /home/u/app/main.go:121", cause: "goroutine start",
	}, {
		name: "the list of goroutines grows, on the system stack",
		stack: `
			runtime.growslice	$G/runtime/slice.go:273
			runtime.allgadd	$G/runtime/proc.go:694
			runtime.newproc1	$G/runtime/proc.go:5324
			runtime.newproc.func1	$G/runtime/proc.go:5299
			runtime.systemstack	$G/runtime/asm_amd64.s:562`,
		site: "runtime.allgadd /usr/local/go/src/runtime/proc.go:694", cause: "goroutine start",
	}, {
		name: "a coroutine, on the system stack",
		stack: `
			runtime.malg	$G/runtime/proc.go:5274
			runtime.newproc1	$G/runtime/proc.go:5322
			runtime.newcoro.func1	$G/runtime/coro.go:51
			runtime.systemstack	$G/runtime/asm_amd64.s:562`,
		site: "runtime.malg /usr/local/go/src/runtime/proc.go:5274", cause: "iter.Pull coroutine",
	}, {
		name: "a timer, on the scheduler's stack",
		stack: `
			runtime.growslice	$G/runtime/slice.go:273
			runtime.(*timers).addHeap	$G/runtime/time.go:462
			runtime.(*timer).maybeAdd	$G/runtime/time.go:749
			runtime.(*timer).modify	$G/runtime/time.go:671
			runtime.(*timer).reset	$G/runtime/time.go:763
			runtime.resetForSleep	$G/runtime/time.go:372
			runtime.park_m	$G/runtime/proc.go:4283
			runtime.mcall	$G/runtime/asm_amd64.s:496`,
		site: "runtime.(*timers).addHeap /usr/local/go/src/runtime/time.go:462", cause: "timer",
	}, {
		name: "the collector, started in the middle of an allocation",
		stack: `
			runtime.newobject	$G/runtime/malloc.go:2157
			runtime.gcBgMarkStartWorkers	$G/runtime/mgc.go:1695
			runtime.gcStart	$G/runtime/mgc.go:817
			runtime.mallocgcLarge	$G/runtime/malloc.go:1750
			runtime.mallocgc	$G/runtime/malloc.go:1156
			runtime.makeslice	$G/runtime/slice.go:117
			main.main	/home/u/app/main.go:135`,
		site: "main.main /home/u/app/main.go:135", user: "main.main /home/u/app/main.go:135", cause: "garbage collection",
	}, {
		name: "a worker of the collector",
		stack: `
			runtime.newobject	$G/runtime/malloc.go:2157
			runtime.gcBgMarkWorker	$G/runtime/mgc.go:1763
			runtime.goexit	$G/runtime/asm_amd64.s:1771`,
		site: "runtime.gcBgMarkWorker /usr/local/go/src/runtime/mgc.go:1763", cause: "garbage collection",
	}, {
		name: "before main",
		stack: `
			runtime.makechan	$G/runtime/chan.go:99
			runtime.gcenable	$G/runtime/mgc.go:210
			runtime.main	$G/runtime/proc.go:206
			runtime.goexit	$G/runtime/asm_amd64.s:1771`,
		site: "runtime.gcenable /usr/local/go/src/runtime/mgc.go:210", cause: "start-up",
	}, {
		name:  "the allocator alone",
		stack: "runtime.newobject	$G/runtime/malloc.go:2157",
		site:  "runtime.newobject /usr/local/go/src/runtime/malloc.go:2157", cause: "new object",
	}, {
		name: "a string from C",
		stack: `
			runtime.rawstring	$G/runtime/string.go:325
			runtime.gostring	$G/runtime/string.go:381
			main._Cfunc_GoString	_cgo_gotypes.go:89
			main.name	/home/u/app/c.go:22`,
		site: "main.name /home/u/app/c.go:22", user: "main.name /home/u/app/c.go:22", cause: "string from C",
	}, {
		name: "Go called from C",
		stack: `
			runtime.makeslice	$G/runtime/slice.go:117
			main.goCallback	/home/u/app/c.go:17
			_cgoexp_e7f7a5bc8a23_goCallback	_cgo_gotypes.go:133
			runtime.cgocallbackg1	$G/runtime/cgocall.go:466
			runtime.cgocallbackg	$G/runtime/cgocall.go:362
			runtime.cgocallback	$G/runtime/asm_amd64.s:1160`,
		site: "main.goCallback /home/u/app/c.go:17", user: "main.goCallback /home/u/app/c.go:17", cause: "make slice",
	}, {
		name: "what a callback from C takes",
		stack: `
			runtime.newobject	$G/runtime/malloc.go:2157
			runtime.cgocallbackg1	$G/runtime/cgocall.go:420
			runtime.cgocallbackg	$G/runtime/cgocall.go:362
			runtime.cgocallback	$G/runtime/asm_amd64.s:1160
			runtime.systemstack_switch	$G/runtime/asm_amd64.s:516
			runtime.cgocall	$G/runtime/cgocall.go:185
			main._Cfunc_call	_cgo_gotypes.go:98
			main.run	/home/u/app/c.go:30`,
		site: "main.run /home/u/app/c.go:30", user: "main.run /home/u/app/c.go:30", cause: "call into C",
	}, {
		name: "too long to make",
		stack: `
			runtime.convTstring	$G/runtime/iface.go:431
			runtime.panicmakeslicelen	$G/runtime/slice.go:30
			runtime.makeslice	$G/runtime/slice.go:112
			main.main	/home/u/app/main.go:9`,
		site: "main.main /home/u/app/main.go:9", user: "main.main /home/u/app/main.go:9", cause: "panic",
	}, {
		name: "a library's frame, and no user",
		stack: `
			runtime.newobject	$G/runtime/malloc.go:2157
			example.com/dep.F	/home/u/go/pkg/mod/example.com/dep@v1.2.3/d.go:4
			runtime.goexit	$G/runtime/asm_amd64.s:1771`,
		site: "example.com/dep.F /home/u/go/pkg/mod/example.com/dep@v1.2.3/d.go:4", cause: "new object",
	}, {
		name:  "a name that nobody knows",
		stack: "-	?:0",
		site:  "unknown :0", cause: "new object",
	}, {
		name: "full names of a profile",
		stack: `
			runtime.growslice	$G/runtime/slice.go:265
			example.com/dot/my%2epkg.(*L[go.shape.struct { main.x int; main.y int }]).Add	/home/u/go/pkg/mod/example.com/dot@v1.0.0/my.pkg/l.go:4
			main.G[go.shape.string]	/home/u/app/main.go:5`,
		site: "example.com/dot/my.pkg.(*L[...]).Add /home/u/go/pkg/mod/example.com/dot@v1.0.0/my.pkg/l.go:4",
		user: "main.G[...] /home/u/app/main.go:5", cause: "slice growth",
	},
}

func place(f callsite.Frame) string {
	if f == (callsite.Frame{}) {
		return ""
	}
	return fmt.Sprintf("%s %s:%d", f.Function, f.File, f.Line)
}

func TestLocate(t *testing.T) {
	for _, c := range located {
		stack := frames(t, c.stack)
		l := app.Locate(stack)
		if got := place(l.Site); got != c.site {
			t.Errorf("%s: the site is\n%s, want\n%s", c.name, got, c.site)
		}
		if got := place(l.User); got != c.user || l.HasUser() != (c.user != "") {
			t.Errorf("%s: the user site is\n%s, want\n%s", c.name, got, c.user)
		}
		if l.Cause != c.cause {
			t.Errorf("%s: the cause is %q, want %q", c.name, l.Cause, c.cause)
		}
		checkLocation(t, app, stack, l)
	}
}

// checkLocation checks what holds for any stack.
func checkLocation(t *testing.T, r callsite.Rules, stack []callsite.Frame, l callsite.Location) {
	t.Helper()
	if len(stack) == 0 {
		return
	}
	if l.Site.Function == "" {
		t.Errorf("the site has no function:\n%s", printed(stack))
	}
	if l.Site.File == "" && l.Site.Line != 0 {
		t.Errorf("the site is line %d of no file:\n%s", l.Site.Line, printed(stack))
	}
	if l.At < 0 || l.At >= len(stack) || l.UserAt >= len(stack) || l.HasUser() && l.UserAt < l.At {
		t.Errorf("site at %d, user at %d of %d:\n%s", l.At, l.UserAt, len(stack), printed(stack))
		return
	}
	if l.HasUser() != (l.User != callsite.Frame{}) {
		t.Errorf("user at %d is %v:\n%s", l.UserAt, l.User, printed(stack))
	}
	if callsite.Explain(l.Cause) == "" {
		t.Errorf("nobody explains %q:\n%s", l.Cause, printed(stack))
	}
	cut := r.Locate(stack[l.At:])
	if cut.Site != l.Site || cut.User != l.User || cut.At != 0 {
		t.Errorf("cut at the site, %v at 0 and %v became %v at %d and %v:\n%s", l.Site, l.User, cut.Site, cut.At, cut.User, printed(stack))
	}
}

// A module without a domain, whose root is called src/runtime, is known to be
// the user's by its directory.
func TestLocateInOwnModuleCalledRuntime(t *testing.T) {
	stack := frames(t, `
		runtime.makeslice	$G/runtime/slice.go:117
		tool.F	/home/u/src/runtime/f.go:7`)
	l := workspace.Locate(stack)
	if want := "tool.F /home/u/src/runtime/f.go:7"; place(l.Site) != want || place(l.User) != want {
		t.Errorf("site %s, user site %s, want %s for both", place(l.Site), place(l.User), want)
	}
}

// Someone who works on Go itself has the runtime in a module of his own.
func TestLocateInTheGoTree(t *testing.T) {
	rules := callsite.Rules{Modules: []callsite.Module{{Path: "std", Dir: "/usr/local/go/src"}}}
	l := rules.Locate(frames(t, `
		reflect.unsafe_New	$G/runtime/malloc.go:2178
		reflect.New	$G/reflect/value.go:3164`))
	if want := "reflect.New /usr/local/go/src/reflect/value.go:3164"; place(l.Site) != want || place(l.User) != want {
		t.Errorf("site %s, user site %s, want %s for both", place(l.Site), place(l.User), want)
	}
}

// runtime/pprof leaves out the leading frames whose names start with runtime.
func TestLocateInStrippedStacks(t *testing.T) {
	rules := app
	rules.Stripped = true
	for _, c := range []struct{ stack, cause string }{
		{"main.load	/home/u/app/load.go:31", ""},
		{"reflect.unsafe_New	$G/runtime/malloc.go:2178\nreflect.New	$G/reflect/value.go:3164", "new object by reflection"},
		{"runtime.malg	$G/runtime/proc.go:5274\nruntime.newproc1	$G/runtime/proc.go:5322", "goroutine start"},
	} {
		if l := rules.Locate(frames(t, c.stack)); l.Cause != c.cause {
			t.Errorf("cause %q, want %q:\n%s", l.Cause, c.cause, c.stack)
		}
	}
}

func TestLocateEmptyStack(t *testing.T) {
	l := app.Locate(nil)
	if l.Site.Function != "unknown" || l.HasUser() {
		t.Errorf("an empty stack is located at %+v, want the function unknown and no user", l)
	}
}
