package counterfile

import (
	"bytes"
	"errors"
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
	size                       int64
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

// tallyEntries reads the file until it has not grown meanwhile: something new
// that takes the place of something old may lie beyond what was mapped.
func tallyEntries(name string, window uint32, before *Tally, resolve bool) (*Tally, []Entry, error) {
	for range tries {
		t, entries, whole, err := tallyOnce(name, window, before, resolve)
		if err != nil {
			return nil, nil, fmt.Errorf("reading the counters of this process: %w", err)
		}
		if whole {
			return t, entries, nil
		}
	}
	return nil, nil, fmt.Errorf("reading the counters of this process: %s grew %d times while it was read", name, tries)
}

func tallyOnce(name string, window uint32, before *Tally, resolve bool) (t *Tally, entries []Entry, whole bool, err error) {
	data, release, err := mapped(name)
	if err != nil {
		return nil, nil, false, err
	}
	defer func() { err = errors.Join(err, release()) }()
	if len(data) < headSize || !bytes.HasPrefix(data, magic) {
		return nil, nil, false, fmt.Errorf("%s: %w", name, ErrNotCounters)
	}
	r := newReader(data)
	if t = r.tally(window); resolve {
		entries = r.entriesOf(t, before)
	}
	return t, entries, !r.short, nil
}

// tally adds up the counters of one window.
func (r *reader) tally(window uint32) *Tally {
	t := &Tally{Folded: int64(r.u64(48)), counts: make(map[tallyKey]tallyCount)}
	segments := make(map[uint32]bool)
	tables := tables{}
	r.regions(func(kind, id uint32, at, n uint64) {
		switch kind {
		case regionTable:
			tables.add(r, id, at)
		case regionSegment:
			segments[id] = slices.Contains(r.segment(at, n), window)
		}
	})
	for _, at := range tables {
		r.counters(at, func(x counter) {
			if !segments[x.segment] {
				return
			}
			k := tallyKey{segment: x.segment, stack: x.stack, typ: x.typ, flags: x.flags, size: x.size}
			c := t.counts[k]
			c.objects += x.objects
			c.bytes += x.bytes()
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
			Size:    k.size,
			Type:    r.text(k.typ),
			Objects: c.objects,
			Bytes:   c.bytes,
			Tiny:    tiny(k.flags),
		})
	}
	return entries
}
