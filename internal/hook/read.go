package hook

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
)

// Kinds of regions of a counter file, as in _runtime/alloctop_file.go.
const (
	regionString = iota + 1
	regionPC
	regionNodes
	regionTable
	regionSegment
	regionWindow
	regionNote
)

// Sizes in bytes of what the file consists of, and offsets in its head.
const (
	headSize    = 4096
	hotSize     = 16
	coldSize    = 40
	windowSize  = 40 + 2*readingSize
	readingSize = 7 * 8
	processAt   = 8 + 9*8 + 6*4
)

var magic = []byte("ALLOCTP1")

// ErrNotCounters says that a file is not a counter file.
var ErrNotCounters = errors.New("not a counter file")

// ReadCounters reads a counter file, of a process that has ended or of one
// that goes on counting meanwhile.
func ReadCounters(name string) (*Counters, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	c, err := parseCounters(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

// reader finds its way in the bytes of a counter file. Ids are offsets divided
// by 8. What lies outside of the file reads as zero, so that a damaged file
// gives wrong names and never a fault.
type reader struct {
	data    []byte
	strings map[uint32]string
	frames  map[uint32][]Frame // of a pc
	stacks  map[uint32][]Frame // of a node
}

func (r *reader) u32(at uint64) uint32 {
	if at+4 > uint64(len(r.data)) || at+4 < at {
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

// stack returns the frames of a node of the call tree.
func (r *reader) stack(node uint32) []Frame {
	if s, ok := r.stacks[node]; ok {
		return s
	}
	const deepest = 4096 // return addresses: more than the hook keeps
	var s []Frame
	for n, i := node, 0; n != 0 && i < deepest; i++ {
		s = append(s, r.pc(r.u32(uint64(n)*8+4))...)
		n = r.u32(uint64(n) * 8)
	}
	r.stacks[node] = s
	return s
}

func parseCounters(data []byte) (*Counters, error) {
	if len(data) < headSize || !bytes.HasPrefix(data, magic) {
		return nil, ErrNotCounters
	}
	r := &reader{data, map[uint32]string{}, map[uint32][]Frame{}, map[uint32][]Frame{}}
	c := r.head()
	windows := map[uint32]*Window{}
	tables := map[uint32]uint64{}
	var order []uint32
	end := min(r.u64(32), uint64(len(data)))
	for at := uint64(headSize); at+8 <= end; {
		kind, n := r.u32(at), uint64(r.u32(at+4))
		id := uint32((at + 8) / 8)
		switch kind {
		case regionTable:
			tables[id] = at + 8
			if old := r.u32(at + 16); old != 0 {
				delete(tables, old)
			}
		case regionSegment:
			for i := range min(uint64(r.u32(at+8)), n/4) {
				if w := windows[r.u32(at+12+4*i)]; w != nil {
					w.Segments = append(w.Segments, id)
				}
			}
		case regionWindow:
			w := r.window(at + 8)
			windows[id] = &w
			order = append(order, id)
		case regionNote:
			if w := windows[r.u32(at+8)]; w != nil {
				r.note(w, at+8)
			}
		}
		at += n + 8
	}
	for _, id := range slices.Sorted(maps.Keys(tables)) {
		r.table(c, tables[id])
	}
	c.Windows = join(r, windows, order)
	return c, nil
}

func (r *reader) head() *Counters {
	c := &Counters{
		PID:     int(r.u64(8)),
		Parent:  int(r.u64(16)),
		Start:   int64(r.u64(24)),
		Folded:  int64(r.u64(48)),
		Missed:  Totals{Objects: int64(r.u64(56)), Bytes: int64(r.u64(64))},
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

// table reads the counters of one P.
func (r *reader) table(c *Counters, at uint64) {
	n := uint64(r.u32(at + 4))
	hot := at + 16
	cold := hot + n*hotSize
	for i := range min(n, uint64(len(r.data))/(hotSize+coldSize)) {
		objects := int64(r.u64(hot + i*hotSize + 8))
		at := cold + i*coldSize
		if objects == 0 || r.u64(hot+i*hotSize) == 0 {
			continue
		}
		e := Entry{
			Size:    int64(r.u64(at)),
			Stack:   r.stack(r.u32(at + 24)),
			Type:    r.text(r.u32(at + 28)),
			Segment: r.u32(at + 32),
			Tiny:    r.u32(at+36)&1 != 0,
			Objects: objects,
			Bytes:   objects * int64(r.u64(at+8)),
		}
		if e.Tiny {
			e.Bytes = int64(r.u64(at+16)) * int64(r.u64(at+8))
		}
		c.Entries = append(c.Entries, e)
	}
}

// window reads a window as it lies in the file; its kind's numbers are those
// of the runtime's part of the hook.
func (r *reader) window(at uint64) Window {
	return Window{
		Kind:       Kind(r.u32(at)),
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
