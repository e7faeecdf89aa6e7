//go:build !race

package alloccount

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

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
