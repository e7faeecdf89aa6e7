package main

import (
	"iter"
	"reflect"
	"runtime"
	"slices"
	"sort"
	"sync"
	"time"
)

// walks go at random through functions of all kinds, in many goroutines that
// take turns.
func walks() []*recorder {
	var list []*recorder
	var wg sync.WaitGroup
	for g := range 16 {
		r := newRecorder(30 + g)
		list = append(list, r)
		wg.Go(func() {
			for range 40 {
				r.left = 60
				step(r, 0)
			}
		})
	}
	wg.Wait()
	return list
}

// step marks, or goes on by way of one of the kinds of calls, some times.
//
//go:noinline
func step(r *recorder, depth int) {
	for range 1 + r.rng.IntN(3) {
		if r.left <= 0 {
			return
		}
		switch k := r.rng.IntN(24); {
		case k < 3 || depth > 70:
			r.mark()
		case k == 3:
			runtime.Gosched()
			r.mark()
		case k == 4:
			grow(r.rng.IntN(8))
			r.mark()
		default:
			kinds[k%len(kinds)](r, depth+1)
		}
	}
}

var kinds []func(*recorder, int)

func init() {
	kinds = []func(*recorder, int){
		step, wide, deferred, recovered, closure, method, promoted, generic[int], generic[string], viaReflect, viaSort, ranged, pulled, inlined,
	}
}

//go:noinline
func wide(r *recorder, depth int) {
	var pad [400]byte
	step(r, depth)
	runtime.KeepAlive(&pad)
}

//go:noinline
func deferred(r *recorder, depth int) {
	for range 2 { // in a loop: not open-coded
		defer step(r, depth)
	}
	defer func() { r.mark() }()
}

//go:noinline
func recovered(r *recorder, depth int) {
	defer func() {
		if recover() != nil {
			r.mark()
			step(r, depth)
		}
	}()
	panicking(r, depth, r.rng.IntN(15))
}

//go:noinline
func panicking(r *recorder, depth, n int) {
	if n == 0 {
		defer func() { step(r, depth) }() // runs under the panic
		panic("to be recovered")
	}
	panicking(r, depth, n-1)
}

//go:noinline
func closure(r *recorder, depth int) {
	f := func(n int) { step(r, n) }
	calls(f, depth)
}

//go:noinline
func calls(f func(int), depth int) { f(depth) }

type walker interface{ walk(*recorder, int) }

type inner struct{ pad [3]int }

func (i inner) walk(r *recorder, depth int) { step(r, depth) }

type outer struct {
	x int
	inner
}

//go:noinline
func method(r *recorder, depth int) {
	f := (&inner{}).walk
	calls(func(n int) { f(r, n) }, depth)
}

//go:noinline
func promoted(r *recorder, depth int) { walkers[depth%len(walkers)].walk(r, depth) }

var walkers = []walker{outer{}, &outer{}, &inner{}, inner{}}

//go:noinline
func generic[T any](r *recorder, depth int) {
	var pad [5]T
	step(r, depth)
	runtime.KeepAlive(&pad)
}

//go:noinline
func viaReflect(r *recorder, depth int) {
	reflect.ValueOf(step).Call([]reflect.Value{reflect.ValueOf(r), reflect.ValueOf(depth)})
}

//go:noinline
func viaSort(r *recorder, depth int) {
	s, first := []int{3, 1, 2, 5, 4}, true
	sort.Slice(s, func(i, j int) bool {
		if first {
			first = false
			step(r, depth)
		}
		return s[i] < s[j]
	})
}

//go:noinline
func ranged(r *recorder, depth int) {
	for i := range sequence(r, depth) {
		if i == 0 {
			step(r, depth)
		}
	}
}

func sequence(r *recorder, depth int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range 2 {
			if !yield(i) {
				return
			}
		}
		r.mark()
	}
}

//go:noinline
func pulled(r *recorder, depth int) {
	next, stop := iter.Pull(func(yield func(int) bool) {
		step(r, depth) // on the coroutine's own stack
		if yield(1) {
			r.mark()
		}
	})
	next()
	step(r, depth)
	if r.rng.IntN(2) == 0 {
		next()
	}
	stop()
}

//go:noinline
func inlined(r *recorder, depth int) { small(r, depth) }

func small(r *recorder, depth int)   { smaller(r, depth) }
func smaller(r *recorder, depth int) { step(r, depth) }

// corners are places where goroutines begin and end.
func corners() []*recorder {
	r := newRecorder(60)
	var mu sync.Mutex // the recorder is used by one at a time
	within := func(f func()) {
		done := make(chan bool)
		go func() {
			defer close(done)
			mu.Lock()
			defer mu.Unlock()
			f()
		}()
		<-done
	}
	within(func() { // Goexit runs what was deferred
		defer r.mark()
		defer chain(r, 12)
		runtime.Goexit()
	})
	within(func() { // a panic in a deferred call, both recovered
		defer func() { recover(); chain(r, 11) }()
		defer func() { chain(r, 13); panic("second") }()
		panic("first")
	})
	within(func() { // a fault that is a panic
		defer func() { recover(); chain(r, 12) }()
		chain(r, 12)
		*(*int)(nil) = 1
	})
	done := make(chan bool)
	time.AfterFunc(0, func() { chain(r, 12); close(done) })
	<-done
	done = make(chan bool)
	p := &inner{}
	runtime.SetFinalizer(p, func(*inner) { chain(r, 12); close(done) })
	p = nil
	for collected := false; !collected; {
		runtime.GC()
		select {
		case <-done:
			collected = true
		default:
		}
	}
	var once sync.Once
	once.Do(func() { chain(r, 12) })
	slices.SortFunc([]int{2, 1}, func(a, b int) int { r.mark(); return a - b })
	return []*recorder{r}
}
