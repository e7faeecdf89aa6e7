package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/sizeclass"
)

// mostTickLines is how many lines of a scope a tick names.
const mostTickLines = 16

// sums is what was allocated, by process; see tickKey.
type sums map[string]*processSums

type processSums struct {
	sizes map[sizeclass.Bound]amounts
	lines map[string]amounts // by place and line
}

// sumsOf adds up a report. Of a process with a number only the scopes of the
// whole of it count: benchmarks in it come and go.
func sumsOf(r *alloccount.Report) sums {
	all := make(sums, len(r.Scopes))
	names := newNamer(r.Scopes)
	for _, s := range r.Scopes {
		key := tickKey(s, clean(names.id(s)))
		if s.Process.PID > 0 && s.Kind != alloccount.KindProcess {
			continue
		}
		t := all[key]
		if t == nil {
			t = &processSums{make(map[sizeclass.Bound]amounts), make(map[string]amounts)}
			all[key] = t
		}
		for _, b := range s.SizeClasses {
			a := t.sizes[b.Max]
			a.add(b.Objects, b.Bytes, b.Requested)
			t.sizes[b.Max] = a
		}
		for _, x := range s.Sites {
			at := clean(s.Place(x.Function, x.Package, x.File))
			if x.Line > 0 {
				at = fmt.Sprintf("%s:%d", at, x.Line)
			}
			a := t.lines[at]
			a.add(x.Objects, x.Bytes, x.Requested)
			t.lines[at] = a
		}
	}
	return all
}

// tickKey names the process of a scope in ticks: the same while it runs and when
// it has ended, whatever scopes it has by then. Profiles of other programs tell
// no number; they have one scope.
func tickKey(s *alloccount.Scope, id string) string {
	if s.Process.PID > 0 {
		return fmt.Sprintf("process %d", s.Process.PID)
	}
	return id
}

// sizeTick is a size class and what it grew by, as a row of four.
type sizeTick struct {
	max  sizeclass.Bound
	grew amounts
}

func (t sizeTick) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{t.max, t.grew[0], t.grew[1], t.grew[2]})
}

// lineTick is a line and what it grew by, as a row of four.
type lineTick struct {
	at   string
	grew amounts
}

func (t lineTick) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{t.at, t.grew[0], t.grew[1], t.grew[2]})
}

// newTick returns what grew from one snapshot to the next. A process that was
// not there before grew from nothing, and so did one that shows less of anything
// than before: it was started anew.
func newTick(at time.Time, seconds float64, before, after sums) tick {
	t := tick{Time: at.UnixMilli(), Seconds: seconds, Scopes: make(map[string]*tickScope)}
	for id, now := range after {
		old := before[id]
		if old == nil || old.beyond(now) {
			old = new(processSums)
		}
		s := &tickScope{Sizes: []sizeTick{}, Lines: []lineTick{}}
		for max, a := range now.sizes {
			if d := a.minus(old.sizes[max]); d != (amounts{}) {
				s.Sizes = append(s.Sizes, sizeTick{max, d})
			}
		}
		for line, a := range now.lines {
			if d := a.minus(old.lines[line]); d != (amounts{}) {
				s.Lines = append(s.Lines, lineTick{line, d})
			}
		}
		if len(s.Sizes) == 0 {
			continue
		}
		slices.SortFunc(s.Sizes, func(a, b sizeTick) int { return cmp.Compare(a.max, b.max) })
		slices.SortFunc(s.Lines, func(a, b lineTick) int {
			return cmp.Or(cmp.Compare(b.grew[0], a.grew[0]), cmp.Compare(b.grew[2], a.grew[2]), cmp.Compare(a.at, b.at))
		})
		s.Lines = s.Lines[:min(len(s.Lines), mostTickLines)]
		t.Scopes[id] = s
	}
	return t
}

// beyond reports whether a size of p counts more than in now, which cannot be of
// the same process later.
func (p *processSums) beyond(now *processSums) bool {
	for max, a := range p.sizes {
		if a[0] > now.sizes[max][0] {
			return true
		}
	}
	return false
}

// minus returns what a has more than b. A line has less where another of several
// user lines came to be the one that is named.
func (a amounts) minus(b amounts) amounts {
	for m := range a {
		a[m] = max(0, a[m]-b[m])
	}
	return a
}
