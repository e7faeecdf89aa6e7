package alloccount

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/pprof"
	"sync"
)

// profileEngine counts by the runtime: how many objects there are and how
// large by its counters, on which lines by its heap profile. At rate 1 that
// has every object but most tiny ones (runtime/malloc.go, mallocgcTiny).
type profileEngine struct {
	started       bool
	called        bool   // the measured function was called
	active        *part  // whose calls are made
	before, after []byte // heap profiles
	err           error
}

// profileRate is runtime.MemProfileRate while there are Measures: 1 while a
// measured function runs, 0 while the profile is read. So it has little of what
// happens in between, and is not scaled when it is written (runtime/pprof/
// protomem.go, scaleHeapSample).
var profileRate struct {
	sync.Mutex
	before int
	users  int // Measures
	open   int // measured functions that run
}

// useProfileRate counts Measures in and out.
func useProfileRate(measures, functions int) {
	r := &profileRate
	r.Lock()
	defer r.Unlock()
	if r.users == 0 {
		r.before = runtime.MemProfileRate
	}
	r.users += measures
	r.open += functions
	switch {
	case r.users == 0:
		runtime.MemProfileRate = r.before
	case r.open > 0:
		runtime.MemProfileRate = 1
	default:
		runtime.MemProfileRate = 0
	}
}

func (e *profileEngine) start(*measurement) (err error) {
	e.started = true
	useProfileRate(1, 0)
	e.before, err = writeHeapProfile()
	return err
}

func (e *profileEngine) open(p *part) error {
	e.active = p
	e.resume()
	return nil
}

func (e *profileEngine) close(*part) {
	e.suspend()
	e.active = nil
}

// resume begins to count. The profile is switched on first and off last, so
// that no object is in the counts and not in the profile.
func (e *profileEngine) resume() {
	if e.active != nil {
		useProfileRate(0, 1)
		e.active.openCounts()
	}
}

func (e *profileEngine) suspend() {
	if e.active != nil {
		e.active.closeCounts()
		useProfileRate(0, -1)
	}
}

// end does not write the profile yet: garbage collection would take from the
// pools what warming up has put there.
func (e *profileEngine) end(*part) error {
	e.called = true
	return nil
}

func (e *profileEngine) stop() (off bool) {
	if e.started {
		e.started = false
		if e.called { // and not by a panic
			e.after, e.err = writeHeapProfile()
		}
		useProfileRate(-1, 0)
	}
	return true
}

// place finds the lines of what was counted.
func (e *profileEngine) place(m *measurement) error {
	if e.err != nil {
		return e.err
	}
	h := &heapPlacer{keepApart: m.concurrent()}
	if err := h.read(e.before, e.after); err != nil {
		return fmt.Errorf("reading the runtime's heap profile: %w", err)
	}
	if m.first != nil {
		h.fill(m.first, functionFirst)
	}
	h.fill(m.steady, functionCall)
	return nil
}

// writeHeapProfile returns the heap profile as package pprof writes it: with
// all calls of a stack, where runtime.MemProfile gives 32, and all objects
// since the program started. Garbage collection publishes what was allocated
// before it (runtime/mgc.go, GC).
func writeHeapProfile() ([]byte, error) {
	runtime.GC()
	var b bytes.Buffer
	if err := pprof.Lookup("allocs").WriteTo(&b, 0); err != nil {
		return nil, fmt.Errorf("writing the runtime's heap profile: %w", err)
	}
	return b.Bytes(), nil
}

func (e *profileEngine) kind() Engine { return Sampled }
