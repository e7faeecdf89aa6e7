package sizeclass

import (
	"cmp"
	"slices"
)

// Histogram counts objects by size class. The zero value is empty and ready.
type Histogram struct {
	buckets []Bucket // in order of Max
}

// Add counts objects of one requested size. Bytes is what their slots take
// together, as it was counted and not as [Slot] would have it: a tiny object
// that shares a block takes nothing.
func (h *Histogram) Add(size, objects, bytes int64) {
	h.Merge(Bucket{Max: Of(size), Objects: objects, Bytes: bytes, Requested: size * objects})
}

// Merge counts what b counted, in the class b.Max.
func (h *Histogram) Merge(b Bucket) {
	if b == (Bucket{Max: b.Max}) {
		return
	}
	i, found := slices.BinarySearchFunc(h.buckets, b.Max, compareMax)
	if !found {
		h.buckets = slices.Insert(h.buckets, i, b)
		return
	}
	to := &h.buckets[i]
	to.Objects += b.Objects
	to.Bytes += b.Bytes
	to.Requested += b.Requested
}

// Buckets returns the classes that something was added to, smallest first. It
// is never nil, and later calls of Add do not change it.
func (h *Histogram) Buckets() []Bucket {
	return append([]Bucket{}, h.buckets...)
}

// Waste returns the slot bytes that nobody asked for. Of one class it can be
// negative, where tiny objects share blocks that were opened by, and charged
// to, objects of another class; over all classes it is what was lost.
func (b Bucket) Waste() int64 { return b.Bytes - b.Requested }

func compareMax(b Bucket, class Bound) int { return cmp.Compare(b.Max, class) }
