// Command owners opens windows that count only their own goroutines. The name
// of each one ends in the number of things that are to be in it.
package main

import (
	"fmt"
	"iter"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	_ "unsafe"
)

//go:linkname hookSwitch runtime.alloctopLibSwitch
var hookSwitch func(op, id, kind uint32, name, pack string, m *runtime.MemStats) uint32

//go:linkname hookOwner runtime.alloctopLibOwner
var hookOwner func(op, id uint32) uint32

const (
	opening = 1
	closing = 2

	measure    = 4
	measureOwn = 5

	ownerOf   = 1
	ownerNew  = 2
	ownerSet  = 3
	ownerIdle = 4
)

type thing struct{ a, b, c int }

var sink atomic.Pointer[thing]

// things makes n objects.
//
//go:noinline
func things(n int) {
	for range n {
		sink.Store(new(thing))
	}
}

// window counts what one owner's goroutines allocate.
type window struct {
	name      string
	id, owner uint32
	outer     uint32
}

func newWindow(name string, things int) *window {
	return &window{name: fmt.Sprintf("%s %d", name, things), owner: hookOwner(ownerNew, hookOwner(ownerOf, 0))}
}

func (w *window) count(f func()) {
	var m runtime.MemStats
	w.outer = hookOwner(ownerOf, 0)
	hookOwner(ownerSet, w.owner)
	if w.id = hookSwitch(opening, w.id, measureOwn, w.name, "", &m); w.id == 0 {
		fail("no window", w.name)
	}
	defer func() {
		hookSwitch(closing, w.id, measureOwn, "", "", &m)
		hookOwner(ownerSet, w.outer)
	}()
	f()
}

// own counts f, which makes so many things.
func own(name string, things int, f func()) { newWindow(name, things).count(f) }

func fail(args ...any) {
	fmt.Fprintln(os.Stderr, args...)
	os.Exit(1)
}

// idle checks whether no goroutine has an owner.
func idle(when string, owner, want uint32) {
	for range 1000 { // one that has ended may still be on its way out
		if hookOwner(ownerIdle, owner) == want {
			return
		}
		time.Sleep(time.Millisecond)
	}
	fail(when, "idle is not", want)
}

// in runs f in a new goroutine, to its end.
func in(f func()) {
	var group sync.WaitGroup
	group.Go(f)
	group.Wait()
}

func main() {
	var m runtime.MemStats
	all := hookSwitch(opening, 0, measure, "all", "", &m)
	runtimes() // first, while the runtime has not started most of its own
	stop := noise()
	concurrent()
	nested()
	before()
	after()
	inside()
	again()
	coroutines()
	stop()
	hookSwitch(closing, all, measure, "", "", &m)
	if hookOwner(ownerOf, 0) != 0 {
		fail("main has an owner")
	}
}

// noise lets goroutines that belong to nobody allocate all the time.
func noise() (stop func()) {
	done := make(chan bool)
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					things(10)
					in(func() { things(1) })
				}
			}
		})
	}
	return func() { done <- true; done <- true; group.Wait() }
}

// concurrent windows, each with goroutines that start others.
func concurrent() {
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() {
			own("concurrent", 7*i, func() {
				things(i)
				var inner sync.WaitGroup
				for range 2 {
					inner.Go(func() {
						things(i)
						in(func() { things(i); in(func() { things(i) }) })
					})
				}
				inner.Wait()
			})
		})
	}
	group.Wait()
}

// nested windows: what is in the inner one is in the outer one.
func nested() {
	fromBefore, work := make(chan bool), make(chan func())
	go func() {
		for f := range work {
			f()
			fromBefore <- true
		}
	}()
	own("outer", 1+20+300+4000, func() {
		things(1)
		own("inner", 20, func() { things(20) })
		in(func() {
			own("inner goroutine", 300+4000, func() {
				things(300)
				own("innermost", 4000, func() { in(func() { things(4000) }) })
			})
		})
		work <- func() { own("of another", 50_000, func() { in(func() { things(50_000) }) }) }
		<-fromBefore
	})
	work <- func() { // the goroutine has the owner no more
		if hookOwner(ownerOf, 0) != 0 {
			fail("an owner is left")
		}
	}
	<-fromBefore
}

// before: workers that were started before do not count.
func before() {
	work, done := make(chan int), make(chan bool, 100)
	for range 4 {
		go func() {
			for n := range work {
				things(n)
				in(func() { things(n) })
				done <- true
			}
		}()
	}
	own("workers from before", 5, func() {
		things(5)
		for range 100 {
			work <- 10
		}
		for range 100 {
			<-done
		}
	})
}

// after: what goes on counts as long as the window is open, and when it is
// opened again.
func after() {
	step, done := make(chan int), make(chan bool)
	w := newWindow("left behind", 10+200+3000)
	w.count(func() {
		things(10)
		go func() {
			for n := range step {
				things(n)
				done <- true
			}
			done <- true
		}()
		step <- 200
		<-done
	})
	idle("a goroutine goes on", w.owner, 0)
	step <- 7777
	<-done
	own("beside what was left behind", 4, func() {
		things(4)
		step <- 7777
		<-done
	})
	w.count(func() {
		step <- 3000
		<-done
	})
	step <- 7777
	<-done
	idle("a goroutine goes on", w.owner, 0)

	close(step)
	<-done
	idle("the goroutine has ended", w.owner, 1)
}

// inside: a goroutine that is in an inner window will have its owner again.
func inside() {
	step, done := make(chan bool), make(chan bool)
	w := newWindow("around", 1+20)
	w.count(func() {
		go func() {
			own("within", 1+300, func() {
				things(1)
				step <- true
				<-step
				things(300)
			})
			step <- true
			<-step
			things(20)
			done <- true
		}()
		<-step
	})
	idle("a goroutine is in an inner window", w.owner, 0)
	step <- true
	<-step
	w.count(func() {
		step <- true
		<-done
	})
	idle("the goroutine has ended", w.owner, 1)
}

// again: goroutines that end are used again by others.
func again() {
	w := newWindow("used again", 1000)
	w.count(func() {
		for range 1000 {
			in(func() { things(1) })
		}
	})
	idle("all have ended", w.owner, 1)
	work, done := make(chan bool), make(chan bool)
	for range 100 {
		go func() { <-work; things(100); done <- true }()
	}
	w.count(func() {
		for range 100 {
			work <- true
		}
		for range 100 {
			<-done
		}
	})
}

// runtimes: the runtime's own goroutines belong to nobody, whoever makes it
// start them, and whoever had the memory of their goroutines before.
func runtimes() {
	w := newWindow("of the runtime", 3)
	w.count(func() {
		things(3)
		done := make(chan bool)
		for range 200 { // more than one P keeps for itself
			go func() { <-done }()
		}
		close(done)
	})
	idle("all have ended", w.owner, 1)
	w.count(func() {
		done := make(chan bool)
		p := new(*thing)
		runtime.SetFinalizer(p, func(**thing) { things(100); done <- true })
		p = nil
		q := new(*thing)
		runtime.AddCleanup(q, func(int) { things(100); done <- true }, 0)
		q = nil
		runtime.GC()
		<-done
		<-done
		time.AfterFunc(time.Millisecond, func() { things(100); done <- true })
		<-done
	})
	idle("only goroutines of the runtime go on", w.owner, 1)
}

// coroutines belong to who made them.
func coroutines() {
	var next func() (int, bool)
	var stop func()
	seq := iter.Seq[int](func(yield func(int) bool) {
		for i := 0; yield(i); i++ {
			things(1)
		}
	})
	w := newWindow("coroutine", 3)
	w.count(func() {
		next, stop = iter.Pull(seq)
		for range 4 {
			next()
		}
	})
	next()
	idle("a coroutine is there", w.owner, 0)
	stop()
	idle("the coroutine has ended", w.owner, 1)
}
