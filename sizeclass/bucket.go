package sizeclass

import "math"

// Bound is the largest object of a size class in bytes, or Large.
type Bound int64

// Large is the bound of the class of objects too large for any size class.
const Large Bound = math.MaxInt64

// Bucket counts the objects of one size class.
type Bucket struct {
	Max       Bound `json:"max_bytes"` // null in JSON when Large
	Objects   int64 `json:"objects"`
	Bytes     int64 `json:"bytes"`           // slots, as the runtime counts them
	Requested int64 `json:"requested_bytes"` // what the program asked for
}
