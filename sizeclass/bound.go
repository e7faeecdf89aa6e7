package sizeclass

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// The table of internal/runtime/gc/sizeclasses.go, Go 1.26, without its unused
// class 0.
var bounds = [...]Bound{
	8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240,
	256, 288, 320, 352, 384, 416, 448, 480, 512, 576, 640, 704, 768, 896, 1024,
	1152, 1280, 1408, 1536, 1792, 2048, 2304, 2688, 3072, 3200, 3456, 4096, 4864,
	5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728, 10240, 10880, 12288, 13568,
	14336, 16384, 18432, 19072, 20480, 21760, 24576, 27264, 28672, 32768,
}

// largest is the bound of the last size class.
const largest Bound = 32768

// Bounds returns the 67 size classes in order, without [Large].
func Bounds() []Bound { return slices.Clone(bounds[:]) }

// Of returns the smallest size class that holds an object of the requested
// size, or [Large] where none does.
func Of(size int64) Bound {
	i, _ := slices.BinarySearch(bounds[:], Bound(size))
	if i == len(bounds) {
		return Large
	}
	return bounds[i]
}

// String returns "≤8" for the class of 8 bytes, and ">32768" for [Large].
func (b Bound) String() string {
	if b == Large {
		return over(largest)
	}
	return "≤" + strconv.FormatInt(int64(b), 10)
}

func over(b Bound) string { return ">" + strconv.FormatInt(int64(b), 10) }

// MarshalJSON writes the number of bytes, or null for [Large].
func (b Bound) MarshalJSON() ([]byte, error) {
	if b == Large {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(b), 10), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Bound) UnmarshalJSON(data []byte) error {
	var n *int64
	if err := json.Unmarshal(data, &n); err != nil {
		return fmt.Errorf("size class %s: not a whole number of bytes or null", data)
	}
	if n == nil {
		*b = Large
		return nil
	}
	*b = Bound(*n)
	return nil
}
