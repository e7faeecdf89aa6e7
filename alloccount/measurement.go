package alloccount

import (
	"fmt"
	"time"

	"github.com/alloctop/alloctop/internal/counterfile"
	"github.com/alloctop/alloctop/sizeclass"
)

// measurement is one call of Measure.
type measurement struct {
	o      MeasureOptions
	where  caller
	engine engine
	owner  owner // of the exact engine
	notes  []string
	folded int64 // objects of the process, by the exact engine

	first  *part // nil without warm-up
	steady *part
	timed  *part // nil if not asked for

	outer     *measurement // the innermost of the same goroutine that is under way
	goroutine string
	inner     []string // labels of Measures that ran inside; guarded by underway
	others    []string // labels of those that ran at the same time; guarded by underway
}

// part is calls of the measured function that are counted together.
type part struct {
	name    string
	calls   int // to make
	runs    []oneCall
	records int64

	from, to *reading
	growth   growth // from open to close, of all calls

	window hookWindow // of the exact engine
	own    own        // of the exact engine

	entries  []counterfile.Entry // what was counted, by line
	unplaced int64               // of their objects, those of no known line

	uncounted bool // the counter was off
}

// oneCall is one call of the measured function.
type oneCall struct {
	objects, records int64
	wall             time.Duration
}

func newPart(name string, calls int) *part {
	p := &part{name: name, calls: calls, runs: make([]oneCall, 0, calls), from: newReading(), to: newReading()}
	p.growth.classes = make([]int64, len(p.from.sizes[0].Value.Float64Histogram().Counts))
	return p
}

// meter reads what the runtime says. Open and close are called right before and
// after the measured function, and allocate nothing.
type meter interface {
	open(p *part) error
	close(p *part)
	end(p *part) error // there are no more calls in p
}

// engine counts allocations.
type engine interface {
	meter
	kind() Engine
	start(m *measurement) error
	stop() (off bool)           // there are no more parts; may be called again; says whether nothing is counted from now on
	place(m *measurement) error // sets what was counted in the parts, by line
	suspend()                   // while another Measure, which f has called, works
	resume()
}

// begin prepares a Measure.
func (o MeasureOptions) begin(outer *measurement) (*measurement, error) {
	if _, err := sizeclass.Fold(nil, o.Sizes...); err != nil {
		return nil, fmt.Errorf("alloccount: MeasureOptions.Sizes: %w", err)
	}
	if o.WarmUp < 0 || o.Runs < 0 {
		return nil, fmt.Errorf("alloccount: MeasureOptions: %d warm-up calls and %d runs: neither can be less than 0", o.WarmUp, o.Runs)
	}
	m := &measurement{o: o, outer: outer, where: callerOfMeasure()}
	if m.o.Label == "" {
		m.o.Label = m.where.line
	}
	calls := max(o.Runs, 1)
	m.steady = newPart(m.o.Label, calls)
	if o.WarmUp > 0 {
		m.first = newPart(m.o.Label+"/first", o.WarmUp)
		m.steady.name += "/steady"
	}
	if o.Timed {
		m.timed = newPart(m.o.Label, calls)
	}
	if o.OwnGoroutines {
		var err error
		if m.owner, err = takeOwner(); err != nil {
			return nil, fmt.Errorf("alloccount: %w", err)
		}
	}
	m.enter()
	if err := m.startEngine(); err != nil {
		m.leave()
		m.owner.leave()
		return nil, fmt.Errorf("alloccount: %w", err)
	}
	return m, nil
}

// counted returns the parts that are counted, the one that matters most first.
func (m *measurement) counted() []*part {
	if m.first == nil {
		return []*part{m.steady}
	}
	return []*part{m.steady, m.first}
}

// startEngine starts the best engine that there is.
func (m *measurement) startEngine() error {
	if hooked() {
		m.engine = new(exactEngine)
		err := m.engine.start(m)
		if err == nil {
			return nil
		}
		if m.o.OwnGoroutines {
			return err
		}
		m.notes = append(m.notes, fmt.Sprintf("the counting hook of this program cannot be used: %v", err))
	}
	m.engine = new(profileEngine)
	return m.engine.start(m)
}

// callAll makes all calls of f.
func (m *measurement) callAll(f func() (int, error)) error {
	if m.first != nil {
		if err := m.callPart(m.first, m.engine, f); err != nil {
			return err
		}
	}
	if err := m.callPart(m.steady, m.engine, f); err != nil {
		return err
	}
	if m.timed == nil {
		return nil
	}
	watch := new(stopwatch)
	apart(func() {
		m.timed.uncounted = m.engine.stop()
		watch.start()
	})
	defer func() { apart(watch.stop) }() // also when f panics
	if err := m.callPart(m.timed, watch, f); err != nil {
		return fmt.Errorf("calls that are timed: %w", err)
	}
	return nil
}

// callPart makes the calls of p.
func (m *measurement) callPart(p *part, e meter, f func() (int, error)) (err error) {
	for range p.calls {
		if err = m.callOnce(p, e, f); err != nil {
			break
		}
	}
	apart(func() {
		if endErr := e.end(p); err == nil {
			err = endErr
		}
	})
	return err
}

// callOnce calls f.
func (m *measurement) callOnce(p *part, e meter, f func() (int, error)) (err error) {
	if m.o.Context != nil {
		if err := m.o.Context.Err(); err != nil {
			return err
		}
	}
	m.outer.resume()
	defer m.outer.suspend()
	if err := e.open(p); err != nil {
		return err
	}
	before := p.growth
	var records int
	defer func() { // also when f panics
		e.close(p)
		p.add(before, records)
	}()
	if p == m.first {
		records, err = callFirst(f)
	} else {
		records, err = call(f)
	}
	return err
}

// add notes a call that has ended; before is p's growth before it.
func (p *part) add(before growth, records int) {
	p.runs = append(p.runs, oneCall{ // there is room
		objects: p.growth.counted.Objects - before.counted.Objects,
		records: int64(records),
		wall:    p.growth.wall - before.wall,
	})
	p.records += int64(records)
}

// openCounts begins to count objects and their sizes, by the runtime.
func (p *part) openCounts() {
	atEdge(func() { p.from.takeStats() })
}

// closeCounts adds what there was since openCounts.
func (p *part) closeCounts() {
	atEdge(func() { p.to.takeStats() })
	p.growth.addStats(p.from, p.to)
}
