package alloccount

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// TestFill: the runtime's counts are right, and the profile has a little more,
// from before and after them.
func TestFill(t *testing.T) {
	stack := func(functions ...string) *counterfile.Stack {
		s := new(counterfile.Stack)
		for _, f := range functions {
			s.Frames = append(s.Frames, counterfile.Frame{Function: f})
		}
		return s
	}
	own := stack("main.parse", functionCall)
	first := stack("main.parse", functionFirst)
	other := stack("main.serve")
	runtimes := stack("runtime.allocm")
	edge := stack("runtime.newm", functionEdge)
	entry := func(s *counterfile.Stack, size, objects int64) counterfile.Entry {
		return counterfile.Entry{Stack: s, Size: size, Objects: objects, Bytes: size * objects}
	}
	for _, c := range []struct {
		name     string
		found    []counterfile.Entry
		classes  map[int64]int64 // by slot; 0 is large
		tiny     int64
		bytes    int64
		want     []string
		counted  Counted
		unplaced int64
	}{
		{
			name:    "all",
			found:   []counterfile.Entry{entry(own, 32, 5), entry(own, 48, 2), entry(other, 32, 1)},
			classes: map[int64]int64{32: 6, 48: 2}, bytes: 6*32 + 2*48,
			want:    []string{"main.parse 5 of 32", "main.parse 2 of 48", "main.serve 1 of 32"},
			counted: Counted{8, 6*32 + 2*48},
		},
		{
			name:    "more of others than there were",
			found:   []counterfile.Entry{entry(runtimes, 32, 3), entry(other, 32, 2), entry(own, 32, 5), entry(first, 32, 9)},
			classes: map[int64]int64{32: 6}, bytes: 6 * 32,
			want:    []string{"main.parse 5 of 32", "main.serve 1 of 32"},
			counted: Counted{6, 6 * 32},
		},
		{
			name:    "edges are not counted",
			found:   []counterfile.Entry{entry(own, 32, 5), entry(edge, 112, 2), entry(edge, 48, 1)},
			classes: map[int64]int64{32: 5, 112: 1}, bytes: 5*32 + 112,
			want:    []string{"main.parse 5 of 32"},
			counted: Counted{5, 5 * 32},
		},
		{
			name:    "tiny and missing ones",
			found:   []counterfile.Entry{entry(own, 16, 5)},
			classes: map[int64]int64{16: 5, 64: 2, 0: 1}, tiny: 7, bytes: 5*16 + 2*64 + 40960,
			want:    []string{"main.parse 5 of 16", noPath + " 2 of 64", noPath + " 1 of 40960", noLine + " 7 of 16"},
			counted: Counted{15, 5*16 + 2*64 + 40960}, unplaced: 10,
		},
		{
			name:    "four pages are large",
			found:   []counterfile.Entry{entry(own, 32768, 2)},
			classes: map[int64]int64{32768: 1, 0: 1}, bytes: 2 * 32768,
			want:    []string{"main.parse 1 of 32768", "main.parse 1 of 32768"},
			counted: Counted{2, 2 * 32768},
		},
		{
			name:    "other large ones",
			found:   []counterfile.Entry{entry(own, 65536, 1), entry(other, 40960, 1), entry(other, 81920, 1)},
			classes: map[int64]int64{0: 2}, bytes: 65536 + 81920,
			want:    []string{"main.parse 1 of 65536", noPath + " 1 of 81920"},
			counted: Counted{2, 65536 + 81920}, unplaced: 1,
		},
	} {
		p := newPart(c.name, 0)
		p.growth.tiny = c.tiny
		p.growth.counted = Counted{Bytes: c.bytes, Objects: c.tiny}
		bounds := p.from.sizes[0].Value.Float64Histogram().Buckets
		for slot, n := range c.classes {
			at := len(p.growth.classes) - 1
			if slot != 0 {
				at = slices.Index(bounds, float64(slot+1)) - 1
			}
			p.growth.classes[at] = n
			p.growth.counted.Objects += n
		}
		(&heapPlacer{found: c.found}).fill(p, functionCall)
		var got []string
		var bytes int64
		for _, e := range p.entries {
			bytes += e.Bytes
			got = append(got, e.Stack.Frames[0].Function+" "+fmt.Sprint(e.Objects, " of ", e.Size))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.name, diff)
		}
		if p.growth.counted != c.counted || bytes != c.counted.Bytes || p.unplaced != c.unplaced {
			t.Errorf("%s: counted %+v, entries of %d bytes, %d unplaced", c.name, p.growth.counted, bytes, p.unplaced)
		}
	}
}
