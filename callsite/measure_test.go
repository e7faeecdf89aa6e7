package callsite_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alloctop/alloctop/callsite"
)

const modulePath = "github.com/alloctop/alloctop"

// ownRules are the rules for this module as the test was built.
func ownRules(t *testing.T) callsite.Rules {
	t.Helper()
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		t.Fatal("the test has no stack")
	}
	m := callsite.Module{Path: modulePath}
	if path.IsAbs(file) { // not built with -trimpath
		m.Dir = path.Dir(path.Dir(file))
	}
	return callsite.Rules{Modules: []callsite.Module{m}}
}

// stacksOf returns the distinct stacks that f allocates with. The runtime's
// profile sees each object of 16 bytes or more, and some of the smaller ones.
func stacksOf(f func()) [][]callsite.Frame {
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a cycle allocates, too
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))  // each P keeps records of its own
	before := objects()
	runtime.MemProfileRate = 1
	f()
	runtime.MemProfileRate = 0
	var stacks [][]callsite.Frame
	for stack, n := range objects() {
		if n > before[stack] {
			stacks = append(stacks, expand(stack))
		}
	}
	return stacks
}

// objects returns the number of objects of each stack so far.
func objects() map[[32]uintptr]int64 {
	runtime.GC() // publishes all that was allocated before
	records := make([]runtime.MemProfileRecord, 0, 1000)
	for {
		n, ok := runtime.MemProfile(records[:cap(records)], true)
		if ok {
			records = records[:n]
			break
		}
		records = make([]runtime.MemProfileRecord, 0, 2*n)
	}
	counts := make(map[[32]uintptr]int64)
	for _, r := range records {
		counts[r.Stack0] += r.AllocObjects
	}
	return counts
}

func expand(stack [32]uintptr) []callsite.Frame {
	n := slices.Index(stack[:], 0)
	if n < 0 {
		n = len(stack)
	}
	var frames []callsite.Frame
	calls := runtime.CallersFrames(stack[:n])
	for {
		f, more := calls.Next()
		start := reflect.ValueOf(f).FieldByName("startLine").Int()
		frames = append(frames, callsite.Frame{Function: f.Function, File: f.File, Line: f.Line, StartLine: int(start)})
		if !more {
			return frames
		}
	}
}

func printed(stack []callsite.Frame) string {
	var b strings.Builder
	for _, f := range stack {
		fmt.Fprintf(&b, "\t%s %s:%d from %d\n", f.Function, f.File, f.Line, f.StartLine)
	}
	return b.String()
}

// charge is what is charged to a line: a cause, and the function that
// allocates if it is elsewhere.
type charge struct {
	line        int
	cause, site string
}

// wanted reads the comments of a source file, see constructs.
func wanted(t *testing.T, file string) (must, may map[charge]bool) {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	must, may = make(map[charge]bool), make(map[charge]bool)
	for i, line := range strings.Split(string(source), "\n") {
		code, comment, ok := strings.Cut(line, "//= ")
		if !ok || strings.TrimSpace(code) == "//" || strings.TrimSpace(code) == "" {
			continue
		}
		for c := range strings.SplitSeq(comment, ";") {
			cause, site, _ := strings.Cut(strings.TrimSpace(c), ", ")
			cause, optional := strings.CutSuffix(cause, "?")
			may[charge{i + 1, cause, site}] = true
			if !optional {
				must[charge{i + 1, cause, site}] = true
			}
		}
	}
	return must, may
}

func TestLocateConstructs(t *testing.T) {
	const file = "constructs_test.go"
	rules := ownRules(t)
	must, may := wanted(t, file)
	got := make(map[charge][]callsite.Frame)
	time.NewTimer(time.Hour).Stop() // reads settings the first time
	for _, stack := range stacksOf(func() {
		for _, f := range constructs {
			f()
		}
	}) {
		l := rules.Locate(stack)
		if path.Base(l.User.File) != file {
			continue
		}
		c := charge{line: l.User.Line, cause: l.Cause}
		if l.Site != l.User {
			c.site = l.Site.Function
		}
		got[c] = stack
	}
	for _, c := range slices.SortedFunc(maps.Keys(must), byLine) {
		if got[c] == nil {
			t.Errorf("%s:%d: nothing is charged with cause %q at %q", file, c.line, c.cause, c.site)
		}
	}
	for _, c := range slices.SortedFunc(maps.Keys(got), byLine) {
		if !may[c] {
			t.Errorf("%s:%d: charged with cause %q at %q:\n%s", file, c.line, c.cause, c.site, printed(got[c]))
		}
	}
}

func byLine(a, b charge) int {
	return strings.Compare(fmt.Sprintf("%06d%v", a.line, a), fmt.Sprintf("%06d%v", b.line, b))
}
