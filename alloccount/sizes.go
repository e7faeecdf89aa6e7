package alloccount

import (
	"cmp"
	"maps"
	"slices"

	"github.com/alloctop/alloctop/sizeclass"
)

// sizes counts objects by size class. Unlike a [sizeclass.Histogram] it is told
// what was requested, which in a sampled profile is not size times objects.
type sizes map[sizeclass.Bound]*sizeclass.Bucket

// add counts objects of one requested size.
func (t sizes) add(size, objects, bytes, requested int64) {
	max := sizeclass.Of(size)
	b := t[max]
	if b == nil {
		b = &sizeclass.Bucket{Max: max}
		t[max] = b
	}
	b.Objects += objects
	b.Bytes += bytes
	b.Requested += requested
}

// list returns the classes with objects, smallest first.
func (t sizes) list() []sizeclass.Bucket {
	list := make([]sizeclass.Bucket, 0, len(t))
	for _, b := range slices.SortedFunc(maps.Values(t), func(a, b *sizeclass.Bucket) int { return cmp.Compare(a.Max, b.Max) }) {
		list = append(list, *b)
	}
	return list
}
