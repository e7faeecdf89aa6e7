//go:build !race

package alloccount

import (
	"iter"
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
