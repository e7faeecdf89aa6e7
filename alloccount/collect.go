package alloccount

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/callsite"
	"github.com/alloctop/alloctop/internal/hook"
)

// noPath is the function of allocations that the hook could only add up.
const noPath = "(call path not recorded)"

// count adds the entries of p to the scopes that their segments lie in.
func (c *collector) count(p *hook.Counters) {
	scopes, always := c.scopesBySegment(p)
	sets := make(map[uint32]int)
	stacks := &stackCutter{rules: c.o.Rules, build: c.build, seen: make(map[stackID]placedStack)}
	stacks.rules.Main = strings.TrimSuffix(p.Main, ".test")
	for i := range p.Entries {
		e := &p.Entries[i]
		set, ok := sets[e.Segment]
		if !ok {
			set = c.set(slices.Concat(scopes[e.Segment], always))
			sets[e.Segment] = set
		}
		if len(c.setList[set]) == 0 || e.Objects == 0 {
			continue
		}
		if e.Tiny {
			for _, n := range c.setList[set] {
				c.chosen[n].tiny += e.Objects
			}
		}
		s := stacks.cut(e.Stack)
		k := sampleKey{stack: s.number, scopes: set, size: e.Size, typ: e.Type, cause: s.cause}
		c.build.add(k, e.Objects, e.Bytes, e.Size*e.Objects, func(s *profile.Sample) { c.label(s, set) })
	}
	if m := p.Missed; m.Objects != 0 && len(always) > 0 {
		set := c.set(always)
		for _, n := range always {
			c.chosen[n].tiny += m.Tiny
		}
		k := sampleKey{stack: c.build.stack([]frame{{Frame: callsite.Frame{Function: noPath}, symbol: noPath}}), scopes: set, size: -1, cause: "unknown"}
		c.build.add(k, m.Objects, m.Bytes, m.Requested, func(s *profile.Sample) { c.label(s, set) })
	}
}

// scopesBySegment returns the scopes that each segment of p lies in, and those
// that every segment lies in.
func (c *collector) scopesBySegment(p *hook.Counters) (scopes map[uint32][]int, always []int) {
	scopes = make(map[uint32][]int)
	for i, w := range c.chosen {
		switch {
		case w.process != p:
		case w.Kind == hook.KindProcess:
			always = append(always, i)
		default:
			for _, s := range w.Segments {
				scopes[s] = append(scopes[s], i)
			}
		}
	}
	return scopes, always
}

// set returns the number of a set of scopes.
func (c *collector) set(scopes []int) int {
	var key []byte
	for _, i := range scopes {
		key = binary.AppendUvarint(key, uint64(i))
	}
	if n, ok := c.sets[string(key)]; ok {
		return n
	}
	n := len(c.setList)
	c.setList = append(c.setList, scopes)
	c.sets[string(key)] = n
	return n
}

// stackID tells the stacks of one process apart: equal ones are shared.
type stackID struct {
	leaf *hook.Frame
	n    int
}

// placedStack is a stack of the profile and the cause that was cut from it.
type placedStack struct {
	number int
	cause  string
}

// stackCutter brings the stacks of one process into the profile.
type stackCutter struct {
	rules callsite.Rules
	build *builder
	seen  map[stackID]placedStack

	calls  []callsite.Frame // scratch
	frames []frame          // scratch
}

// cut returns a stack from the allocation site on: as in the profiles of
// runtime/pprof, the leaf is the line that allocates, not the allocator.
func (c *stackCutter) cut(stack []hook.Frame) placedStack {
	var id stackID
	if len(stack) > 0 {
		id = stackID{&stack[0], len(stack)}
	}
	if s, ok := c.seen[id]; ok {
		return s
	}
	c.calls = c.calls[:0]
	for _, f := range stack {
		c.calls = append(c.calls, callsite.Frame(f))
	}
	at := c.rules.Locate(c.calls)
	c.frames = append(c.frames[:0], frame{at.Site, at.Site.Function})
	for i := at.At + 1; i < len(stack); i++ {
		f := c.calls[i]
		f.Function = callsite.Normalize(f.Function)
		c.frames = append(c.frames, frame{f, stack[i].Function})
	}
	if len(stack) == 0 {
		c.frames[0] = frame{Frame: callsite.Frame{Function: noPath}, symbol: noPath}
	}
	s := placedStack{c.build.stack(c.frames), at.Cause}
	c.seen[id] = s
	return s
}

// label names the scopes of a sample: by index for alloctop, by name for
// everybody else.
func (c *collector) label(s *profile.Sample, set int) {
	for _, i := range c.setList[set] {
		scope := &c.run.Scopes[i]
		s.NumLabel[labelScope] = append(s.NumLabel[labelScope], int64(i))
		s.NumUnit[labelScope] = append(s.NumUnit[labelScope], "index") // without a unit, 0 is not read back
		switch scope.Kind {
		case KindBenchmark:
			s.Label[labelBenchmark] = append(s.Label[labelBenchmark], scope.Name)
		case KindTest:
			s.Label[labelTest] = append(s.Label[labelTest], scope.Name)
		}
		if packages := s.Label[labelPackage]; len(packages) == 0 || packages[len(packages)-1] != scope.Package {
			s.Label[labelPackage] = append(packages, scope.Package)
		}
	}
}
