package sizeclass_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/alloctop/alloctop/sizeclass"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		size int64
		want sizeclass.Bound
	}{
		{0, 8}, {1, 8}, {3, 8}, {8, 8}, {9, 16}, {16, 16}, {17, 24}, {33, 48}, {512, 512}, {513, 576},
		{1024, 1024}, {1025, 1152}, {28673, 32768}, {32760, 32768}, {32761, 32768}, {32768, 32768},
		{32769, sizeclass.Large}, {math.MaxInt64, sizeclass.Large},
	} {
		if got := sizeclass.Of(c.size); got != c.want {
			t.Errorf("Of(%d) = %d, want %d", c.size, got, c.want)
		}
	}
}

func TestSlot(t *testing.T) {
	for _, c := range []struct {
		size            int64
		noscan, pointer int64
	}{
		{0, 0, 0},
		{1, 16, 8},
		{8, 16, 8},
		{15, 16, 16},
		{16, 16, 16},
		{33, 48, 48},
		{512, 512, 512},
		{520, 576, 576},
		{569, 576, 640}, // the header does not fit
		{32760, 32768, 32768},
		{32761, 32768, 32768}, // large, and by chance of the same size
		{32768, 32768, 32768},
		{32769, 40960, 40960},
		{40000, 40960, 40960},
		{40961, 49152, 49152},
		{math.MaxInt64, math.MaxInt64, math.MaxInt64},
	} {
		if got := sizeclass.Slot(c.size, false); got != c.noscan {
			t.Errorf("Slot(%d, false) = %d, want %d", c.size, got, c.noscan)
		}
		if got := sizeclass.Slot(c.size, true); got != c.pointer {
			t.Errorf("Slot(%d, true) = %d, want %d", c.size, got, c.pointer)
		}
	}
}

func TestTiny(t *testing.T) {
	for size := range int64(20) {
		if got, want := sizeclass.Tiny(size, false), size >= 1 && size <= 15; got != want {
			t.Errorf("Tiny(%d, false) = %v, want %v", size, got, want)
		}
		if sizeclass.Tiny(size, true) {
			t.Errorf("Tiny(%d, true) = true, objects with pointers are never tiny", size)
		}
	}
}

func TestBoundText(t *testing.T) {
	for _, c := range []struct {
		bound        sizeclass.Bound
		text, asJSON string
	}{{8, "≤8", "8"}, {32768, "≤32768", "32768"}, {sizeclass.Large, ">32768", "null"}} {
		if got := c.bound.String(); got != c.text {
			t.Errorf("String of %d = %q, want %q", c.bound, got, c.text)
		}
		got, err := json.Marshal(sizeclass.Bucket{Max: c.bound, Objects: 1, Bytes: 2, Requested: 3})
		if want := `{"max_bytes":` + c.asJSON + `,"objects":1,"bytes":2,"requested_bytes":3}`; err != nil || string(got) != want {
			t.Errorf("JSON of %d = %s, %v, want %s", c.bound, got, err, want)
		}
		var back sizeclass.Bucket
		if err := json.Unmarshal(got, &back); err != nil || back.Max != c.bound {
			t.Errorf("%s reads back as %d, %v", got, back.Max, err)
		}
	}
	for _, bad := range []string{`"8"`, `8.5`, `true`, `{}`} {
		var b sizeclass.Bound
		if err := json.Unmarshal([]byte(bad), &b); err == nil {
			t.Errorf("%s was read as class %d, want an error", bad, b)
		}
	}
}

func TestHistogram(t *testing.T) {
	var h sizeclass.Histogram
	if got := h.Buckets(); got == nil || len(got) != 0 {
		t.Errorf("Buckets of an empty histogram = %#v, want an empty slice", got)
	}
	h.Add(40_000, 2, 81_920)
	h.Add(24, 1000, 24_000)
	h.Add(3, 1000, 4_000)
	h.Add(8, 500, 4_000)
	h.Add(20, 10, 240)
	h.Add(100, 0, 0)
	first := h.Buckets()
	h.Add(8, 1, 16)
	want := []sizeclass.Bucket{
		{Max: 8, Objects: 1500, Bytes: 8_000, Requested: 7_000},
		{Max: 24, Objects: 1010, Bytes: 24_240, Requested: 24_200},
		{Max: sizeclass.Large, Objects: 2, Bytes: 81_920, Requested: 80_000},
	}
	if !slices.Equal(first, want) {
		t.Errorf("Buckets = %v, want %v", first, want)
	}
	for _, b := range want {
		h.Merge(b)
	}
	if got := h.Buckets()[0]; got != (sizeclass.Bucket{Max: 8, Objects: 3001, Bytes: 16_016, Requested: 14_008}) {
		t.Errorf("first bucket after a merge with the same again and one more object = %v", got)
	}
	if got := want[2].Waste(); got != 1920 {
		t.Errorf("waste of the large objects = %d, want 1920", got)
	}
}

func TestFold(t *testing.T) {
	buckets := []sizeclass.Bucket{
		{Max: 8, Objects: 50, Bytes: 400, Requested: 100},
		{Max: 24, Objects: 10, Bytes: 240, Requested: 230},
		{Max: 32, Objects: 20, Bytes: 640, Requested: 600},
		{Max: 512, Objects: 15, Bytes: 7680, Requested: 7000},
		{Max: sizeclass.Large, Objects: 5, Bytes: 204800, Requested: 200000},
	}
	got, err := sizeclass.Fold(buckets, 64, 8, 32, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	want := []sizeclass.Step{
		{Over: 0, Bucket: sizeclass.Bucket{Max: 8, Objects: 50, Bytes: 400, Requested: 100}, Share: 0.5, CumulativeShare: 0.5},
		{Over: 8, Bucket: sizeclass.Bucket{Max: 16}, Share: 0, CumulativeShare: 0.5},
		{Over: 16, Bucket: sizeclass.Bucket{Max: 32, Objects: 30, Bytes: 880, Requested: 830}, Share: 0.3, CumulativeShare: 0.8},
		{Over: 32, Bucket: sizeclass.Bucket{Max: 64}, Share: 0, CumulativeShare: 0.8},
		{Over: 64, Bucket: sizeclass.Bucket{Max: sizeclass.Large, Objects: 20, Bytes: 212480, Requested: 207000}, Share: 0.2, CumulativeShare: 1},
	}
	if !slices.Equal(got, want) {
		t.Errorf("Fold =\n%+v, want\n%+v", got, want)
	}
	if s := got[1].String() + " " + got[4].String(); s != "≤16 >64" {
		t.Errorf("steps are called %q, want %q", s, "≤16 >64")
	}
}

func TestFoldOfNothing(t *testing.T) {
	got, err := sizeclass.Fold(nil, 8)
	if err != nil || len(got) != 2 || got[0].Share != 0 || got[1].CumulativeShare != 0 {
		t.Errorf("Fold of nothing = %+v, %v, want two steps without a share", got, err)
	}
}

func TestFoldRefusesWhatIsNoClass(t *testing.T) {
	for threshold, want := range map[sizeclass.Bound]string{
		20:    "20 bytes is not a size class of Go: use 16 or 24",
		0:     "0 bytes is not a size class of Go: use 8 or more",
		-1:    "-1 bytes is not a size class of Go: use 8 or more",
		40000: "40000 bytes is not a size class of Go: use 32768 or less",
	} {
		if _, err := sizeclass.Fold(nil, 8, threshold); err == nil || err.Error() != want {
			t.Errorf("Fold to %d: error %v, want %s", threshold, err, want)
		}
	}
}
