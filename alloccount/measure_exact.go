package alloccount

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"strings"
	"syscall"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// exactEngine counts by the hook. Each part is a window of it.
type exactEngine struct {
	m       *measurement
	started bool
	active  *part  // whose calls are made
	was     uint32 // owner of the goroutine before the call
}

// hookWindow is a window of the hook.
type hookWindow struct {
	id      uint32
	records int                // of all parts that were counted in it
	before  *counterfile.Tally // what it had counted before this part, nil if nothing
}

// windowKey says which parts can be counted in the same window, one after the
// other.
type windowKey struct {
	name, pkg string
	owner     uint32
}

func (e *exactEngine) start(m *measurement) error {
	if errno := hookStart(); errno != 0 {
		return fmt.Errorf("starting the counter: %w", syscall.Errno(errno))
	}
	e.m, e.started = m, true
	for _, p := range m.counted() {
		if err := e.takeWindow(p); err != nil {
			e.stop()
			return err
		}
	}
	return nil
}

// key returns the key of the windows that can count p. If the process is
// counted as a whole, alloctop's report shows the windows by name.
func (e *exactEngine) key(p *part) windowKey {
	if e.whole() {
		return windowKey{p.name, e.m.where.pkg, e.m.owner.id}
	}
	return windowKey{owner: e.m.owner.id}
}

// takeWindow gives p a window that no part needs any more. Each one takes room
// in the counter file, with all its counters, and a program may measure for
// ever.
func (e *exactEngine) takeWindow(p *part) (err error) {
	underway.Lock()
	k := e.key(p)
	if idle := underway.idle[k]; len(idle) > 0 {
		p.window = idle[len(idle)-1]
		underway.idle[k] = idle[:len(idle)-1]
	}
	underway.Unlock()
	if p.window.id != 0 {
		p.window.before, err = counterfile.TakeTally(hookFile(), p.window.id)
		p.own.tally = p.window.before
	}
	return err
}

// leaveWindow lets other parts have the window of p.
func (e *exactEngine) leaveWindow(p *part) {
	underway.Lock()
	defer underway.Unlock()
	if underway.idle == nil {
		underway.idle = make(map[windowKey][]hookWindow)
	}
	k := e.key(p)
	underway.idle[k] = append(underway.idle[k], hookWindow{id: p.window.id, records: p.window.records})
}

func (e *exactEngine) open(p *part) error {
	metrics.Read(p.from.costs)
	id, kind := p.window.id, uint32(hookMeasure)
	if e.m.owner.id != 0 {
		e.was = hookOwner(hookOwnerOf, 0)
		hookOwner(hookOwnerSet, e.m.owner.id)
		kind = hookMeasureOwn
	}
	atEdge(func() { id = hookSwitch(hookOpen, id, kind, p.name, e.m.where.pkg, &p.from.stats) })
	if id == 0 {
		e.leaveGoroutine()
		return errors.New("the counter can open no more windows: too many Measures, tests and benchmarks are under way, or its file is full")
	}
	p.window.id, e.active = id, p
	p.from.takeTime()
	return nil
}

func (e *exactEngine) close(p *part) {
	e.suspend()
	e.active = nil
	atEdge(func() { hookSwitch(hookClose, p.window.id, hookMeasure, "", "", &p.to.stats) })
	e.leaveGoroutine()
	metrics.Read(p.to.costs)
	p.growth.addCosts(p.from, p.to)
	if e.m.owner.id != 0 {
		apart(func() { p.own.add(p) })
		return
	}
	p.growth.addCounted(p.from, p.to)
}

// leaveGoroutine gives the goroutine the owner that it had before the call.
func (e *exactEngine) leaveGoroutine() {
	if e.m.owner.id != 0 {
		hookOwner(hookOwnerSet, e.was)
	}
}

func (e *exactEngine) end(p *part) error {
	if p.window.id != 0 {
		p.window.records += int(p.records)
		hookFinal(p.window.id, p.window.records, runtime.GOMAXPROCS(0))
	}
	return p.own.err
}

func (e *exactEngine) stop() (off bool) {
	if e.started {
		e.started = false
		hookStop()
	}
	return !e.whole()
}

// whole reports whether alloctop counts the process as a whole.
func (e *exactEngine) whole() bool { return !strings.HasPrefix(hookFile(), "/proc/self/fd/") }

func (e *exactEngine) place(m *measurement) error {
	for _, p := range m.counted() {
		if p.window.id == 0 {
			continue
		}
		tally, entries, err := counterfile.EntriesSince(hookFile(), p.window.id, p.window.before)
		if err != nil {
			return err
		}
		p.entries = entries
		m.folded = tally.Folded
		e.leaveWindow(p)
	}
	m.owner.leave()
	return nil
}

// suspend stops the clock only: what another Measure allocates while it works
// is told by its stacks.
func (e *exactEngine) suspend() {
	if p := e.active; p != nil {
		p.to.takeTime()
		p.growth.addTimes(p.from, p.to)
	}
}

func (e *exactEngine) resume() {
	if e.active != nil {
		e.active.from.takeTime()
	}
}

func (e *exactEngine) kind() Engine { return Exact }
