package sweep

import (
	"context"
	"errors"
	"time"
)

// Plan is what is to be measured.
type Plan struct {
	Grid       Grid
	Benchmarks []Benchmark
	Turns      int // that are timed, 1 or more
}

// Measured is what was measured, by benchmark and cell in the order of the plan.
type Measured struct {
	Plan
	Series   [][]Series
	Complete bool // nothing is left to be done, but for what failed
}

// Series is the runs of one benchmark in one cell.
type Series struct {
	First  *Run  // of turn 0: with the collector's trace, not for times; nil if it was not done
	Runs   []Run // of the turns that are timed
	Failed string
}

// Progress says how far a sweep is.
type Progress struct {
	Done, Of int // runs
	Turn     int // 0 before those that are timed
	Turns    int
	Next     Job
	Label    string // of the next job's cell
	Left     time.Duration
	Known    bool // Left is more than a guess
}

// Options say with what a plan is carried out.
type Options struct {
	Runner   Runner
	State    *State           // nil for none
	Now      func() time.Time // for the time left
	Progress func(Progress)   // told before each run; may be nil
}

// Measure carries the plan out: in each turn, for each benchmark, all cells of
// the grid one after the other, in every other turn backwards, so that what
// drifts meanwhile hits all alike. Runs that the state has are not repeated.
//
// A benchmark that fails in a cell is not run there again, and the others go
// on. If the context ends, Measure returns what there is, and the context's
// error; after any other error too.
func (p Plan) Measure(ctx context.Context, o Options) (*Measured, error) {
	m := &Measured{Plan: p, Series: make([][]Series, len(p.Benchmarks))}
	cells := p.Grid.Cells()
	for i := range m.Series {
		m.Series[i] = make([]Series, len(cells))
	}
	c := &clock{o: o, turns: p.Turns}
	c.of = (p.Turns + 1) * len(p.Benchmarks) * len(cells)
	for turn := range p.Turns + 1 {
		for b := range p.Benchmarks {
			for i := range cells {
				at := i
				if turn%2 == 1 {
					at = len(cells) - 1 - i
				}
				if err := m.one(ctx, o, c, Job{p.Benchmarks[b], cells[at], turn}, &m.Series[b][at]); err != nil {
					return m, err
				}
			}
		}
	}
	m.Complete = true
	return m, nil
}

// one does one run, or finds that it is done.
func (m *Measured) one(ctx context.Context, o Options, c *clock, j Job, s *Series) error {
	label := m.Grid.Label(j.Cell)
	if s.Failed != "" {
		c.skip()
		return nil
	}
	if o.State != nil {
		if run, ok := o.State.look(j, label); ok {
			s.add(j.Turn, run)
			c.skip()
			return nil
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c.before(j, label)
	run, err := o.Runner.Run(ctx, j)
	c.after()
	var failure Failure
	switch {
	case errors.As(err, &failure):
		s.Failed = string(failure)
		return nil
	case err != nil:
		return err
	}
	s.add(j.Turn, run)
	if o.State != nil {
		return o.State.keep(j, label, run)
	}
	return nil
}

func (s *Series) add(turn int, r Run) {
	if turn == 0 {
		s.First = &r
		return
	}
	s.Runs = append(s.Runs, r)
}

// clock guesses how long the rest of a sweep takes: as long as runs took up to
// now.
type clock struct {
	o        Options
	begun    time.Time
	done, of int
	turns    int
	ran      int //  runs that were done and not found
	took     time.Duration
}

func (c *clock) skip() { c.done++ }

func (c *clock) before(j Job, label string) {
	c.begun = c.o.Now()
	if c.o.Progress == nil {
		return
	}
	p := Progress{Done: c.done, Of: c.of, Turn: j.Turn, Turns: c.turns, Next: j, Label: label}
	if c.ran > 0 {
		p.Known = true
		p.Left = c.took / time.Duration(c.ran) * time.Duration(c.of-c.done)
	}
	c.o.Progress(p)
}

func (c *clock) after() {
	c.took += c.o.Now().Sub(c.begun)
	c.ran++
	c.done++
}
