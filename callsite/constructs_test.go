package callsite_test

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"weak"
)

// One function for each way to allocate. A comment of the form
//
//	//= CAUSE[, SITE]; CAUSE...
//
// ends a line to which allocations must be charged, with these causes and no
// others. SITE is the function that allocates, if it is not the one here. A
// question mark is for what need not happen in each build or run, and for tiny
// objects, which the runtime's profile may miss.
// TestLocateConstructs reads these comments.
var constructs = []func(){
	object, variable, closure, byNew, variadic, parameter, generic, inlined,
	slice, slice64, sliceCopy, grow, growPointers, grownAndKept, builder,
	stringFromBytes, bytesFromString, stringFromRunes, runesFromString, stringFromRune, concat, concatMany, concatToBytes,
	boxStruct, boxInt, boxString, boxSlice,
	channel, mapMade, mapSmall, mapGrows, mapLargeValue, mapClone,
	deferInLoop, goStatement, blocked, locked, rangeFunc, rangeNested, collect, pull,
	timer, cleanup, weakPointer, pin,
	reflectNew, reflectSlice, reflectMap, reflectChan, reflectAppend,
	indexPanic, assertPanic, dotTypePanic, methodValue, promoted, wrapError,
}

type pair struct{ a, b *int }

type large struct{ _ [40]int }

// Results are kept here, so that they escape. The lengths are variables, so
// that the compiler does not know them.
var (
	keepAny      any
	keepPair     *pair
	keepFunc     func()
	keepBytes    []byte
	keepInts     []int
	keepPointers []*int
	keepString   string
	keepRunes    []rune
	keepChan     chan int
	keepMap      map[string]int
	keepLarge    map[string]large
	last         int
	number       = 1000
	text         = strings.Repeat("text", 25)
	raw          = []byte(text)
	runes        = []rune(text)
)

func object() {
	keepPair = &pair{} //= new object
}

func variable() {
	var p pair //= new object
	keepPair = &p
}

func closure() {
	a, b := number, text
	keepFunc = func() { fmt.Println(a, b) } //= new object
}

func byNew() {
	keepAny = new(large) //= new object
}

func variadic() {
	keepAll(text, number, raw) //= new object; boxing into an interface
}

//go:noinline
func keepAll(args ...any) { keepAny = args } //= boxing into an interface

func parameter() { moved(pair{}) }

//go:noinline
func moved(p pair) { //= new object
	keepPair = &p
}

func generic() {
	keepCopies(number)
	keepCopies(text)
}

//go:noinline
func keepCopies[T any](v T) {
	keepAny = &struct{ a, b, c T }{v, v, v} //= new object
}

func inlined() { keepPair = newPair(&number) }

func newPair(n *int) *pair {
	return &pair{n, n} //= new object
}

func slice() {
	keepBytes = make([]byte, number) //= make slice
}

func slice64() {
	keepPointers = make([]*int, 3, int64(number)) //= make slice
}

func sliceCopy() {
	keepBytes = make([]byte, len(raw)) //= new object?; make slice?
	copy(keepBytes, raw)
}

func grow() {
	keepBytes = append(raw, raw...) //= slice growth
}

func growPointers() {
	var p []*int
	for range 100 {
		p = append(p, &number) //= slice growth
	}
	keepPointers = p
}

func grownAndKept() { keepInts = upTo(number % 7) }

//go:noinline
func upTo(n int) []int {
	var list []int
	for i := range n {
		list = append(list, i) //= slice growth
	}
	return list
}

func builder() {
	var b strings.Builder
	b.Grow(number) //= make slice, strings.(*Builder).grow
	keepString = b.String()
}

func stringFromBytes() {
	keepString = string(raw) //= string from bytes
}

func bytesFromString() {
	keepBytes = []byte(text) //= bytes from string
}

func stringFromRunes() {
	keepString = string(runes) //= string from runes
}

func runesFromString() {
	keepRunes = []rune(text) //= runes from string
}

func stringFromRune() {
	for i := range 100 { // tiny, so that not each is seen
		keepString = string(rune(number + i)) //= string from a rune
	}
}

func concat() {
	keepString = text + keepString //= string concatenation
}

func concatMany() {
	keepString = text + "," + text + ";" + text + "." + text //= string concatenation
}

func concatToBytes() {
	keepBytes = []byte(text + "," + text) //= string concatenation
}

func boxStruct() {
	keepAny = pair{&number, &number} //= boxing into an interface
}

func boxInt() {
	for i := range 100 { // tiny, so that not each is seen
		keepAny = number + i //= boxing into an interface
	}
}

func boxString() {
	keepAny = text //= boxing into an interface
}

func boxSlice() {
	keepAny = raw //= boxing into an interface
}

func channel() {
	keepChan = make(chan int, number) //= new channel
}

func mapMade() {
	keepMap = make(map[string]int, number) //= new map
}

func mapSmall() {
	keepMap = map[string]int{} //= new map
	keepMap[text] = number     //= map growth
}

func mapGrows() {
	keepMap = map[string]int{} //= new map
	for i := range 100 {
		keepMap[text[i:]] = i //= map growth
	}
}

func mapLargeValue() {
	keepLarge = make(map[string]large, 8) //= new map
	keepLarge[text] = large{}             //= map growth; map insertion
}

func mapClone() {
	keepMap = maps.Clone(map[string]int{text: number}) //= new map; map growth; map clone, maps.Clone[...]
}

func deferInLoop() {
	for i := range 200 { // more than there are records to use again
		defer func() { last = i }() //= deferred call; new object
	}
}

func goStatement() {
	var wg sync.WaitGroup //= new object
	wg.Add(1)
	go func() { //= new object
		wg.Done()
	}()
	wg.Wait() //= blocking in sync?, sync.(*WaitGroup).Wait
}

func blocked() {
	c := make(chan int) //= new channel
	for range 200 {     // more than there are records to use again
		go func() { //= new object
			c <- number //= blocking on a channel
		}()
	}
	for range 10 {
		runtime.Gosched()
	}
	for range 200 {
		<-c //= blocking on a channel?
	}
}

func locked() {
	var mu sync.Mutex     //= new object?
	var wg sync.WaitGroup //= new object
	mu.Lock()
	for range 200 {
		wg.Add(1)
		go func() { //= new object
			defer wg.Done()
			mu.Lock() //= blocking in sync, internal/sync.(*Mutex).lockSlow
			number += 0
			mu.Unlock()
		}()
	}
	for range 10 {
		runtime.Gosched()
	}
	mu.Unlock()
	wg.Wait() //= blocking in sync?, sync.(*WaitGroup).Wait
}

//go:noinline
func count(yield func(int) bool) {
	for i := range 3 {
		if !yield(i) {
			return
		}
	}
}

func rangeFunc() {
	for i := range count {
		keepBytes = make([]byte, number+i) //= make slice
	}
}

func rangeNested() {
	for i := range count {
		for j := range count {
			keepBytes = make([]byte, number+i+j) //= make slice
		}
	}
}

func collect() {
	keepInts = slices.Collect(iter.Seq[int](count)) //= slice growth, slices.AppendSeq[...]
}

func pull() {
	next, stop := iter.Pull(iter.Seq[int](count)) //= new object, iter.Pull[...]; iter.Pull coroutine, iter.Pull[...]
	next()
	stop()
}

func timer() {
	keepAny = time.NewTimer(time.Hour) //= new channel, time.NewTimer; timer, time.NewTimer
}

func cleanup() {
	keepPair = &pair{}                                    //= new object
	runtime.AddCleanup(keepPair, func(s string) {}, text) //= finalizer or cleanup
}

func weakPointer() {
	p := &pair{}           //= new object
	keepAny = weak.Make(p) //= weak pointer, weak.Make[...]
	runtime.KeepAlive(p)
}

func pin() {
	var p runtime.Pinner
	p.Pin(keepPair) //= pinned pointer
	p.Unpin()
}

func reflectNew() {
	keepAny = reflect.New(reflect.TypeFor[large]()).Interface() //= new object by reflection, reflect.New
}

func reflectSlice() {
	keepAny = reflect.MakeSlice(reflect.TypeFor[[]large](), 3, 3).Pointer() //= boxing into an interface?; new array by reflection, reflect.MakeSlice; new object, reflect.MakeSlice
}

func reflectMap() {
	m := reflect.MakeMap(reflect.TypeFor[map[string]large]())      //= new map by reflection, reflect.MakeMapWithSize
	m.SetMapIndex(reflect.ValueOf(text), reflect.ValueOf(large{})) //= boxing into an interface; map growth by reflection, reflect.mapassign; map insertion by reflection, reflect.mapassign
}

func reflectChan() {
	keepAny = reflect.MakeChan(reflect.TypeFor[chan int](), number).Pointer() //= boxing into an interface?; new channel by reflection, reflect.MakeChan
}

func reflectAppend() {
	keepAny = reflect.Append(reflect.ValueOf(runes[:10:10]), reflect.ValueOf('a')).Pointer() //= boxing into an interface; new object, reflect.Value.extendSlice; slice growth by reflection, reflect.Value.grow
}

func indexPanic() {
	defer func() { keepAny = recover() }()
	keepBytes = keepBytes[:0]
	number = int(keepBytes[number]) //= panic
}

func assertPanic() {
	defer func() { keepAny = recover() }()
	var v any = keepPair
	keepString = v.(fmt.Stringer).String() //= type assertion
}

func dotTypePanic() {
	defer func() { keepAny = recover() }()
	var v any = keepPair
	number = v.(int) //= panic
}

func (p *pair) keep(n int) {
	keepBytes = make([]byte, n) //= make slice
}

func methodValue() { call((&pair{}).keep) }

//go:noinline
func call(f func(int)) { f(number) }

type outer struct{ *pair }

// The compiler makes outer.keep, in no file.
func promoted() { callKeeper(outer{&pair{}}) } //= new object

//go:noinline
func callKeeper(k interface{ keep(int) }) { k.keep(number) }

func wrapError() {
	err := errors.New(text)         //= new object, errors.New
	keepAny = errors.Join(err, err) //= new object, errors.Join; make slice, errors.Join
}
