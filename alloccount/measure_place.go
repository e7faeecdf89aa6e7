package alloccount

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/internal/hook"
	"github.com/alloctop/alloctop/sizeclass"
)

// noLine stands for the line of tiny objects that the runtime's profile does
// not record.
const noLine = "(tiny objects of unknown line)"

// heapPlacer finds where the objects of a part were allocated: by the
// difference of two heap profiles of the runtime.
type heapPlacer struct {
	keepApart bool // what Measures allocate themselves is in the counts, too
	entries   []hook.Entry
	unplaced  int64 // objects of no known line
}

// read takes what the profile after has more than the one before.
func (h *heapPlacer) read(before, after []byte) error {
	old, err := profile.ParseData(before)
	if err != nil {
		return err
	}
	p, err := profile.ParseData(after)
	if err != nil {
		return err
	}
	was := make(map[string]int64)
	for _, s := range old.Sample {
		was[addresses(s)] += s.Value[0]
	}
	for _, s := range p.Sample {
		k := addresses(s)
		n := s.Value[0]
		gone := min(n, was[k])
		was[k] -= gone
		if n -= gone; n == 0 {
			continue
		}
		size := s.Value[1] / s.Value[0]
		stack := hookStack(s)
		if calledBy(stack, functionApart) && !h.keepApart {
			continue
		}
		h.entries = append(h.entries, hook.Entry{Stack: stack, Size: size, Objects: n, Bytes: n * size})
	}
	return nil
}

// addresses tells the samples of one process apart: by stack and size.
func addresses(s *profile.Sample) string {
	b := make([]byte, 0, 8*len(s.Location)+8)
	for _, l := range s.Location {
		b = binary.LittleEndian.AppendUint64(b, l.Address)
	}
	for _, size := range s.NumLabel[labelBytes] {
		b = binary.AppendVarint(b, size)
	}
	return string(b)
}

// hookStack returns the calls of a sample.
func hookStack(s *profile.Sample) *hook.Stack {
	stack := new(hook.Stack)
	for _, f := range heapFrames(s) {
		stack.Frames = append(stack.Frames, hook.Frame{Function: f.symbol, File: f.File, Line: f.Line, StartLine: f.StartLine})
	}
	return stack
}

// calledBy reports whether a function is in a stack.
func calledBy(s *hook.Stack, function string) bool {
	for ; s != nil; s = s.Caller {
		if slices.ContainsFunc(s.Frames, func(f hook.Frame) bool { return f.Function == function }) {
			return true
		}
	}
	return false
}

// fit makes the entries agree with what the runtime counted while the function
// ran. The profile is open for a little longer, so that it may have objects of
// other goroutines that are not in the counts; and it lacks tiny ones.
func (h *heapPlacer) fit(p *part) {
	want := p.growth.byClass(p.from)
	have := make(map[sizeclass.Bound]int64)
	for i := range h.entries {
		have[sizeclass.Of(h.entries[i].Size)] += h.entries[i].Objects
	}
	slices.SortStableFunc(h.entries, func(a, b hook.Entry) int { return cmp.Compare(surely(a), surely(b)) })
	bytes := p.growth.counted.Bytes
	for i := range h.entries {
		e := &h.entries[i]
		class := sizeclass.Of(e.Size)
		over := min(max(have[class]-want[class], 0), e.Objects)
		have[class] -= over
		e.Objects -= over
		e.Bytes -= over * e.Size
		bytes -= e.Bytes
	}
	for class, n := range want {
		if n -= have[class]; n > 0 {
			size := int64(class)
			if class == sizeclass.Large {
				size = bytes / n // classes below are not missing: the rest is theirs
			}
			h.lost(noPath, size, n, n*size)
			bytes -= n * size
		}
	}
	if p.growth.tiny > 0 {
		h.lost(noLine, 16, p.growth.tiny, 0)
	}
}

// lost adds objects whose line is not known.
func (h *heapPlacer) lost(function string, size, objects, bytes int64) {
	h.entries = append(h.entries, hook.Entry{
		Stack: &hook.Stack{Frames: []hook.Frame{{Function: function}}}, Size: size, Objects: objects, Bytes: bytes, Tiny: function == noLine,
	})
	h.unplaced += objects
}

// surely ranks entries by how sure it is that they are in the counts: least
// what the runtime did by itself, then what other goroutines did.
func surely(e hook.Entry) int {
	switch {
	case calledBy(e.Stack, functionCall):
		return 2
	case slices.ContainsFunc(e.Stack.Frames, func(f hook.Frame) bool { return !strings.HasPrefix(f.Function, "runtime.") }):
		return 1
	}
	return 0
}
