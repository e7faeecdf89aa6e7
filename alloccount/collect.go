package alloccount

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/callsite"
	"github.com/alloctop/alloctop/internal/counterfile"
)

// Functions that stand for what has no line.
const (
	noPath  = "(call path not recorded)" // of allocations that the hook could only add up
	leftOut = "(calls left out)"         // of calls between those that are kept
)

// special returns the frame of a function without a line.
func special(name string) frame { return frame{callsite.Frame{Function: name}, name} }

// Bounds of the call paths in a profile. A recursive program has a new path at
// every depth, and every tool that reads the profile has to hold them all.
const (
	mostCalls  = 128     // calls of one path, as in the profiles of runtime/pprof
	leastCalls = 16      // of one path, whatever there are
	mostRefs   = 8 << 20 // calls of all paths together
)

// collect makes the profile of all processes. If they have so many call paths
// that no tool could read it, the paths are cut shorter: the lines that
// allocate and the user's lines stay exact.
func (c *collector) collect(cs []*counterfile.Counters, refs int) *profile.Profile {
	for calls := mostCalls; ; calls /= 2 {
		for _, w := range c.chosen {
			w.objects, w.tiny, w.lost, w.apart = 0, 0, 0, Counted{}
		}
		b := newBuilder(cs[0].Main)
		if calls <= leastCalls {
			refs = math.MaxInt
		}
		for _, p := range cs {
			c.count(p, b, calls, refs)
		}
		if b.refs > refs {
			continue
		}
		if calls < mostCalls {
			c.run.Notes = append(c.run.Notes, fmt.Sprintf("so many different call paths that each is cut to its %d innermost calls; the lines that allocate and their numbers are exact", calls))
		}
		return b.p
	}
}

// count adds the entries of p to the scopes that their segments lie in. It
// gives up once the call paths hold more than refs calls.
func (c *collector) count(p *counterfile.Counters, b *builder, calls, refs int) {
	scopes, always := c.scopesBySegment(p)
	sets := make(map[uint32]int)
	stacks := &stackCutter{
		rules: c.o.Rules, build: b, most: calls,
		seen: make(map[*counterfile.Stack]placedStack), known: make(map[*counterfile.Frame]*placedCall),
	}
	stacks.rules.Main = strings.TrimSuffix(p.Main, ".test")
	apart := c.newApart()
	for i := range p.Entries {
		e := &p.Entries[i]
		set, ok := sets[e.Segment]
		if !ok {
			set = c.set(slices.Concat(scopes[e.Segment], always))
			sets[e.Segment] = set
		}
		if apart.has(e.Stack) {
			set = c.leaveApart(set, e)
		}
		if len(c.setList[set]) == 0 || e.Objects == 0 {
			continue
		}
		s := stacks.cut(e.Stack)
		c.tally(set, e, s)
		k := sampleKey{stack: s.number, scopes: set, size: e.Size, typ: e.Type, cause: s.cause}
		b.add(k, e.Objects, e.Bytes, c.requested(e), func(s *profile.Sample) { c.label(s, set) })
		if b.refs > refs {
			return
		}
	}
	if m := p.Missed; m.Objects != 0 && len(always) > 0 {
		set := c.set(always)
		for _, n := range c.setList[set] {
			c.chosen[n].objects += m.Objects
			c.chosen[n].tiny += m.Tiny
		}
		k := sampleKey{stack: b.stack([]frame{special(noPath)}), scopes: set, size: -1, cause: "unknown"}
		b.add(k, m.Objects, m.Bytes, m.Requested, func(s *profile.Sample) { c.label(s, set) })
	}
}

// tally counts the objects of e in a set of scopes.
func (c *collector) tally(set int, e *counterfile.Entry, s placedStack) {
	for _, n := range c.setList[set] {
		w := c.chosen[n]
		w.objects += e.Objects
		if e.Tiny {
			w.tiny += e.Objects
		}
		if s.lost {
			w.lost += e.Objects
		}
	}
}

// scopesBySegment returns the scopes that each segment of p lies in, and those
// that every segment lies in.
func (c *collector) scopesBySegment(p *counterfile.Counters) (scopes map[uint32][]int, always []int) {
	scopes = make(map[uint32][]int)
	for i, w := range c.chosen {
		switch {
		case w.process != p:
		case w.Kind == counterfile.KindProcess:
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

// placedStack is a stack of the profile and the cause that was cut from it.
type placedStack struct {
	number int
	cause  string
	lost   bool // the user's line may be among the calls that the hook cut off
}

// placedCall is what is known of the frames of one return address.
type placedCall struct {
	frames []frame // as the profile keeps them
	own    []bool  // which are the user's
}

// stackCutter brings the stacks of one process into the profile. There can be
// millions, hundreds of calls deep, through a few thousand return addresses.
type stackCutter struct {
	rules callsite.Rules
	build *builder
	most  int // calls to keep of a stack
	seen  map[*counterfile.Stack]placedStack
	known map[*counterfile.Frame]*placedCall

	calls  []callsite.Frame // scratch, as the process names them
	frames []frame          // scratch, the same as the profile keeps them
	own    []bool           // scratch, which of them are the user's
	path   []frame          // scratch
}

// cut returns a stack from the allocation site on: as in the profiles of
// runtime/pprof, the leaf is the line that allocates, not the allocator.
func (c *stackCutter) cut(stack *counterfile.Stack) placedStack {
	if s, ok := c.seen[stack]; ok {
		return s
	}
	c.expand(stack)
	at := c.rules.LocateKnown(c.calls, func(i int) bool { return c.own[i] })
	c.path = append(c.path[:0], frame{at.Site, at.Site.Function})
	if len(c.calls) == 0 {
		c.path[0] = special(noPath)
	}
	rest := at.At + 1
	end := min(len(c.frames), rest+c.most)
	c.path = append(c.path, c.frames[min(rest, end):end]...)
	cut := cutByHook(stack)
	if end < len(c.frames) || cut {
		c.path = append(c.path, special(leftOut))
		if at.UserAt >= end {
			c.path = append(c.path, c.frames[at.UserAt])
		}
	}
	s := placedStack{c.build.stack(c.path), at.Cause, cut && !at.HasUser()}
	c.seen[stack] = s
	return s
}

// How many return addresses the hook keeps of a stack that has more than 501
// below a call from C, or more than 511 elsewhere (internal/hook/_runtime/alloctop_walk.go).
const cutLeast, cutMost = 118, 128

// cutByHook reports whether the hook left out the outer calls of a stack: the
// outermost call of a goroutine or thread is one of the runtime.
func cutByHook(stack *counterfile.Stack) bool {
	n := 0
	var root *counterfile.Stack
	for ; stack != nil; stack = stack.Caller {
		if n++; n > cutMost {
			return false
		}
		root = stack
	}
	if n < cutLeast || len(root.Frames) == 0 {
		return false
	}
	return !strings.HasPrefix(root.Frames[len(root.Frames)-1].Function, "runtime.")
}

// expand writes the frames of a stack to c.calls and c.frames, as far as they
// matter: what is kept of them, the user's first, and what may be needed to
// name that, the loop whose body it is.
func (c *stackCutter) expand(stack *counterfile.Stack) {
	const loop = 64
	c.calls, c.frames, c.own = c.calls[:0], c.frames[:0], c.own[:0]
	own := -1
	for ; stack != nil; stack = stack.Caller {
		if own >= 0 && len(c.calls) > own+loop+c.most {
			return
		}
		if len(stack.Frames) == 0 {
			continue
		}
		p := c.call(stack.Frames)
		if own < 0 && slices.Contains(p.own, true) {
			own = len(c.calls)
		}
		for _, f := range stack.Frames {
			c.calls = append(c.calls, callsite.Frame(f))
		}
		c.frames = append(c.frames, p.frames...)
		c.own = append(c.own, p.own...)
	}
}

// call returns what is known of a return address.
func (c *stackCutter) call(frames []counterfile.Frame) *placedCall {
	if p, ok := c.known[&frames[0]]; ok {
		return p
	}
	p := &placedCall{}
	for _, f := range frames {
		shown := callsite.Frame(f)
		shown.Function = callsite.Normalize(f.Function)
		p.frames = append(p.frames, frame{shown, f.Function})
		p.own = append(p.own, c.rules.Owns(shown))
	}
	c.known[&frames[0]] = p
	return p
}

// label names the scopes of a sample: by index for alloctop, by name for
// everybody else.
func (c *collector) label(s *profile.Sample, set int) {
	for _, i := range c.setList[set] {
		scope := &c.run.Scopes[i]
		addScope(s, i)
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
