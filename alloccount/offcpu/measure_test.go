package offcpu

import (
	"context"
	"errors"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// enough is how long the functions below do what they do: many samples.
const enough = 150 * time.Millisecond

// until tells whether it is still before a time from now.
func until(d time.Duration) func() bool {
	end := time.Now().Add(d)
	return func() bool { return time.Now().Before(end) }
}

// What follows does one thing each, at lines that end in a comment of its name.

func spins() (n int) {
	for more := until(enough); more(); { // spins
		for i := range 1_000_000 { // spins
			n += i * n // spins
		}
	}
	return n
}

func sleeps() { time.Sleep(enough) } // sleeps

func receives() {
	c := make(chan int)
	time.AfterFunc(enough, func() { close(c) })
	<-c // receives
}

func sends() {
	c := make(chan int)
	time.AfterFunc(enough, func() { <-c })
	c <- 1 // sends
}

func selects() {
	c, d := make(chan int), make(chan int)
	time.AfterFunc(enough, func() { close(c) })
	select { // selects
	case <-c:
	case <-d:
	}
}

func locks() {
	var mu sync.Mutex
	mu.Lock()
	time.AfterFunc(enough, mu.Unlock)
	mu.Lock() // locks
}

func readLocks() {
	var mu sync.RWMutex
	mu.Lock()
	time.AfterFunc(enough, mu.Unlock)
	mu.RLock() // readLocks
}

func waitsForGroup() {
	var wg sync.WaitGroup
	wg.Add(1)
	time.AfterFunc(enough, wg.Done)
	wg.Wait() // waitsForGroup
}

func waitsForCondition() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	time.AfterFunc(enough, c.Signal)
	mu.Lock()
	c.Wait() // waitsForCondition
	mu.Unlock()
}

func reads(t *testing.T) func() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		time.AfterFunc(enough, func() { l.Close() })
		l.Accept() // reads
	}
}

// blocks is in a system call that nothing but itself ends: opening a FIFO to
// which nobody writes.
func blocks(t *testing.T) func() {
	name := filepath.Join(t.TempDir(), "fifo")
	makeFIFO(t, name)
	return func() {
		time.AfterFunc(enough, func() {
			if f, err := os.OpenFile(name, os.O_WRONLY, 0); err == nil {
				f.Close()
			}
		})
		if f, err := os.Open(name); err == nil { // blocks
			f.Close()
		}
	}
}

func TestWhatGoroutinesDo(t *testing.T) {
	for _, c := range []struct {
		name  string
		f     func()
		state State
		what  string
	}{
		{"spins", func() { spins() }, CPU, ""},
		{"sleeps", sleeps, Waiting, "time to pass"},
		{"receives", receives, Waiting, "a channel to receive from"},
		{"sends", sends, Waiting, "a channel to send to"},
		{"selects", selects, Waiting, "one of several channels"},
		{"locks", locks, Waiting, "a lock"},
		{"readLocks", readLocks, Waiting, "a lock"},
		{"waitsForGroup", waitsForGroup, Waiting, "a wait group"},
		{"waitsForCondition", waitsForCondition, Waiting, "a condition"},
		{"reads", reads(t), Waiting, "the network or a pipe"},
		{"blocks", blocks(t), System, inSystem},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := measured(t, func(context.Context) error { c.f(); return nil })
			l := s.Lines[0]
			if got := sourceLine(t, l); !strings.HasSuffix(got, "// "+c.name) {
				t.Errorf("most time is at %s: %q", l.At(), got)
			}
			if !l.Own {
				t.Errorf("%s is not taken for own code", l.At())
			}
			if most := mostly(l.Time); most != c.state {
				t.Errorf("%s: %+v is mostly state %d, want %d", l.At(), l.Time, most, c.state)
			}
			switch {
			case c.what == "":
			case len(l.For) == 0 || l.For[0].For != c.what:
				t.Errorf("%s waits for %v, want %s", l.At(), l.For, c.what)
			}
		})
	}
}

// Eight workers take turns at one lock: one has it and sleeps, the others wait
// for it.
func TestWorkersWhoTakeTurns(t *testing.T) {
	s := measured(t, func(context.Context) error {
		var mu sync.Mutex
		var wg sync.WaitGroup
		more := until(3 * enough)
		for range 8 {
			wg.Go(func() {
				for more() {
					mu.Lock() // turn
					time.Sleep(5 * time.Millisecond)
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		return nil
	})
	g := s.workers()
	if g == nil || !strings.HasSuffix(g.Function, "TestWorkersWhoTakeTurns.func1.1") {
		t.Fatalf("the workers are %+v", g)
	}
	if g.Waiting <= g.CPU {
		t.Errorf("of the workers' samples %d are busy and %d waiting, want more that wait: %s", g.CPU, g.Waiting, s.Finding())
	}
	at, w := g.sleepsAt()
	if w.For != "a lock" || !strings.Contains(s.Finding(), "for a lock at offcpu/measure_test.go:") {
		t.Errorf("they sleep at %s for %v: %s", at, w, s.Finding())
	}
	if s.CPUSeconds <= 0 || s.Procs != runtime.GOMAXPROCS(0) || !strings.HasSuffix(s.Busy(), "were busy") {
		t.Errorf("busy: %q, of %+v", s.Busy(), s)
	}
}

// Goroutines that slept before and sleep on are not part of the work.
func TestOthersAreLeftOut(t *testing.T) {
	release := make(chan struct{})
	var wg, asleep sync.WaitGroup
	for range 20 {
		asleep.Add(1)
		wg.Go(func() { asleep.Done(); <-release })
	}
	asleep.Wait()
	for parked := false; !parked; {
		parked = true
		for key := range others() {
			if strings.Contains(key, "TestOthersAreLeftOut.func") && !strings.HasPrefix(key, "runtime.gopark\x00") {
				parked = false
				runtime.Gosched()
			}
		}
	}
	s := measured(t, func(context.Context) error { spins(); return nil })
	close(release)
	wg.Wait()
	for _, l := range s.Lines {
		if strings.Contains(l.Function, "TestOthersAreLeftOut.func1") || strings.HasPrefix(l.Function, here+"anchor") {
			t.Errorf("%s is in the profile: %+v", l.At(), l.Time)
		}
	}
	if got := s.Lines[0].All(); got > s.Samples {
		t.Errorf("one goroutine has %d samples of %d", got, s.Samples)
	}
}

// What is not there is an error, and nothing hangs.
func TestMeasureFails(t *testing.T) {
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	called := false
	if _, err := Measure(gone, func(context.Context) error { called = true; return nil }); !errors.Is(err, context.Canceled) || called {
		t.Errorf("with a context that is done: %v, called %v", err, called)
	}
	if _, err := Measure(context.Background(), func(context.Context) error { return nil }); !errors.Is(err, errShort) {
		t.Errorf("a function without a sample: %v, want %v", err, errShort)
	}
	mine := errors.New("mine")
	if _, err := Measure(context.Background(), func(context.Context) error { sleeps(); return mine }); err != mine {
		t.Errorf("the error of the function: %v", err)
	}
	func() {
		defer func() {
			if r := recover(); r != "mine" {
				t.Errorf("the panic of the function is %v", r)
			}
		}()
		Measure(context.Background(), func(context.Context) error { panic("mine") })
	}()
	if _, err := During(gone, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("During with a context that is done: %v", err)
	}
	if _, err := During(context.Background(), 0); err == nil {
		t.Error("no time at all is no error")
	}
	wantNoSampler(t)
}

// Stopping twice stops once.
func TestStopTwice(t *testing.T) {
	s := begin()
	sleeps()
	for range 2 {
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
	}
	close(s.release)
	wantNoSampler(t)
}

// wantNoSampler waits until no goroutine of a profile is left.
func wantNoSampler(t *testing.T) {
	t.Helper()
	for range 1000 {
		left := false
		for key := range others() {
			left = left || strings.Contains(key, "fgprof.Start") || strings.Contains(key, anchorName)
		}
		if !left {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Error("a goroutine of the profile still runs")
}

// A goroutine that only waits for signals waits.
func TestSignals(t *testing.T) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	defer signal.Stop(c)
	sleeps() // the loop begins in a goroutine
	p, err := During(context.Background(), enough)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Summarize(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range s.Lines {
		if l.Package == "os/signal" {
			if l.CPU != 0 || l.For[0].For != "a signal" {
				t.Errorf("%s: %+v %v", l.At(), l.Time, l.For)
			}
			return
		}
	}
	t.Errorf("nobody waits for a signal: %+v", s.Lines)
}

// measured returns where f spends its time.
func measured(t *testing.T, f func(context.Context) error) *Summary {
	t.Helper()
	p, err := Measure(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	s, err := Summarize(p)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Lines) == 0 {
		t.Fatal("no line has any time")
	}
	return s
}

// mostly returns the state with most samples.
func mostly(t Time) State {
	switch {
	case t.CPU >= t.System && t.CPU >= t.Waiting:
		return CPU
	case t.System >= t.Waiting:
		return System
	}
	return Waiting
}

// sourceLine returns the text of a line of this package's own tests.
func sourceLine(t *testing.T, l Line) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Base(l.File))
	if err != nil {
		t.Fatalf("%s: %v", l.At(), err)
	}
	return strings.Split(string(text), "\n")[l.Line-1]
}
