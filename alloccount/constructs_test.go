//go:build !race

package alloccount

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// One function for each way to allocate, with what one call of it allocates
// when all caches and pools are filled. A comment of the form
//
//	//= CAUSE[ @FUNCTION]: N of SIZE in CLASS[ + N of SIZE in CLASS...]; CAUSE...
//
// ends a line to which objects must be charged: how many of which size, in
// which size class ("large" for objects above all classes), and no others.
// FUNCTION is the one that allocates, if it is not this one. The sizes follow
// from the language and from the source of Go 1.26: the comments say from
// where. After " | since RELEASE: " stands what holds from another release on.
// A function without such a comment allocates nothing.
// TestConstructs reads them.
var constructs = map[string]func(){
	"string of no byte":                 stringOf0,
	"string of one byte":                stringOf1,
	"string of 2 bytes":                 stringOf2,
	"string of 15 bytes":                stringOf15,
	"string of 16 bytes":                stringOf16,
	"string of 33 bytes":                stringOf33,
	"string for a map lookup":           stringLookup,
	"string for a comparison":           stringCompare,
	"bytes from a short string":         bytesOf5,
	"bytes from a string":               bytesOf40,
	"string from runes":                 stringOfRunes,
	"runes from a string":               runesOfString,
	"string from a rune":                stringOfRune,
	"concatenation of two":              concat2,
	"concatenation of five":             concat5,
	"concatenation with nothing":        concatNothing,
	"concatenation in a loop":           concatLoop,
	"boxing small ints":                 boxSmall,
	"boxing ints":                       boxInt,
	"boxing floats":                     boxFloat,
	"boxing strings":                    boxString,
	"boxing slices":                     boxSlice,
	"boxing structs":                    boxStruct,
	"boxing pointers":                   boxPointer,
	"variadic any":                      variadic,
	"new int":                           newInt,
	"struct literal":                    structLiteral,
	"struct of no size":                 structOfNothing,
	"escaping variable":                 escaping,
	"escaping parameter":                escapingParameter,
	"large array":                       largeArray,
	"closure":                           closure,
	"closure over nothing":              closureOverNothing,
	"method value":                      methodValue,
	"method expression":                 methodExpression,
	"defer in a loop":                   deferLoop,
	"go statement":                      goStatement,
	"map":                               mapEmpty,
	"map of 8":                          mapOf8,
	"map of 9":                          mapOf9,
	"map of 15":                         mapOf15,
	"map of 1000":                       mapOf1000,
	"map with room":                     mapWithRoom,
	"map of large values":               mapOfLarge,
	"channel":                           channel,
	"channel with a buffer":             channelBuffered,
	"channel of pointers with a buffer": channelOfPointers,
	"slice of no element":               sliceOf0,
	"slice":                             sliceOf100,
	"slice of pointers with a header":   sliceWithHeader,
	"largest small slice":               sliceSmall,
	"large slice":                       sliceLarge,
	"huge slice":                        sliceHuge,
	"append":                            appending,
	"append beyond 256":                 appendingMore,
	"slices.Clone":                      cloned,
	"generic function":                  generic,
	"iterator":                          iterator,
	"iterator that is kept":             iteratorKept,
	"slices.Collect":                    collected,
	"reflect.New":                       reflectNew,
	"reflect.MakeSlice":                 reflectSlice,
	"reflect.Append":                    reflectAppend,
	"strconv.Itoa below 100":            itoaSmall,
	"strconv.Itoa":                      itoa,
	"strconv.FormatFloat":               formatFloat,
	"strconv.AppendInt":                 appendInt,
	"fmt.Sprintf":                       sprintf,
	"fmt.Errorf":                        errorf,
	"errors.New":                        errorsNew,
	"time.Format":                       timeFormat,
	"time.NewTimer":                     newTimer,
	"json.Marshal":                      jsonMarshal,
	"json.Unmarshal":                    jsonUnmarshal,
	"strings.Builder":                   stringsBuilder,
	"strings.Repeat":                    stringsRepeat,
	"strings.Split":                     stringsSplit,
	"bytes.Buffer":                      bytesBuffer,
	"sync.Pool with something":          poolHit,
	"sync.Pool without":                 poolMiss,
}

type node struct {
	_    *node
	name string
	size int64
}

type wide [40]int64

func (n *node) touch() { kept.int += int(n.size) }

// What the functions work on. Results are kept, so that they escape, and
// lengths are variables, so that the compiler does not know them.
var (
	kept struct {
		any      any
		bytes    []byte
		err      error
		float    float64
		fn       func()
		int      int
		ints     []int64
		method   func(*node)
		node     *node
		nodes    []*node
		nothing  *struct{}
		runes    []rune
		seq      iter.Seq[int64]
		string   string
		strings  []string
		wide     *wide
		channel  chan int64
		nodeChan chan *node
		index    map[string]int
		numbers  map[int64]int64
		wides    map[int64]wide
	}
	from = struct {
		n, thousand  int64
		letters      []byte
		text         string
		empty        string
		float        float64
		node         *node
		nodes        []*node
		ints         []int64
		runes        []rune
		index        map[string]int
		when         time.Time
		hit, missing sync.Pool
	}{
		n: 9, thousand: 1000,
		letters: []byte(strings.Repeat("abcdefgh", 8)),
		text:    strings.Repeat("abcdefgh", 8),
		float:   2.5,
		node:    &node{name: "a node"},
		nodes:   []*node{{}, {}, {}},
		ints:    []int64{1, 2, 3, 4, 5},
		runes:   []rune("äöü"),
		index:   map[string]int{"abcd": 7},
		when:    time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC),
	}
)

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

func reflectNew() {
	kept.any = reflect.New(reflect.TypeFor[node]()).Interface() //= new object by reflection @reflect.New: 1 of 32 in 32
}
func reflectSlice() { // the slice, and its header
	kept.any = reflect.MakeSlice(reflect.TypeFor[[]node](), 3, 3).Interface() //= new array by reflection @reflect.MakeSlice: 1 of 96 in 96; new object @reflect.MakeSlice: 1 of 24 in 24
}
func reflectAppend() { // the header of the slice, the new array, and the header of that
	kept.int = reflect.Append(reflect.ValueOf(from.nodes), reflect.ValueOf(from.node)).Len() //= boxing into an interface: 1 of 24 in 24; slice growth by reflection @reflect.Value.grow: 1 of 48 in 48; new object @reflect.Value.extendSlice: 1 of 24 in 24
}

// strconv has the numbers below 100 as one static string.
func itoaSmall() { kept.string = strconv.Itoa(int(from.n)) }
func itoa() {
	kept.string = strconv.Itoa(int(from.thousand)) //= string from bytes @internal/strconv.FormatInt: 1 of 4 in 8
}
func formatFloat() {
	kept.string = strconv.FormatFloat(from.float, 'g', -1, 64) //= string from bytes @internal/strconv.FormatFloat: 1 of 3 in 8
}
func appendInt() { kept.bytes = strconv.AppendInt(kept.bytes[:0], from.thousand, 10) }

func sprintf() {
	kept.string = fmt.Sprintf("%d %s", from.thousand, from.text) //= boxing into an interface: 1 of 8 in 8 + 1 of 16 in 16; string from bytes @fmt.Sprintf: 1 of 69 in 80
}
func errorf() {
	kept.err = fmt.Errorf("line %d: %w", from.thousand, errShort) //= boxing into an interface: 1 of 8 in 8; string from bytes @fmt.errorf: 1 of 20 in 24; new object @fmt.errorf: 1 of 32 in 32
}
func errorsNew() {
	kept.err = errors.New(from.text) //= new object @errors.New: 1 of 16 in 16
}

var errShort = errors.New("too short")

func timeFormat() {
	kept.string = from.when.Format(time.RFC3339) //= string from bytes @time.Time.Format: 1 of 20 in 24
}
func newTimer() { // a Time has a pointer, so that the buffer of the channel is an object
	kept.any = time.NewTimer(time.Hour) //= new channel @time.NewTimer: 1 of 112 in 112 + 1 of 24 in 24; timer @time.NewTimer: 1 of 112 in 112
}
func jsonMarshal() { // the argument, and the copy of what the pooled encoder wrote
	kept.bytes, kept.err = json.Marshal(from.ints) //= boxing into an interface: 1 of 24 in 24; slice growth @encoding/json.Marshal: 1 of 16 in 16 | since go1.27: boxing into an interface: 1 of 24 in 24; new object by reflection @reflect.New: 1 of 24 in 24; slice growth @bytes.Clone: 1 of 16 in 16
}
func jsonUnmarshal() { // a constant is copied into an array
	kept.err = json.Unmarshal([]byte("[1,2]"), &kept.ints) //= new object: 1 of 5 in 8; new object @encoding/json.Unmarshal: 1 of 136 in 144; slice growth @encoding/json.(*scanner).pushParseState: 1 of 8 in 8 | since go1.27: new object: 1 of 5 in 8
}
func stringsBuilder() {
	var b strings.Builder
	b.WriteString(from.text[:20]) //= slice growth @strings.(*Builder).WriteString: 1 of 24 in 24
	b.WriteByte('.')
	kept.string = b.String()
}
func stringsRepeat() {
	kept.string = strings.Repeat(from.text, 3) //= make slice @strings.(*Builder).grow: 1 of 192 in 192
}
func stringsSplit() {
	kept.strings = strings.Split(from.text, "h") //= make slice @strings.genSplit: 1 of 144 in 144
}
func bytesBuffer() {
	var b bytes.Buffer
	b.WriteString(from.text[:5]) //= make slice @bytes.(*Buffer).grow: 1 of 64 in 64
	kept.bytes = b.Bytes()
}
func poolHit() {
	p := from.hit.Get()
	if p == nil {
		p = new(node) // the first time
	}
	from.hit.Put(p)
}
func poolMiss() {
	if from.missing.Get() == nil {
		kept.node = new(node) //= new object: 1 of 32 in 32
	}
}
