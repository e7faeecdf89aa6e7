package hook

import (
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/alloctop/alloctop/internal/counterfile"
)

const errFBig, errNoSpace = int(syscall.EFBIG), int(syscall.ENOSPC)

// limited starts a program that may write no file larger than so many KB.
func limited(kb int) []string {
	return []string{"sh", "-c", fmt.Sprintf(`ulimit -f %d; exec "$0" "$@"`, 2*kb)}
}

// Every path of a recursion is a stack of its own, and is there once.
func TestEveryPathOfARecursion(t *testing.T) {
	const depth, goroutines = 15, 3
	counters, _ := run{args: []string{fmt.Sprint(depth), fmt.Sprint(goroutines)}}.ok(t, program(t, go126, "recursive"))
	reconcile(t, counters)
	if counters.Folded != 0 || counters.Missed != (counterfile.Totals{}) || counters.GrowErr != 0 {
		t.Errorf("folded %d, missed %v, errno %d", counters.Folded, counters.Missed, counters.GrowErr)
	}
	const file = "testdata/prog/recursive/main.go"
	left, right := lineOf(t, file, "// left"), lineOf(t, file, "// right")
	counts := map[int]int64{} // by path, with a leading 1
	for _, e := range counters.Entries {
		if e.Type != "main.leaf" {
			continue
		}
		stack, path, turns := e.Stack.Expand(), 1, 0
		for _, f := range slices.Backward(stack) {
			if f.Function == "main.descend" && (f.Line == left || f.Line == right) {
				path = path*2 + f.Line&1 ^ left&1
				turns++
			}
		}
		if leaf := fmt.Sprintf("main.leaf%d", path%4); turns != depth || site(stack).Function != leaf {
			t.Fatalf("%d turns, want %d; at %s, want %s: %v", turns, depth, site(stack).Function, leaf, stack)
		}
		counts[path] += e.Objects
	}
	if len(counts) != 1<<depth {
		t.Errorf("%d paths, want %d", len(counts), 1<<depth)
	}
	for path, n := range counts {
		if n != goroutines || bits.Len(uint(path)) != depth+1 {
			t.Fatalf("%d objects on path %b, want %d", n, path, goroutines)
		}
	}
}

// A file that cannot grow holds the sites all the same: totals and leaf sites
// are exact, what was folded is said, and the program notices nothing.
func TestFileThatCannotGrow(t *testing.T) {
	for _, kb := range []int{2 << 10, 7 << 10, 20 << 10} {
		t.Run(fmt.Sprint(kb, "KB"), func(t *testing.T) {
			counters, o := run{args: []string{"18", "2"}, wrap: limited(kb)}.ok(t, program(t, go126, "recursive"))
			checkFolded(t, counters, o, errFBig, 2<<18)
			if size := fileSize(t, o.files[0]); size > int64(kb)<<10 {
				t.Errorf("the file has %d bytes, more than the %d KB allowed", size, kb)
			}
		})
	}
}

// There may also be too many different innermost calls to keep as many as a
// folded stack has: then the lines are kept.
func TestTooManyLeaves(t *testing.T) {
	for _, kb := range []int{2 << 10, 7 << 10} {
		t.Run(fmt.Sprint(kb, "KB"), func(t *testing.T) {
			counters, o := run{args: []string{"5"}, wrap: limited(kb)}.ok(t, program(t, go126, "fanout"))
			checkFolded(t, counters, o, errFBig, 1<<20)
		})
	}
}

// Another file of the same name is not taken for the counters'.
func TestReplacedFile(t *testing.T) {
	dir := t.TempDir()
	o := run{args: []string{"5", "replace"}, dir: dir}.of(t, program(t, go126, "fanout"))
	if !o.state.Success() {
		t.Fatalf("%v\n%s", o.state, o.stderr)
	}
	moved, err := filepath.Glob(filepath.Join(dir, "*.moved"))
	if err != nil || len(moved) != 1 || fileSize(t, strings.TrimSuffix(moved[0], ".moved")) != 0 {
		t.Fatalf("moved %v, %v; the other file must stay empty", moved, err)
	}
	checkFolded(t, readFile(t, moved[0]), o, int(syscall.ESTALE), 1<<20)
}

func checkFolded(t *testing.T, c *counterfile.Counters, o outcome, errno int, objects int64) {
	t.Helper()
	reconcile(t, c)
	for leaf := range 4 {
		got := countAt(c, fmt.Sprintf("main.leaf%d", leaf))
		if want := objects / 4; got.Objects != want || got.Bytes != want*24 || got.Requested != want*24 {
			t.Errorf("leaf%d: counted %+v, want %d objects of 24 bytes", leaf, got, want)
		}
	}
	if c.Folded == 0 || c.GrowErr != errno || c.Missed != (counterfile.Totals{}) {
		t.Errorf("folded %d, want some; errno %d, want %d; missed %v, want none", c.Folded, c.GrowErr, errno, c.Missed)
	}
	if o.stdout != "unharmed\n" || o.stderr != "" {
		t.Errorf("the program wrote %q and %q", o.stdout, o.stderr)
	}
}

// Where the disk is full the same holds.
func TestFullDisk(t *testing.T) {
	needMatrix(t)
	need(t, os.Geteuid() == 0, "only root can mount a small file system to fill: run the tests as root")
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=7m"); err != nil {
		need(t, false, fmt.Sprintf("cannot mount a tmpfs (%v): run the tests where mounting is allowed", err))
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	counters, o := run{args: []string{"18", "2"}, dir: dir}.ok(t, program(t, go126, "recursive"))
	checkFolded(t, counters, o, errNoSpace, 2<<18)
}

// A directory that is of no use costs one line, and leaves no file.
func TestNoPlaceForTheFile(t *testing.T) {
	dir := t.TempDir()
	readOnly := filepath.Join(dir, "readonly")
	if err := os.Mkdir(readOnly, 0o500); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, dir string
		wrap      []string
		errno     syscall.Errno
	}{
		{"missing", filepath.Join(dir, "missing"), nil, syscall.ENOENT},
		{"a file", file, nil, syscall.ENOTDIR},
		{"too long", filepath.Join(dir, strings.Repeat("long/", 300)), nil, syscall.ENAMETOOLONG},
		{"no room", dir, limited(1 << 10), syscall.EFBIG},
		{"read only", "/proc/self", nil, syscall.ENOENT},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := run{args: []string{"3", "1"}, dir: c.dir, wrap: c.wrap}.of(t, program(t, go126, "recursive"))
			if !o.state.Success() || o.stdout != "unharmed\n" {
				t.Errorf("%v, output %q", o.state, o.stdout)
			}
			want := fmt.Sprintf("%s: nothing is counted: no counter file in %s: errno %d\n", Marker, c.dir, c.errno)
			if o.stderr != want {
				t.Errorf("it said %q, want %q", o.stderr, want)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*.allocs")); len(left) != 0 {
				t.Errorf("left %v", left)
			}
		})
	}
}

func fileSize(t *testing.T, name string) int64 {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
