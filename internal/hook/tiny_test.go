package hook

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// Every line of a program that makes a known number of objects of a known
// size is there with exactly that, and nothing else is in its function.
func TestEverySizeOnItsLine(t *testing.T) {
	for _, c := range []config{go126, go127} {
		t.Run(c.name, func(t *testing.T) {
			counters, _ := run{}.ok(t, program(t, c, "tiny"))
			checkTiny(t, counters)
		})
	}
}

// tinyLine is what is known of one line of testdata/prog/tiny.
type tinyLine struct {
	Size    int64
	Type    string
	Tiny    bool
	Objects int64
	Bytes   int64 // 0 for tiny objects: which of them opens a block depends on those before it
}

func checkTiny(t *testing.T, c *counterfile.Counters) {
	t.Helper()
	const n, file = 1_000_000, "testdata/prog/tiny/main.go"
	want := map[int]tinyLine{
		lineOf(t, file, "p1 = new(byte)"):        {1, "uint8", true, n, 0},
		lineOf(t, file, "p2 = new([2]byte)"):     {2, "[2]uint8", true, n, 0},
		lineOf(t, file, "p3 = new([3]byte)"):     {3, "[3]uint8", true, n, 0},
		lineOf(t, file, "p4 = new(int32)"):       {4, "int32", true, n, 0},
		lineOf(t, file, "p7 = new([7]byte)"):     {7, "[7]uint8", true, n, 0},
		lineOf(t, file, "p8 = new(int64)"):       {8, "int64", true, n, 0},
		lineOf(t, file, "p12 = new([12]byte)"):   {12, "[12]uint8", true, n, 0},
		lineOf(t, file, "p15 = new([15]byte)"):   {15, "[15]uint8", true, n, 0},
		lineOf(t, file, "p16 = new([2]int64)"):   {16, "[2]int64", false, n, 16 * n},
		lineOf(t, file, "pp8 = new("):            {8, "struct { next *int64 }", false, n, 8 * n},
		lineOf(t, file, "p24 = new([3]int64)"):   {24, "[3]int64", false, n, 24 * n},
		lineOf(t, file, "p32 = new([4]int64)"):   {32, "[4]int64", false, n, 32 * n},
		lineOf(t, file, "p33 = new([33]byte)"):   {33, "[33]uint8", false, n, 48 * n},
		lineOf(t, file, "p512 = new([512]byte)"): {512, "[512]uint8", false, n, 512 * n},
		lineOf(t, file, "p520 = new("):           {520, "struct { next *int64; pad [512]uint8 }", false, n, 576 * n},
		lineOf(t, file, "str = string(raw)"):     {3, "", true, n, 0},
		lineOf(t, file, "box = i + 1000"):        {8, "runtime.uint64InterfacePtr", true, n, 0},
		lineOf(t, file, "big = make("):           {40_000, "uint8", false, n / 100, 40_960 * n / 100},
	}
	got := map[int]tinyLine{}
	var blocks int64
	for _, e := range c.Entries {
		stack := e.Stack.Expand()
		f := site(stack)
		if e.Tiny {
			blocks += e.Bytes
		}
		if f.Function != "main.main" || ofAllocator(stack) {
			continue
		}
		if !strings.HasSuffix(f.File, "/tiny/main.go") { // under -trimpath it begins with the import path
			t.Errorf("file %q", f.File)
		}
		l := got[f.Line]
		if l.Objects != 0 && (l.Size != e.Size || l.Type != e.Type || l.Tiny != e.Tiny) {
			t.Errorf("line %d has two kinds of objects: %+v and %+v", f.Line, l, e)
		}
		l = tinyLine{e.Size, e.Type, e.Tiny, l.Objects + e.Objects, l.Bytes + e.Bytes}
		if e.Tiny {
			l.Bytes = 0
		}
		got[f.Line] = l
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error("by line (-want +got):\n" + d)
	}
	if blocks == 0 || blocks%16 != 0 {
		t.Errorf("tiny objects took %d bytes, not a number of blocks of 16", blocks)
	}
	reconcile(t, c)
	if c.Folded != 0 || c.Missed != (counterfile.Totals{}) || c.GrowErr != 0 || c.Exit != (counterfile.Exit{State: counterfile.ExitCode}) {
		t.Errorf("folded %d, missed %v, errno %d, exit %+v", c.Folded, c.Missed, c.GrowErr, c.Exit)
	}
}

// lineOf returns the number of the one line with a text in it.
func lineOf(t testing.TB, file, text string) int {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	line := 0
	for i, l := range strings.Split(string(data), "\n") {
		if strings.Contains(l, text) {
			if line != 0 {
				t.Fatalf("%s:%d and %d both have %q", file, line, i+1, text)
			}
			line = i + 1
		}
	}
	if line == 0 {
		t.Fatalf("%s has no %q", file, text)
	}
	return line
}
