package sizeclass_test

import (
	"fmt"

	"github.com/alloctop/alloctop/sizeclass"
)

func ExampleOf() {
	for _, size := range []int64{3, 24, 33, 40_000} {
		fmt.Println(size, "bytes are in", sizeclass.Of(size))
	}
	// Output:
	// 3 bytes are in ≤8
	// 24 bytes are in ≤24
	// 33 bytes are in ≤48
	// 40000 bytes are in >32768
}

func ExampleSlot() {
	fmt.Println("600 bytes without pointers take", sizeclass.Slot(600, false))
	fmt.Println("640 bytes without pointers take", sizeclass.Slot(640, false))
	fmt.Println("640 bytes with pointers take", sizeclass.Slot(640, true))
	// Output:
	// 600 bytes without pointers take 640
	// 640 bytes without pointers take 640
	// 640 bytes with pointers take 704
}

// How many of a program's objects are small?
func ExampleFold() {
	var h sizeclass.Histogram
	h.Add(3, 700, 2_240)      // 700 strings of 3 bytes
	h.Add(24, 200, 4_800)     // 200 structs of 24 bytes
	h.Add(1000, 100, 102_400) // 100 buffers of 1000 bytes

	steps, err := sizeclass.Fold(h.Buckets(), 8, 16, 32)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range steps {
		fmt.Printf("%-4v %4d objects %3.0f %% %4.0f %%\n", s, s.Objects, 100*s.Share, 100*s.CumulativeShare)
	}
	// Output:
	// ≤8    700 objects  70 %   70 %
	// ≤16     0 objects   0 %   70 %
	// ≤32   200 objects  20 %   90 %
	// >32   100 objects  10 %  100 %
}
