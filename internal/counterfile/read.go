package counterfile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Kinds of regions of a counter file, as in internal/hook/_runtime/alloctop_file.go.
const (
	regionString = iota + 1
	regionPC
	regionNodes
	regionTable
	regionSegment
	regionWindow
	regionNote
)

// measureOwn is the kind of a window that is a [KindMeasure] of its own
// goroutines.
const measureOwn = 5

// Sizes in bytes of what the file consists of, and offsets in its head.
const (
	headSize    = 4096
	nodeSize    = 16
	hotSize     = 16
	coldSize    = 32
	windowSize  = 40 + 2*readingSize
	readingSize = 7 * 8
	processAt   = 8 + 9*8 + 6*4
)

// magic begins a counter file: a name, and the version of what follows.
var magic = []byte("ALLOCTP2")

// ErrNotCounters says that a file is not a counter file.
var ErrNotCounters = errors.New("not a counter file")

// ErrOtherVersion says that a counter file has another form than those of this
// alloctop.
var ErrOtherVersion = errors.New("the program was built by another version of alloctop; build it again")

// ErrNotBegun says that the process of a counter file ended, or was replaced,
// before it counted anything.
var ErrNotBegun = errors.New("the process had not begun to count")

// tries is how often a file is read that grows meanwhile.
const tries = 8

// Read reads a counter file, of a process that has ended or of one
// that goes on counting meanwhile.
func Read(name string) (*Counters, error) {
	for try := 1; ; try++ {
		data, release, err := mapped(name)
		if err != nil {
			return nil, err
		}
		c, whole, err := parseCounters(data)
		release()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if whole || try == tries { // else it has grown meanwhile, or it is damaged
			return c, nil
		}
	}
}

// reader finds its way in the bytes of a counter file. Ids are offsets divided
// by 8. What lies outside of the file reads as zero, so that a damaged file
// gives wrong names and never a fault.
type reader struct {
	data    []byte
	strings map[uint32]string
	frames  map[uint32][]Frame // of a pc
	nodes   []nodes            // in order
	short   bool               // something lay beyond the data
	scanned uint64             // where the search for nodes goes on, in a file that grows meanwhile
}

func (r *reader) u32(at uint64) uint32 {
	if at+4 > uint64(len(r.data)) || at+4 < at {
		r.short = true
		return 0
	}
	return binary.LittleEndian.Uint32(r.data[at:])
}

func (r *reader) u64(at uint64) uint64 {
	return uint64(r.u32(at)) | uint64(r.u32(at+4))<<32
}

func (r *reader) text(id uint32) string {
	if id == 0 {
		return ""
	}
	if s, ok := r.strings[id]; ok {
		return s
	}
	at := uint64(id) * 8
	end := at + 4 + uint64(r.u32(at))
	if end > uint64(len(r.data)) {
		r.short = true
		return ""
	}
	s := string(r.data[at+4 : end])
	r.strings[id] = s
	return s
}

// pc returns the frames of a return address, the innermost inlined call first.
func (r *reader) pc(id uint32) []Frame {
	if f, ok := r.frames[id]; ok || id == 0 {
		return f
	}
	at := uint64(id) * 8
	n := min(r.u64(at+8), 64)
	f := make([]Frame, 0, n)
	for i := range n {
		at := at + 16 + 16*i
		f = append(f, Frame{
			Function:  r.text(r.u32(at)),
			File:      r.text(r.u32(at + 4)),
			Line:      int(r.u32(at + 8)),
			StartLine: int(r.u32(at + 12)),
		})
	}
	r.frames[id] = f
	return f
}

// nodes is a region of the call tree.
type nodes struct {
	first  uint32 // id
	stacks []Stack
	known  []bool
}

// stack returns the stack of a node of the call tree, nil of none.
func (r *reader) stack(id uint32) *Stack {
	const deepest = 4096 // return addresses: more than the hook keeps
	return r.stackAt(id, deepest)
}

func (r *reader) stackAt(id uint32, most int) *Stack {
	if id == 0 || most == 0 {
		return nil
	}
	n, at := r.find(id)
	if n == nil {
		r.findNodes()
		if n, at = r.find(id); n == nil {
			return nil
		}
	}
	s := &n.stacks[at]
	if !n.known[at] {
		n.known[at] = true
		s.Frames = r.pc(r.u32(uint64(id)*8 + 4))
		if parent := r.u32(uint64(id) * 8); parent < id { // as a caller is written before its callees
			s.Caller = r.stackAt(parent, most-1)
		}
	}
	return s
}

// find returns the region that a node is in, and its place there.
func (r *reader) find(id uint32) (*nodes, uint32) {
	i, _ := slices.BinarySearchFunc(r.nodes, id, func(n nodes, id uint32) int { return cmp.Compare(n.first, id+1) })
	if i == 0 {
		return nil, 0
	}
	n := &r.nodes[i-1]
	if n.stacks == nil {
		count := uint64(r.u32(uint64(n.first)*8-4)) / nodeSize
		n.stacks, n.known = make([]Stack, count), make([]bool, count)
	}
	at := (id - n.first) / (nodeSize / 8)
	if uint64(at) >= uint64(len(n.stacks)) {
		return nil, 0
	}
	return n, at
}

func newReader(data []byte) *reader {
	r := &reader{data: data, strings: map[uint32]string{}, frames: map[uint32][]Frame{}, scanned: headSize}
	r.findNodes()
	return r
}

// findNodes lists the regions of nodes from where it ended the last time.
func (r *reader) findNodes() {
	r.scanned = r.regionsFrom(r.scanned, func(kind, id uint32, at, n uint64) {
		if kind == regionNodes && at+n <= uint64(len(r.data)) {
			r.nodes = append(r.nodes, nodes{first: id})
		}
	})
}

// regions calls f for each region of the file, in order, with its id and where
// its content of n bytes is.
func (r *reader) regions(f func(kind, id uint32, at, n uint64)) {
	r.regionsFrom(headSize, f)
}

// regionsFrom does so from one region on, and returns where the next will be.
func (r *reader) regionsFrom(at uint64, f func(kind, id uint32, at, n uint64)) uint64 {
	end := min(r.u64(32), uint64(len(r.data)))
	for at+8 <= end {
		n := uint64(r.u32(at + 4))
		f(r.u32(at), uint32((at+8)/8), at+8, n)
		at += n + 8
	}
	return at
}

// segment returns the windows that are open in a segment.
func (r *reader) segment(at, n uint64) []uint32 {
	var windows []uint32
	for i := range min(uint64(r.u32(at)), n/4) {
		windows = append(windows, r.u32(at+4+4*i))
	}
	return windows
}

// parseCounters reads the content of a file. It is whole if nothing that it
// refers to lies beyond it.
func parseCounters(data []byte) (c *Counters, whole bool, err error) {
	switch {
	case len(data) < headSize:
		return nil, false, ErrNotCounters
	case !bytes.HasPrefix(data, magic):
		if binary.LittleEndian.Uint64(data) == 0 {
			return nil, false, ErrNotBegun
		}
		if bytes.HasPrefix(data, magic[:len(magic)-1]) {
			return nil, false, ErrOtherVersion
		}
		return nil, false, ErrNotCounters
	}
	r := newReader(data)
	c = r.head()
	windows := map[uint32]*Window{}
	tables := tables{}
	var order []uint32
	r.regions(func(kind, id uint32, at, n uint64) {
		switch kind {
		case regionTable:
			tables.add(r, id, at)
		case regionSegment:
			for _, window := range r.segment(at, n) {
				if w := windows[window]; w != nil {
					w.Segments = append(w.Segments, id)
				}
			}
		case regionWindow:
			w := r.window(at)
			windows[id] = &w
			order = append(order, id)
		case regionNote:
			if w := windows[r.u32(at)]; w != nil {
				r.note(w, at)
			}
		}
	})
	for _, id := range slices.Sorted(maps.Keys(tables)) {
		r.table(c, tables[id])
	}
	c.Windows = join(r, windows, order)
	return c, !r.short, nil
}

func (r *reader) head() *Counters {
	c := &Counters{
		PID:     int(r.u64(8)),
		Parent:  int(r.u64(16)),
		Start:   int64(r.u64(24)),
		Folded:  int64(r.u64(48)),
		Missed:  Totals{Objects: int64(r.u64(56)), Bytes: int64(r.u64(64))},
		Refused: int(r.u32(100)),
		GrowErr: int(r.u64(72)),
		Exit:    Exit{State: ExitState(r.u32(80))},
		Go:      r.text(r.u32(88)),
		Process: r.window(processAt),
	}
	switch code := int(int32(r.u32(84))); c.Exit.State {
	case ExitCode:
		c.Exit.Code = code & 0xff
	case ExitSignal:
		c.Exit.Signal = code
	}
	c.Main, c.Module = buildInfo(r.text(r.u32(92)))
	if args := r.text(r.u32(96)); args != "" {
		c.Args = strings.Split(strings.TrimSuffix(args, "\x00"), "\x00")
	}
	return c
}

// buildInfo takes the main package's path and the main module's from what the
// linker stores for runtime/debug.ReadBuildInfo.
func buildInfo(s string) (pack, module string) {
	for line := range strings.Lines(s) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) < 2 {
			continue
		}
		if i := strings.LastIndex(fields[0], "path"); i >= 0 && pack == "" { // a marker of 16 bytes precedes it
			pack = fields[1]
		} else if fields[0] == "mod" {
			module = fields[1]
		}
	}
	return pack, module
}

// counter is one slot of a table in use.
type counter struct {
	size, slot                 int64 // bytes, requested and taken
	stack, typ, segment, flags uint32
	objects                    int64
}

func (c counter) bytes() int64 { return c.objects * c.slot }

// tiny reports whether the objects are pointer-free and below 16 bytes.
func tiny(flags uint32) bool { return flags&1 != 0 }

// table reads the counters of one P.
func (r *reader) table(c *Counters, at uint64) {
	r.counters(at, func(x counter) {
		stack := r.stack(x.stack)
		if stack == nil {
			r.short = true
			return // written meanwhile, beyond what was mapped
		}
		c.Entries = append(c.Entries, Entry{
			Size:    x.size,
			Stack:   stack,
			Type:    r.text(x.typ),
			Segment: x.segment,
			Tiny:    tiny(x.flags),
			Objects: x.objects,
			Bytes:   x.bytes(),
		})
	})
}

// counters calls f for each counter in use of a table.
func (r *reader) counters(at uint64, f func(counter)) {
	n := uint64(r.u32(at + 4))
	hot := at + 16
	cold := hot + n*hotSize
	room := min(uint64(r.u32(at-4)), uint64(len(r.data))) // of the region: in a damaged file n may say more
	for i := range min(n, room/(hotSize+coldSize)) {
		objects := int64(r.u64(hot + i*hotSize + 8))
		if objects != 0 && r.u64(hot+i*hotSize) != 0 {
			at := cold + i*coldSize
			f(counter{
				size: int64(r.u64(at)), slot: int64(r.u64(at + 8)),
				stack: r.u32(at + 16), typ: r.u32(at + 20), segment: r.u32(at + 24), flags: r.u32(at + 28),
				objects: objects,
			})
		}
	}
}

// tables are the tables of all Ps that no other one replaces, by id.
type tables map[uint32]uint64

func (t tables) add(r *reader, id uint32, at uint64) {
	t[id] = at
	delete(t, r.u32(at+8)) // the one that it replaces
}

// window reads a window as it lies in the file; its kind's numbers are those
// of the runtime's part of the hook.
func (r *reader) window(at uint64) Window {
	kind := r.u32(at)
	own := kind == measureOwn
	if own {
		kind = uint32(KindMeasure)
	}
	return Window{
		Kind:       Kind(kind),
		Own:        own,
		Name:       r.text(r.u32(at + 8)),
		Package:    r.text(r.u32(at + 12)),
		Open:       r.u32(at+16) != 0,
		Final:      r.u32(at+20) != 0,
		Procs:      int(r.u32(at + 24)),
		Iterations: int64(r.u64(at + 32)),
		Objects:    int64(r.u64(at + 40)),
		Bytes:      int64(r.u64(at + 48)),
		Wall:       int64(r.u64(at + 56)),
		CPU:        int64(r.u64(at + 64)),
		GCs:        int64(r.u64(at + 72)),
		GCCPU:      int64(r.u64(at + 80)),
		Pause:      int64(r.u64(at + 88)),
	}
}

func (r *reader) note(w *Window, at uint64) {
	text := r.text(r.u32(at + 4))
	switch w.Kind {
	case KindBenchmark:
		w.Metrics = append(w.Metrics, Metric{text, math.Float64frombits(r.u64(at + 8))})
	case KindParallel:
		w.Tests = append(w.Tests, text)
	}
}

// join puts the windows that are parts of a group into the group.
func join(r *reader, windows map[uint32]*Window, order []uint32) []Window {
	for _, id := range order {
		g := windows[r.u32(uint64(id)*8+4)]
		if g == nil || windows[id] == g {
			continue
		}
		w := windows[id]
		g.Open = g.Open || w.Open
		g.Objects += w.Objects
		g.Bytes += w.Bytes
		g.Wall += w.Wall
		g.CPU += w.CPU
		g.GCs += w.GCs
		g.GCCPU += w.GCCPU
		g.Pause += w.Pause
		for _, s := range w.Segments {
			if !slices.Contains(g.Segments, s) {
				g.Segments = append(g.Segments, s)
			}
		}
		if g.Package == "" {
			g.Package = w.Package
		}
		windows[id] = nil
	}
	var out []Window
	for _, id := range order {
		if w := windows[id]; w != nil {
			out = append(out, *w)
		}
	}
	return out
}
