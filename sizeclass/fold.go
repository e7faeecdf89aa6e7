package sizeclass

import (
	"fmt"
	"slices"
)

// Step is one row of a coarse histogram: the objects above one threshold, up
// to and including the next.
type Step struct {
	Over            Bound   `json:"over_bytes"` // exclusive, 0 in the first step
	Bucket                  // Max is the threshold, Large in the last step
	Share           float64 `json:"share"`            // of all objects, 0 if there are none
	CumulativeShare float64 `json:"cumulative_share"` // of all objects, up to and including this step
}

// String returns "≤16" for the step up to 16 bytes, and for the last step what
// it is above, ">64".
func (s Step) String() string {
	if s.Max == Large {
		return over(s.Over)
	}
	return s.Max.String()
}

// Fold counts buckets by coarser thresholds, which may come in any order. It
// returns a step for each, with objects in it or not, and a last one for what
// is above all of them. It is an error if a threshold is not the bound of a
// size class, since a class cannot be split.
func Fold(buckets []Bucket, thresholds ...Bound) ([]Step, error) {
	steps := make([]Step, 0, len(thresholds)+1)
	for _, t := range slices.Compact(slices.Sorted(slices.Values(thresholds))) {
		if t == Large {
			break // sorts last, and is the last step in any case
		}
		if t < 1 || Of(int64(t)) != t {
			return nil, notClass(t)
		}
		steps = append(steps, Step{Bucket: Bucket{Max: t}})
	}
	steps = append(steps, Step{Bucket: Bucket{Max: Large}})

	var total int64
	for _, b := range buckets {
		i, _ := slices.BinarySearchFunc(steps, b.Max, func(s Step, class Bound) int { return compareMax(s.Bucket, class) })
		s := &steps[i]
		s.Objects += b.Objects
		s.Bytes += b.Bytes
		s.Requested += b.Requested
		total += b.Objects
	}
	var below Bound
	var running int64
	for i := range steps {
		s := &steps[i]
		s.Over, below = below, s.Max
		running += s.Objects
		if total != 0 {
			s.Share = float64(s.Objects) / float64(total)
			s.CumulativeShare = float64(running) / float64(total)
		}
	}
	return steps, nil
}

func notClass(t Bound) error {
	i, _ := slices.BinarySearch(bounds[:], t)
	switch {
	case i == 0:
		return fmt.Errorf("%d bytes is not a size class of Go: use %d or more", t, bounds[0])
	case i == len(bounds):
		return fmt.Errorf("%d bytes is not a size class of Go: use %d or less", t, largest)
	}
	return fmt.Errorf("%d bytes is not a size class of Go: use %d or %d", t, bounds[i-1], bounds[i])
}
