package alloccount

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// underway are the Measures of this process that have begun and not ended.
// What they count is the process's, so each has to know of the others.
var underway struct {
	sync.Mutex
	list  []*measurement
	stack [64]byte // scratch: to look must not allocate

	idle   map[windowKey][]hookWindow // windows of the hook that may be used again
	owners map[uint32][]uint32        // owners of goroutines that may be used again, by the one that they are within
}

// goroutineID returns what names the present goroutine in a stack trace. The
// caller holds underway.
func goroutineID() []byte {
	trace := underway.stack[:runtime.Stack(underway.stack[:], false)]
	id, _, _ := bytes.Cut(bytes.TrimPrefix(trace, []byte("goroutine ")), []byte(" "))
	return id
}

// enclosing returns the innermost Measure that the present goroutine is in,
// nil if there is none. It allocates nothing.
func enclosing() *measurement {
	underway.Lock()
	defer underway.Unlock()
	if len(underway.list) == 0 {
		return nil
	}
	id := goroutineID()
	for _, m := range slices.Backward(underway.list) {
		if m.goroutine == string(id) {
			return m
		}
	}
	return nil
}

// enter tells m and the Measures that are under way of each other.
func (m *measurement) enter() {
	underway.Lock()
	defer underway.Unlock()
	m.goroutine = string(goroutineID())
	for _, other := range underway.list {
		switch {
		case other.goroutine == m.goroutine:
			other.inner = include(other.inner, m.o.Label)
			continue
		case other.owner.id == 0:
			other.others = include(other.others, m.o.Label)
		case other.counts():
			other.inner = include(other.inner, m.o.Label)
		}
		if m.owner.id == 0 {
			m.others = include(m.others, other.o.Label)
		}
	}
	underway.list = append(underway.list, m)
}

// mostLabels is how many other Measures a note names.
const mostLabels = 5

// include adds a label, unless it is there or there are many.
func include(labels []string, label string) []string {
	if len(labels) > mostLabels || slices.Contains(labels, label) {
		return labels
	}
	return append(labels, label)
}

// leave ends m. It may be called again.
func (m *measurement) leave() {
	if m.engine != nil {
		m.engine.stop()
	}
	underway.Lock()
	defer underway.Unlock()
	underway.list = slices.DeleteFunc(underway.list, func(o *measurement) bool { return o == m })
}

// overlaps says whose allocations beside the function's are in the counts.
func (m *measurement) overlaps() (notes []string) {
	underway.Lock()
	defer underway.Unlock()
	if len(m.inner) > 0 {
		notes = append(notes, fmt.Sprintf("%s inside: what was allocated there is in these counts, too", ran(m.inner)))
	}
	if len(m.others) > 0 {
		text := fmt.Sprintf("%s in another goroutine at the same time: what was allocated there is in these counts, too", ran(m.others))
		if m.engine.kind() != Exact {
			text += ", and what it took to measure it"
		}
		notes = append(notes, text)
	}
	return notes
}

// ran says which Measures ran.
func ran(labels []string) string {
	list := "Measure " + strings.Join(labels[:min(len(labels), mostLabels)], ", ")
	if len(labels) > mostLabels {
		list += " and more"
	}
	return list + " ran"
}

// concurrent reports whether a Measure ran in another goroutine at the same
// time as m.
func (m *measurement) concurrent() bool {
	underway.Lock()
	defer underway.Unlock()
	return len(m.others) > 0
}

// suspend stops counting in m and the Measures around it, while another one
// works that the measured function has called. It allocates nothing.
func (m *measurement) suspend() {
	for ; m != nil; m = m.outer {
		m.engine.suspend()
	}
}

// resume ends suspend.
func (m *measurement) resume() {
	for ; m != nil; m = m.outer {
		m.engine.resume()
	}
}
