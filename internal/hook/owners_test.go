package hook

import (
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"testing"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// A window of its own goroutines has what they allocate, and those that they
// start, to the object, whatever others do at the same time.
func TestOwners(t *testing.T) {
	for _, c := range []config{go126, go127, race} {
		t.Run(c.name, func(t *testing.T) {
			counters, _ := run{}.ok(t, program(t, c, "owners"))
			reconcile(t, counters)
			things := map[uint32]int64{}
			for _, e := range counters.Entries {
				if e.Type == "main.thing" {
					things[e.Segment] += e.Objects
				}
			}
			bySegment := totalsBySegment(counters)
			for _, w := range counters.Windows {
				if w.Name == "all" {
					if got := bySegment.of(w); w.Own || got.Objects != w.Objects || got.Bytes != w.Bytes {
						t.Errorf("window %s: hook counted %+v, the runtime %d objects, %d bytes", w.Name, got, w.Objects, w.Bytes)
					}
					continue
				}
				checkOwned(t, w, things)
			}
			if n := len(counters.Windows); n != 64 {
				t.Errorf("%d windows, want 64", n)
			}
		})
	}
}

// checkOwned compares a window with the number at the end of its name.
func checkOwned(t *testing.T, w counterfile.Window, things map[uint32]int64) {
	t.Helper()
	var want, got int64
	for i := len(w.Name); i > 0; i-- {
		if w.Name[i-1] == ' ' {
			if _, err := fmt.Sscan(w.Name[i:], &want); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	for _, s := range w.Segments {
		got += things[s]
	}
	if got != want || !w.Own || w.Open {
		t.Errorf("window %q has %d things (own %v, open %v)", w.Name, got, w.Own, w.Open)
	}
}

// A goroutine takes as much memory as without the hook.
func TestGoroutineSize(t *testing.T) {
	want := sizeOfG(t, program(t, plain, "guest"))
	for _, c := range []config{go126, go127} {
		if got := sizeOfG(t, program(t, c, "guest")); got != want {
			t.Errorf("%s: %d bytes, without the hook %d", c.name, got, want)
		}
	}
}

// sizeOfG returns the size of the runtime's g in a program.
func sizeOfG(t *testing.T, program string) int64 {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d, err := f.DWARF()
	if err != nil {
		t.Fatal(err)
	}
	for r := d.Reader(); ; {
		e, err := r.Next()
		if err != nil || e == nil {
			t.Fatalf("no type runtime.g: %v", err)
		}
		if e.Tag == dwarf.TagStructType && e.Val(dwarf.AttrName) == "runtime.g" {
			return e.Val(dwarf.AttrByteSize).(int64)
		}
	}
}
