package sizeclass_test

import (
	"slices"
	"testing"

	"github.com/alloctop/alloctop/sizeclass"
)

func FuzzSlot(f *testing.F) {
	for _, b := range sizeclass.Bounds() {
		f.Add(int64(b)-1, int64(1), false)
		f.Add(int64(b), int64(1), true)
	}
	f.Fuzz(func(t *testing.T, size, more int64, pointers bool) {
		if size < 0 || more < 0 || size+more < size {
			return
		}
		slot, class := sizeclass.Slot(size, pointers), sizeclass.Of(size)
		if slot < size {
			t.Errorf("a slot of %d bytes does not hold %d", slot, size)
		}
		if size > int64(class) {
			t.Errorf("class %d does not hold %d bytes", class, size)
		}
		if class != sizeclass.Large && !slices.Contains(sizeclass.Bounds(), class) {
			t.Errorf("%d is in class %d, which Go does not have", size, class)
		}
		if slot > 0 && slot <= 32768 && int64(sizeclass.Of(slot)) != slot {
			t.Errorf("a slot of %d bytes is of no class", slot)
		}
		if next := sizeclass.Slot(size+more, pointers); next < slot {
			t.Errorf("%d bytes take %d, and %d take only %d", size, slot, size+more, next)
		}
		if next := sizeclass.Of(size + more); next < class {
			t.Errorf("%d bytes are in class %d, and %d in %d", size, class, size+more, next)
		}
	})
}
