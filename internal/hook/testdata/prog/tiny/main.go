// Command tiny makes a known number of objects of each size, each on a line of
// its own, which tiny_test.go finds by its text.
package main

import "fmt"

const n = 1_000_000

var (
	p1   *byte
	p2   *[2]byte
	p3   *[3]byte
	p4   *int32
	p7   *[7]byte
	p8   *int64
	p12  *[12]byte
	p15  *[15]byte
	p16  *[2]int64
	pp8  *struct{ next *int64 }
	p24  *[3]int64
	p32  *[4]int64
	p33  *[33]byte
	p512 *[512]byte
	p520 *struct {
		next *int64
		pad  [512]byte
	}
	big []byte
	str string
	box interface{}
)

func main() {
	raw := []byte("row")
	for i := range n {
		p1 = new(byte)                   // 1 B, tiny
		p2 = new([2]byte)                // 2 B, tiny
		p3 = new([3]byte)                // 3 B, tiny
		p4 = new(int32)                  // 4 B, tiny
		p7 = new([7]byte)                // 7 B, tiny
		p8 = new(int64)                  // 8 B, tiny
		p12 = new([12]byte)              // 12 B, tiny
		p15 = new([15]byte)              // 15 B, tiny
		p16 = new([2]int64)              // 16 B
		pp8 = new(struct{ next *int64 }) // 8 B with a pointer
		p24 = new([3]int64)              // 24 B
		p32 = new([4]int64)              // 32 B
		p33 = new([33]byte)              // 33 B, slot 48
		p512 = new([512]byte)            // 512 B
		p520 = new(struct {
			next *int64
			pad  [512]byte
		}) // 520 B with a pointer: header, slot 576
		str = string(raw) // 3 B, tiny, string from bytes
		box = i + 1000    // 8 B, tiny, boxed int
		if i%100 == 0 {
			big = make([]byte, 40_000) // 10,000 objects of 40,000 B, slot 40,960
		}
	}
	fmt.Println("done")
}
