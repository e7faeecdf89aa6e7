package alloccount

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/internal/counterfile"
	"github.com/alloctop/alloctop/sizeclass"
)

// noLine stands for the line of tiny objects that the runtime's profile does
// not record.
const noLine = "(tiny objects of unknown line)"

// heapPlacer finds where objects were allocated, by the difference of two heap
// profiles of the runtime.
type heapPlacer struct {
	keepApart bool // what Measures allocate themselves is in the counts, too
	found     []counterfile.Entry
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
		h.found = append(h.found, counterfile.Entry{Stack: stack, Size: size, Objects: n, Bytes: n * size})
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
func hookStack(s *profile.Sample) *counterfile.Stack {
	stack := new(counterfile.Stack)
	for _, f := range heapFrames(s) {
		stack.Frames = append(stack.Frames, counterfile.Frame{Function: f.symbol, File: f.File, Line: f.Line, StartLine: f.StartLine})
	}
	return stack
}

// calledBy reports whether a function is in a stack.
func calledBy(s *counterfile.Stack, function string) bool {
	for ; s != nil; s = s.Caller {
		if slices.ContainsFunc(s.Frames, func(f counterfile.Frame) bool { return f.Function == function }) {
			return true
		}
	}
	return false
}

// fill gives a part, whose calls were made by a function, its entries: as many
// objects of each size class as the runtime counted while the calls ran.
func (h *heapPlacer) fill(p *part, function string) {
	f := &filler{part: p, left: p.growth.byClass(p.from), bytes: p.growth.counted.Bytes}
	for _, takes := range []func(*counterfile.Stack) bool{
		func(s *counterfile.Stack) bool { return calledBy(s, function) }, // surely counted
		onEdge,
		func(s *counterfile.Stack) bool { return !onlyRuntime(s) && !h.called(s) }, // other goroutines
		onlyRuntime, // last: for the measuring, too, the runtime makes objects
	} {
		for i := range h.found {
			if e := &h.found[i]; takes(e.Stack) {
				f.take(e)
			}
		}
	}
	f.finish()
}

// called reports whether the measured function is in a stack.
func (h *heapPlacer) called(s *counterfile.Stack) bool {
	return calledBy(s, functionCall) || calledBy(s, functionFirst)
}

// filler fills one part.
type filler struct {
	*part
	left  map[sizeclass.Bound]int64 // objects that have no entry yet
	bytes int64                     // the same in bytes
}

// take makes entries of the part from as many objects of e as are left.
func (f *filler) take(e *counterfile.Entry) {
	class := sizeclass.Of(e.Size)
	f.takeOf(class, e)
	if class == sizeclass.Of(32768) { // or four pages: above 32760 bytes an object is large
		f.takeOf(sizeclass.Large, e)
	}
}

// takeOf is take where the runtime counted e in a class.
func (f *filler) takeOf(class sizeclass.Bound, e *counterfile.Entry) {
	n := min(e.Objects, f.left[class])
	if n <= 0 {
		return
	}
	f.left[class] -= n
	f.bytes -= n * e.Size
	e.Objects -= n
	e.Bytes -= n * e.Size
	if onEdge(e.Stack) {
		f.growth.counted.Objects -= n
		f.growth.counted.Bytes -= n * e.Size
		return
	}
	f.entries = append(f.entries, counterfile.Entry{Stack: e.Stack, Size: e.Size, Objects: n, Bytes: n * e.Size})
}

// finish makes entries of what the profile does not have.
func (f *filler) finish() {
	rest := f.bytes
	for class, n := range f.left {
		if class != sizeclass.Large {
			rest -= n * int64(class)
		}
	}
	if f.left[sizeclass.Large] == 0 && rest != 0 {
		f.giveBackLarge()
	}
	for _, class := range slices.Sorted(maps.Keys(f.left)) {
		n := f.left[class]
		if n == 0 {
			continue
		}
		size, bytes := int64(class), n*int64(class)
		if class == sizeclass.Large { // the last: all other bytes have an entry
			size, bytes = f.bytes/n, f.bytes
		}
		f.bytes -= bytes
		f.lose(noPath, size, n, bytes)
	}
	if f.growth.tiny > 0 {
		f.lose(noLine, 16, f.growth.tiny, 0)
	}
}

// giveBackLarge undoes the entries of large objects that other goroutines made.
// Among them are some from before or after the counting, since the bytes of all
// entries are not those that the runtime counted.
func (f *filler) giveBackLarge() {
	f.entries = slices.DeleteFunc(f.entries, func(e counterfile.Entry) bool {
		other := sizeclass.Of(e.Size) == sizeclass.Large && !calledBy(e.Stack, functionCall) && !calledBy(e.Stack, functionFirst)
		if other {
			f.left[sizeclass.Large] += e.Objects
			f.bytes += e.Bytes
		}
		return other
	})
}

// onEdge reports whether the runtime made an object because the counting began
// or ended: while it stopped the world, which it also does on the system stack,
// or to give back memory after the garbage collection before the counting.
func onEdge(s *counterfile.Stack) bool {
	return calledBy(s, functionEdge) ||
		onlyRuntime(s) && (calledBy(s, "runtime.startTheWorld.func1") || calledBy(s, "runtime.bgscavenge"))
}

// lose adds objects whose line is not known.
func (p *part) lose(function string, size, objects, bytes int64) {
	stack := &counterfile.Stack{Frames: []counterfile.Frame{{Function: function}}}
	p.entries = append(p.entries, counterfile.Entry{Stack: stack, Size: size, Objects: objects, Bytes: bytes, Tiny: function == noLine})
	p.unplaced += objects
}

// onlyRuntime reports whether all calls of a stack are the runtime's own.
func onlyRuntime(s *counterfile.Stack) bool {
	return !slices.ContainsFunc(s.Frames, func(f counterfile.Frame) bool { return !strings.HasPrefix(f.Function, "runtime.") })
}
