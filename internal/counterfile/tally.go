package counterfile

import (
	"bytes"
	"fmt"
	"slices"
)

// Tally is what the counters of one window stood at when it was taken. The
// difference of two says what was counted between them: a window can be closed
// and opened again, and goes on counting then.
type Tally struct {
	Folded int64 // allocations of the process counted under their leaf frames only

	counts map[tallyKey]tallyCount
}

// tallyKey is what tells the counters of a window apart, by ids of the file.
type tallyKey struct {
	segment, stack, typ, flags uint32
	size                       uint64
}

type tallyCount struct {
	objects int64
	bytes   int64
}

// TakeTally reads what has been counted in a window, known by the id that the
// runtime gave it, from the counter file of a process that goes on counting.
func TakeTally(name string, window uint32) (*Tally, error) {
	t, _, err := tallyEntries(name, window, nil, false)
	return t, err
}

// EntriesSince reads what has been counted in a window since before was taken,
// all of it if before is nil. Counters of several Ps are added up, so no two
// entries are alike.
func EntriesSince(name string, window uint32, before *Tally) (*Tally, []Entry, error) {
	return tallyEntries(name, window, before, true)
}

func tallyEntries(name string, window uint32, before *Tally, resolve bool) (t *Tally, entries []Entry, err error) {
	for try := 1; ; try++ {
		data, release, err := mapped(name)
		if err != nil {
			return nil, nil, fmt.Errorf("reading the counters of this process: %w", err)
		}
		if len(data) < headSize || !bytes.HasPrefix(data, magic) {
			_ = release()
			return nil, nil, fmt.Errorf("reading the counters of this process: %s: %w", name, ErrNotCounters)
		}
		r := newReader(data)
		if t = r.tally(window); resolve {
			entries = r.entriesOf(t, before)
		}
		if err := release(); err != nil {
			return nil, nil, fmt.Errorf("reading the counters of this process: %w", err)
		}
		if !r.short {
			return t, entries, nil
		}
		// The file has grown since it was mapped, and something new that takes
		// the place of something old lies beyond.
		if try == tries {
			return nil, nil, fmt.Errorf("reading the counters of this process: %s grew %d times while it was read", name, tries)
		}
	}
}

// tally adds up the counters of one window.
func (r *reader) tally(window uint32) *Tally {
	t := &Tally{Folded: int64(r.u64(48)), counts: make(map[tallyKey]tallyCount)}
	segments := make(map[uint32]bool)
	tables := make(map[uint32]uint64)
	r.regions(func(kind, id uint32, at, n uint64) {
		switch kind {
		case regionTable:
			tables[id] = at
			delete(tables, r.u32(at+8)) // the one that it replaces
		case regionSegment:
			segments[id] = slices.Contains(r.segment(at, n), window)
		}
	})
	for _, at := range tables {
		r.counters(at, func(cold uint64, objects int64) {
			k := tallyKey{
				segment: r.u32(cold + 24), stack: r.u32(cold + 16), typ: r.u32(cold + 20),
				flags: r.u32(cold + 28), size: r.u64(cold),
			}
			if !segments[k.segment] {
				return
			}
			c := t.counts[k]
			c.objects += objects
			c.bytes += objects * int64(r.u64(cold+8))
			t.counts[k] = c
		})
	}
	return t
}

// entriesOf returns what t has more than before.
func (r *reader) entriesOf(t, before *Tally) []Entry {
	var entries []Entry
	for k, c := range t.counts {
		if before != nil {
			was := before.counts[k]
			c.objects -= was.objects
			c.bytes -= was.bytes
		}
		if c.objects == 0 {
			continue
		}
		entries = append(entries, Entry{
			Segment: k.segment,
			Stack:   r.stack(k.stack),
			Size:    int64(k.size),
			Type:    r.text(k.typ),
			Objects: c.objects,
			Bytes:   c.bytes,
			Tiny:    k.flags&1 != 0,
		})
	}
	return entries
}
