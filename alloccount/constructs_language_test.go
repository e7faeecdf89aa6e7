//go:build !race

package alloccount

import "slices"

// runtime/string.go, slicebytetostring: nothing for no byte, a static string
// for one, else an object of the length.
func stringOf0() { kept.string = string(from.letters[:0]) }
func stringOf1() { kept.string = string(from.letters[:1]) }
func stringOf2() {
	kept.string = string(from.letters[:2]) //= string from bytes: 1 of 2 in 8
}
func stringOf15() {
	kept.string = string(from.letters[:15]) //= string from bytes: 1 of 15 in 16
}
func stringOf16() {
	kept.string = string(from.letters[:16]) //= string from bytes: 1 of 16 in 16
}
func stringOf33() {
	kept.string = string(from.letters[:33]) //= string from bytes: 1 of 33 in 48
}

// The compiler makes no string where it is only looked at (slicebytetostringtmp).
func stringLookup() { kept.int = from.index[string(from.letters[:4])] }
func stringCompare() {
	if string(from.letters[:40]) == from.text {
		kept.int++
	}
}

// rawbyteslice and rawruneslice ask for all of the slot.
func bytesOf5() {
	kept.bytes = []byte(from.text[:5]) //= bytes from string: 1 of 8 in 8
}
func bytesOf40() {
	kept.bytes = []byte(from.text[:40]) //= bytes from string: 1 of 48 in 48
}
func stringOfRunes() { // slicerunetostring asks for 3 bytes more
	kept.string = string(from.runes) //= string from runes: 1 of 9 in 16
}
func runesOfString() {
	kept.runes = []rune(from.text[:10]) //= runes from string: 1 of 48 in 48
}

// intstring makes room for the longest rune.
func stringOfRune() {
	kept.string = string(rune(from.thousand)) //= string from a rune: 1 of 4 in 8
}

// concatstrings makes one object, and none if only one of them is not empty.
func concat2() {
	kept.string = from.text[:5] + from.text[:5] //= string concatenation: 1 of 10 in 16
}
func concat5() {
	kept.string = from.text + "," + from.text + ";" + from.text //= string concatenation: 1 of 194 in 208
}
func concatNothing() { kept.string = from.text + from.empty }
func concatLoop() {
	kept.string = ""
	for range 5 { // 3, 6, 9, 12 and 15 bytes; the first is not a new string
		kept.string += from.text[:3] //= string concatenation: 1 of 6 in 8 + 1 of 9 in 16 + 1 of 12 in 16 + 1 of 15 in 16
	}
}

// runtime/iface.go, convT64 and its like: nothing for values below 256 and for
// zero values.
func boxSmall() {
	kept.any = from.n
	kept.any = from.empty
	kept.any = from.n > 3
}
func boxInt() {
	kept.any = from.thousand //= boxing into an interface: 1 of 8 in 8
}
func boxFloat() {
	kept.any = from.float //= boxing into an interface: 1 of 8 in 8
}
func boxString() {
	kept.any = from.text //= boxing into an interface: 1 of 16 in 16
}
func boxSlice() {
	kept.any = from.letters //= boxing into an interface: 1 of 24 in 24
}
func boxStruct() {
	kept.any = *from.node //= boxing into an interface: 1 of 32 in 32
}
func boxPointer() { kept.any = from.node }

// The slice of arguments, and each argument.
func variadic() {
	keepAll(from.text, from.thousand, from.node) //= new object: 1 of 48 in 48; boxing into an interface: 1 of 16 in 16 + 1 of 8 in 8
}

//go:noinline
func keepAll(args ...any) { kept.any = args[0]; keptArgs = args }

var keptArgs []any

func newInt() {
	kept.any = new(int64) //= new object: 1 of 8 in 8
}
func structLiteral() {
	kept.node = &node{size: from.n} //= new object: 1 of 32 in 32
}

// All objects of no size are runtime.zerobase.
func structOfNothing() { kept.nothing = new(struct{}) }
func escaping() {
	var n node //= new object: 1 of 32 in 32
	kept.node = &n
}
func escapingParameter() { keepParameter(*from.node) }

//go:noinline
func keepParameter(n node) { //= new object: 1 of 32 in 32
	kept.node = &n
}
func largeArray() {
	kept.wide = new(wide) //= new object: 1 of 320 in 320
}

// A closure is its code and what it captures.
func closure() {
	a, b := from.n, from.text
	kept.fn = func() { //= new object: 1 of 32 in 32
		kept.int = int(a) + len(b)
	}
}
func closureOverNothing() { kept.fn = func() { kept.int++ } }
func methodValue() {
	kept.fn = from.node.touch //= new object: 1 of 16 in 16
}
func methodExpression() { kept.method = (*node).touch }

// The records of deferred calls are used again, the closures are not.
func deferLoop() {
	for i := range from.n {
		defer func() { kept.int = int(i) }() //= new object: 9 of 16 in 16
	}
}

// The goroutine that ended is used again, so that only the closure is new.
func goStatement() {
	c := kept.channel
	if c == nil {
		c = make(chan int64)
		kept.channel = c
	}
	go func() { //= new object: 1 of 16 in 16
		c <- 1
	}()
	<-c
}

// internal/runtime/maps: a Map of 48 bytes, from the first element on a group
// of 8, and beyond that a directory of tables of 32 bytes with groups of their
// own. A group of map[int64]int64 has 8 + 8*(8+8) bytes.
func mapEmpty() {
	kept.numbers = make(map[int64]int64) //= new map: 1 of 48 in 48
}
func mapOf8() {
	m := make(map[int64]int64) //= new map: 1 of 48 in 48
	for i := range int64(8) {
		m[i] = i //= map growth: 1 of 136 in 144
	}
	kept.numbers = m
}
func mapOf9() {
	m := make(map[int64]int64) //= new map: 1 of 48 in 48
	for i := range int64(9) {
		m[i] = i //= map growth: 1 of 136 in 144 + 1 of 8 in 8 + 1 of 32 in 32 + 1 of 272 in 288
	}
	kept.numbers = m
}
func mapOf15() { // a table is full at 7/8 of its 16
	m := make(map[int64]int64) //= new map: 1 of 48 in 48
	for i := range int64(15) {
		m[i] = i //= map growth: 1 of 136 in 144 + 1 of 8 in 8 + 2 of 32 in 32 + 1 of 272 in 288 + 1 of 544 in 576
	}
	kept.numbers = m
}
func mapOf1000() { // a table of 1024 is full at 896, and is split in two
	m := make(map[int64]int64) //= new map: 1 of 48 in 48
	for i := range int64(1000) {
		m[i] = i //= map growth: 1 of 136 in 144 + 1 of 8 in 8 + 9 of 32 in 32 + 1 of 272 in 288 + 1 of 544 in 576 + 1 of 1088 in 1152 + 1 of 2176 in 2304 + 1 of 4352 in 4864 + 1 of 8704 in 9472 + 3 of 17408 in 18432 + 1 of 16 in 16
	}
	kept.numbers = m
}
func mapWithRoom() { // 100 elements need a table of 128, which has 16 groups
	kept.numbers = make(map[int64]int64, from.n*11) //= new map: 1 of 48 in 48 + 1 of 8 in 8 + 1 of 32 in 32 + 1 of 2176 in 2304
}
func mapOfLarge() { // values above 128 bytes are objects of their own
	kept.wides = make(map[int64]wide) //= new map: 1 of 48 in 48
	kept.wides[from.n] = wide{}       //= map growth: 1 of 136 in 144; map insertion: 1 of 320 in 320
}

// runtime/chan.go: an hchan has 112 bytes, and its buffer is in the same object
// if there are no pointers in it.
func channel() {
	kept.channel = make(chan int64) //= new channel: 1 of 112 in 112
}
func channelBuffered() {
	kept.channel = make(chan int64, from.n) //= new channel: 1 of 184 in 192
}
func channelOfPointers() {
	kept.nodeChan = make(chan *node, from.n) //= new channel: 1 of 112 in 112 + 1 of 72 in 80
}

// runtime/malloc.go: objects with pointers above 512 bytes have a header of 8
// bytes, and what is above 32760 bytes has pages of its own.
func sliceOf0() { kept.bytes = make([]byte, from.n-9) }
func sliceOf100() {
	kept.bytes = make([]byte, from.n*11+1) //= make slice: 1 of 100 in 112
}
func sliceWithHeader() {
	kept.nodes = make([]*node, from.n*8) //= make slice: 1 of 576 in 576
}
func sliceSmall() {
	kept.bytes = make([]byte, from.thousand*32+760) //= make slice: 1 of 32760 in 32768
}
func sliceLarge() {
	kept.bytes = make([]byte, from.thousand*40) //= make slice: 1 of 40000 in large
}
func sliceHuge() {
	kept.bytes = make([]byte, from.thousand*30000) //= make slice: 1 of 30000000 in large
}

// runtime/slice.go, growslice: twice as much up to 256 elements, then by a
// quarter and 192, rounded up to the slot.
func appending() {
	kept.ints = nil
	for i := range from.n { // 1, 2, 4, 8, 16
		kept.ints = append(kept.ints, i) //= slice growth: 1 of 8 in 8 + 1 of 16 in 16 + 1 of 32 in 32 + 1 of 64 in 64 + 1 of 128 in 128
	}
}
func appendingMore() {
	kept.ints = make([]int64, 256, 256+from.n-9) //= make slice: 1 of 2048 in 2048
	kept.ints = append(kept.ints, 1)             //= slice growth: 1 of 4096 in 4096
	kept.ints = append(kept.ints[:512], 1)       //= slice growth: 1 of 6784 in 6784
}
func cloned() {
	kept.ints = slices.Clone(from.ints) //= slice growth @slices.Clone[...]: 1 of 48 in 48
}

// A function for each shape of its type parameters.
func generic() {
	kept.any = pointerTo(from.thousand)
	kept.any = pointerTo(from.text)
}

//go:noinline
func pointerTo[T any](v T) *T { return &v } //= new object: 1 of 8 in 8 + 1 of 16 in 16

// The body of the loop is a closure that does not escape.
func iterator() {
	sum := 0
	for v := range slices.Values(from.ints) {
		sum += int(v)
	}
	kept.int = sum
}
func iteratorKept() { // the code, the slice, and the dictionary of the type parameters
	kept.seq = slices.Values(from.ints) //= new object @slices.Values[...]: 1 of 40 in 48
}
func collected() { // as append
	kept.ints = slices.Collect(slices.Values(from.ints[:3])) //= slice growth @slices.AppendSeq[...]: 1 of 8 in 8 + 1 of 16 in 16 + 1 of 32 in 32
}
