package alloccount

import (
	"github.com/alloctop/alloctop/internal/counterfile"
)

// apartStacks knows which stacks are those of a Measure's own work. Nil knows
// of none.
type apartStacks map[*counterfile.Stack]bool

// newApart returns what is needed to leave such stacks out: where there is no
// Measure, nothing.
func (c *collector) newApart() apartStacks {
	if c.run.Engine != Exact {
		return nil
	}
	for _, w := range c.chosen {
		if w.Kind == counterfile.KindMeasure {
			return make(apartStacks)
		}
	}
	return nil
}

// has reports whether a Measure made an object for itself.
func (a apartStacks) has(s *counterfile.Stack) bool {
	if a == nil || s == nil {
		return false
	}
	is, ok := a[s]
	if !ok {
		here := &counterfile.Stack{Frames: s.Frames}
		is = calledBy(here, functionApart) || calledBy(here, functionEdge) || a.has(s.Caller)
		a[s] = is
	}
	return is
}

// leaveApart takes the scopes of Measures out of a set: e is a Measure's own
// work, in the middle of one that is around it or runs at the same time.
func (c *collector) leaveApart(set int, e *counterfile.Entry) int {
	var others []int
	for _, i := range c.setList[set] {
		w := c.chosen[i]
		if w.Kind != counterfile.KindMeasure {
			others = append(others, i)
			continue
		}
		w.apart.Objects += e.Objects
		w.apart.Bytes += e.Bytes
	}
	return c.set(others)
}

// settle tells the scopes what was found while the profile was made.
func (c *collector) settle() {
	for i, w := range c.chosen {
		s := &c.run.Scopes[i]
		s.Tiny = w.tiny
		if s.Runtime != nil {
			s.Runtime.Objects -= w.apart.Objects
			s.Runtime.Bytes -= w.apart.Bytes
		}
	}
}

// requested returns the bytes that e asked for. The runtime's profile does not
// know them, and has those of slots.
func (c *collector) requested(e *counterfile.Entry) int64 {
	if c.run.Engine == Sampled {
		return e.Bytes
	}
	return e.Size * e.Objects
}
