package alloccount

import (
	"errors"
	"fmt"
	"slices"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// owner tells the goroutines of a Measure from all others, with
// [MeasureOptions.OwnGoroutines]. It is a number of the hook, which goroutines
// inherit. The zero value stands for a Measure that counts the process.
type owner struct {
	id     uint32
	within uint32 // that of the goroutine which called Measure
}

// ownersKnown reports whether the hook of this program tells goroutines apart.
func ownersKnown() bool { return hooked() && hookOwner != nil }

// takeOwner returns an owner that no goroutine has. One of a Measure that has
// ended is used again, since each makes the counter file longer, unless
// goroutines that were started then go on.
func takeOwner() (owner, error) {
	if !ownersKnown() {
		return owner{}, fmt.Errorf("MeasureOptions.OwnGoroutines: %w in a program that alloctop did not build: run it by alloctop -- COMMAND, or leave the option out", errors.ErrUnsupported)
	}
	const tries = 3 // each stops the world
	o := owner{within: hookOwner(hookOwnerOf, 0)}
	for try := 0; o.id == 0 && try < tries; try++ {
		last := o.popIdle()
		if last == 0 {
			break
		}
		if hookOwner(hookOwnerIdle, last) != 0 {
			o.id = last
		} else {
			o.pushIdle(0, last)
		}
	}
	if o.id == 0 {
		o.id = hookOwner(hookOwnerNew, o.within)
	}
	if o.id == 0 {
		return o, errors.New("MeasureOptions.OwnGoroutines: the counter can tell no more goroutines apart: 65,535 Measures have each left goroutines behind")
	}
	return o, nil
}

// leave lets other Measures have the owner.
func (o owner) leave() {
	if o.id != 0 {
		o.pushIdle(-1, o.id)
	}
}

// popIdle takes the owner that was left last, so that few are in use and their
// counters exist already; 0 if there is none.
func (o owner) popIdle() (id uint32) {
	underway.Lock()
	defer underway.Unlock()
	if idle := underway.owners[o.within]; len(idle) > 0 {
		id = idle[len(idle)-1]
		underway.owners[o.within] = idle[:len(idle)-1]
	}
	return id
}

// pushIdle puts an owner at a place among those that were left, -1 is the last.
func (o owner) pushIdle(at int, id uint32) {
	underway.Lock()
	defer underway.Unlock()
	if underway.owners == nil {
		underway.owners = make(map[uint32][]uint32)
	}
	idle := underway.owners[o.within]
	if at < 0 {
		at = len(idle)
	}
	underway.owners[o.within] = slices.Insert(idle, at, id)
}

// counts reports whether m has in its counts what the present goroutine
// allocates now.
func (m *measurement) counts() bool {
	if m.owner.id == 0 {
		return true
	}
	for id := hookOwner(hookOwnerOf, 0); id != 0; id = hookOwner(hookOwnerOut, id) {
		if id == m.owner.id {
			return true
		}
	}
	return false
}

// own counts what the goroutines of one Measure allocate, from window to
// window.
type own struct {
	tally *counterfile.Tally // what the window had counted before
	err   error
}

// add adds what was counted in the window of p since the last time. Within p a
// Measure may have run, the own work of which is left out.
func (o *own) add(p *part) {
	tally, entries, err := counterfile.EntriesSince(hookFile(), p.window.id, o.tally)
	if err != nil {
		o.err = err
		return
	}
	o.tally = tally
	others := make(apartStacks)
	for i := range entries {
		if e := &entries[i]; !others.has(e.Stack) {
			p.growth.counted.Objects += e.Objects
			p.growth.counted.Bytes += e.Bytes
		}
	}
}
