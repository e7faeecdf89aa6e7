package sizeclass_test

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"testing"

	"github.com/alloctop/alloctop/sizeclass"
)

// Appending makes room for as many elements as fit the slot, so its result
// tells how large the slot of any size is, in the runtime that runs the test
// (runtime/slice.go, growslice).

func TestSlotOfBytesIsWhatTheRuntimeTakes(t *testing.T) {
	seen := map[sizeclass.Bound]bool{}
	data := make([]byte, 50_000)
	for n := 1; n <= len(data); n++ {
		got := int64(cap(append([]byte(nil), data[:n]...)))
		want := sizeclass.Slot(int64(n), false)
		if sizeclass.Tiny(int64(n), false) {
			want = int64(sizeclass.Of(int64(n))) // a share of a block
		}
		if got != want {
			t.Fatalf("the runtime makes room for %d bytes to hold %d, Slot says %d", got, n, want)
		}
		if got <= 32768 {
			seen[sizeclass.Bound(got)] = true
		}
	}
	for _, b := range sizeclass.Bounds() {
		if !seen[b] {
			t.Errorf("no append ended in the class of %d bytes", b)
		}
	}
	if len(seen) != 67 {
		t.Errorf("appending found %d classes, want 67", len(seen))
	}
}

func TestSlotOfPointersIsWhatTheRuntimeTakes(t *testing.T) {
	data := make([]*int, 6_000)
	for n := 1; n <= len(data); n++ {
		got := 8 * int64(cap(append([]*int(nil), data[:n]...)))
		want := sizeclass.Slot(8*int64(n), true)
		if got > 512 && want <= 32768 && 8*n <= 32760 {
			got += 8 // the header
		}
		if got != want {
			t.Fatalf("the runtime takes %d bytes for %d of pointers, Slot says %d", got, 8*n, want)
		}
	}
}

func TestSlotIsWhatTheRuntimeCounts(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const objects = 10
	var before, after runtime.MemStats
	for _, b := range sizeclass.Bounds() {
		for _, size := range []int{int(b) - 1, int(b), int(b) + 1} {
			runtime.ReadMemStats(&before)
			for range objects {
				sink = make([]byte, size)
			}
			runtime.ReadMemStats(&after)
			if sizeclass.Tiny(int64(size), false) {
				continue // shares blocks with others
			}
			if got, want := after.TotalAlloc-before.TotalAlloc, objects*sizeclass.Slot(int64(size), false); got != uint64(want) {
				t.Errorf("%d objects of %d bytes: the runtime counted %d bytes, Slot says %d", objects, size, got, want)
			}
			if got := after.Mallocs - before.Mallocs; got != objects {
				t.Errorf("%d objects of %d bytes: the runtime counted %d objects", objects, size, got)
			}
		}
	}
}

var sink []byte

func TestTinyObjectsShareBlocks(t *testing.T) {
	// Where two or more fit, 1000 of them take fewer than 1000 blocks.
	for size := 1; size <= 24; size++ {
		blocks := blocksOf(1000, size)
		if shares, want := blocks < 1000, sizeclass.Tiny(int64(size), false) && size <= 8 && !race; shares != want {
			t.Errorf("1000 objects of %d bytes took %d slots, sharing: %v, want %v", size, blocks, shares, want)
		}
	}
}

// blocksOf allocates n pointer-free objects and returns how many slots they took.
func blocksOf(n, size int) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	slot := uint64(sizeclass.Slot(int64(size), false))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range n {
		sink = make([]byte, size)
	}
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / slot
}

func TestBoundsAreThoseOfMemStats(t *testing.T) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	var got []sizeclass.Bound
	for _, c := range m.BySize[1:] {
		got = append(got, sizeclass.Bound(c.Size))
	}
	if want := sizeclass.Bounds()[:len(got)]; !slices.Equal(got, want) {
		t.Errorf("MemStats.BySize has classes\n%d, Bounds\n%d", got, want)
	}
}

func TestBoundsAreThoseOfTheMetrics(t *testing.T) {
	s := []metrics.Sample{{Name: "/gc/heap/allocs-by-size:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindFloat64Histogram {
		t.Fatalf("%s has no histogram in %s", s[0].Name, runtime.Version())
	}
	var got []sizeclass.Bound
	for _, above := range s[0].Value.Float64Histogram().Buckets[1:] {
		if !math.IsInf(above, 1) {
			got = append(got, sizeclass.Bound(above)-1) // the metric's bound is the next class's first size
		}
	}
	if want := sizeclass.Bounds(); !slices.Equal(got, want) {
		t.Errorf("the metric has classes\n%d, Bounds\n%d", got, want)
	}
}
