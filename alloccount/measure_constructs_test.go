//go:build !race

package alloccount

import (
	"fmt"
	"go/version"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/sizeclass"
)

// constructFiles have the constructs and their comments.
const constructFiles = "constructs*_test.go"

// isConstruct reports whether a file is one of them.
func isConstruct(file string) bool {
	ok, err := path.Match(constructFiles, path.Base(file))
	return ok && err == nil
}

// charge is what is charged to a line.
type charge struct {
	file        string // without directory
	line        int
	cause, site string // site is the function if it is another one
}

// amounts are the objects of a charge.
type amounts struct {
	Objects, Requested int64
	Below16            int64 // of the objects: they may be tiny
	Classes            map[sizeclass.Bound]int64
}

// wantedCharges reads the comments of all constructs.
func wantedCharges(t *testing.T) map[charge]*amounts {
	t.Helper()
	files, err := filepath.Glob(constructFiles)
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[charge]*amounts)
	for _, file := range files {
		addCharges(t, want, file)
	}
	return want
}

// addCharges adds those of one file.
func addCharges(t *testing.T, want map[charge]*amounts, file string) {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(source), "\n") {
		code, comment, ok := strings.Cut(line, "//= ")
		if !ok || strings.TrimSpace(code) == "//" || strings.TrimSpace(code) == "" {
			continue
		}
		comment, later, changed := strings.Cut(comment, " | since ")
		if release, charges, _ := strings.Cut(later, ": "); changed && version.Compare(runtime.Version(), release) >= 0 {
			comment = charges
		}
		for text := range strings.SplitSeq(comment, "; ") {
			what, sizes, _ := strings.Cut(text, ": ")
			cause, site, _ := strings.Cut(what, " @")
			a := &amounts{Classes: make(map[sizeclass.Bound]int64)}
			for part := range strings.SplitSeq(sizes, " + ") {
				var n, size int64
				var class string
				if _, err := fmt.Sscanf(part, "%d of %d in %s", &n, &size, &class); err != nil {
					t.Fatalf("%s:%d: %q: %v", file, i+1, part, err)
				}
				bound := sizeclass.Large
				if class != "large" {
					b, err := strconv.Atoi(class)
					if err != nil {
						t.Fatalf("%s:%d: %v", file, i+1, err)
					}
					bound = sizeclass.Bound(b)
				}
				a.Objects += n
				a.Requested += n * size
				a.Classes[bound] += n
				if size < 16 {
					a.Below16 += n
				}
			}
			want[charge{file, i + 1, cause, site}] = a
		}
	}
}

// ownCharges returns those of want that are charged to f, or to a helper that
// stands below it.
func ownCharges(t *testing.T, want map[charge]*amounts, f func()) map[charge]*amounts {
	t.Helper()
	fn := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	file, first := fn.FileLine(fn.Entry())
	file = path.Base(file)
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(source), "\n")
	end := func(from int) int { // of the function that begins in a line
		if !strings.HasSuffix(lines[from-1], "}") {
			for lines[from-1] != "}" && !strings.Contains(lines[from-1], "} //= ") {
				from++
			}
		}
		return from
	}
	last := end(first)
	if last+2 < len(lines) && lines[last+1] == "//go:noinline" {
		last = end(last + 3)
	}
	own := make(map[charge]*amounts)
	for c, a := range want {
		if c.file == file && c.line >= first && c.line <= last {
			own[c] = a
		}
	}
	return own
}

func TestConstructs(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // each P has pools of its own
	want := wantedCharges(t)
	charged := make(map[charge]bool)
	if len(constructs) < 40 {
		t.Fatalf("%d constructs", len(constructs))
	}
	for name, f := range constructs {
		t.Run(name, func(t *testing.T) {
			r := mustMeasure(t, MeasureOptions{Label: name, WarmUp: 2}, func() (int, error) { f(); return 1, nil })
			want := ownCharges(t, want, f)
			for c := range want {
				charged[c] = true
			}
			if hooked() {
				compareExact(t, want, r)
			} else {
				comparePlain(t, want, r)
			}
			if t.Failed() {
				t.Log(text(t, r))
			}
		})
	}
	for c := range want {
		if !charged[c] {
			t.Errorf("%s:%d: in no construct", c.file, c.line)
		}
	}
}

// charges returns what r charges to the lines of the constructs.
func charges(t *testing.T, r *Report) map[charge]*amounts {
	t.Helper()
	got := make(map[charge]*amounts)
	for _, x := range r.Sites {
		if x.Function == noLine || ofRuntime(x) {
			continue
		}
		if !isConstruct(x.UserFile) {
			t.Errorf("%d objects at %s:%d, %s, for %s:%d", x.Objects, x.File, x.Line, x.Cause, x.UserFile, x.UserLine)
			continue
		}
		c := charge{file: path.Base(x.UserFile), line: x.UserLine, cause: x.Cause}
		if x.Function != x.UserFunction {
			c.site = x.Function
		}
		a := got[c]
		if a == nil {
			a = &amounts{Classes: make(map[sizeclass.Bound]int64)}
			got[c] = a
		}
		a.Objects += x.Objects
		a.Requested += x.Requested
		for _, b := range x.SizeClasses {
			a.Classes[b.Max] += b.Objects
		}
	}
	return got
}

func compareExact(t *testing.T, want map[charge]*amounts, r *Report) {
	t.Helper()
	got := charges(t, r)
	for _, a := range want {
		a.Below16 = 0
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(charge{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if r.Runtime.Objects != r.Totals.Objects || r.Runtime.Bytes != r.Totals.Bytes {
		t.Errorf("totals %+v, the runtime counted %+v", r.Totals, *r.Runtime)
	}
}

// comparePlain holds what a plain build can know: all objects, but the lines of
// tiny ones only of those that opened a block.
func comparePlain(t *testing.T, want map[charge]*amounts, r *Report) {
	t.Helper()
	place := func(c charge) charge { return charge{file: c.file, line: c.line, site: c.site} }
	most, tiny, objects := make(map[charge]int64), make(map[charge]int64), int64(0)
	for c, a := range want {
		most[place(c)] += a.Objects
		tiny[place(c)] += a.Below16
		objects += a.Objects
	}
	got := make(map[charge]int64)
	for c, a := range charges(t, r) {
		got[place(c)] += a.Objects
	}
	for c := range maps.Keys(got) {
		if most[c] == 0 {
			t.Errorf("%s:%d, %q: %d objects, want none", c.file, c.line, c.site, got[c])
		}
	}
	for c, n := range most {
		if got[c] > n || got[c] < n-tiny[c] {
			t.Errorf("%s:%d, %q: %d objects, want %d, or without tiny ones %d", c.file, c.line, c.site, got[c], n, n-tiny[c])
		}
	}
	var own int64
	for _, x := range r.Sites {
		if x.Function == noLine || isConstruct(x.UserFile) {
			own += x.Objects
		}
	}
	if own != objects {
		t.Errorf("%d objects, want %d", own, objects)
	}
	if r.Unplaced > sum(tiny) {
		t.Errorf("%d objects without a line, of %d that can be tiny", r.Unplaced, sum(tiny))
	}
	if all := *r.Runtime; all.Objects != r.Totals.Objects || all.Bytes != r.Totals.Bytes {
		t.Errorf("totals %+v, the runtime counted %+v", r.Totals, all)
	}
}

func sum(m map[charge]int64) (all int64) {
	for _, n := range slices.Collect(maps.Values(m)) {
		all += n
	}
	return all
}
