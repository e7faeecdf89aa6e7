package alloccount

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/callsite"
)

// By says which line a site is.
type By string

const (
	ByAllocation By = "allocation" // the line that allocates, also in a library
	ByUser       By = "user"       // the line of the user's own code that led to it
)

// ReportOptions says how a profile is read.
type ReportOptions struct {
	By  By    // "" is ByAllocation
	Per []Per // what a record is; the best match counts. Without any, what the profile was made with
}

// NewReport makes the report of a profile of allocations, whoever wrote it.
func NewReport(p *profile.Profile, o ReportOptions) (*Report, error) {
	if o.By == "" {
		o.By = ByAllocation
	}
	values, err := findValues(p)
	if err != nil {
		return nil, err
	}
	r, err := runOf(p)
	foreign := errors.Is(err, errForeign)
	switch {
	case foreign:
		r = foreignRun(p)
	case err != nil:
		return nil, err
	}
	if len(o.Per) == 0 {
		if o.Per, err = parsePers(r.Per); err != nil {
			return nil, fmt.Errorf("the profile's comment on the run is damaged: %w", err)
		}
	}
	report := &Report{Schema: Schema, Engine: r.Engine, Go: r.Go, Command: r.Command, By: o.By, Notes: slices.Clone(r.Notes)}
	g := &grouper{by: o.By, values: values, foreign: foreign, frames: make(map[*profile.Location][]callsite.Frame)}
	for i := range r.Scopes {
		scope := r.scope(&r.Scopes[i])
		report.Scopes = append(report.Scopes, scope)
		main := strings.TrimSuffix(scope.Process.Main, ".test")
		g.scopes = append(g.scopes, &scopeTally{rules: r.Owned.rules(main, r.Engine == Sampled), sites: make(map[siteKey]*siteTally), sizes: make(sizes), own: make(map[*profile.Location][]bool)})
	}
	for _, s := range p.Sample {
		if err := g.add(s); err != nil {
			return nil, err
		}
	}
	report.Notes = append(report.Notes, applyPer(report.Scopes, o.Per)...)
	for i, s := range report.Scopes {
		g.scopes[i].fill(s)
	}
	report.complete()
	return report, nil
}

// complete makes what a reader of r may rely on: no nil slices, and a first
// scope.
func (r *Report) complete() {
	if r.Command == nil {
		r.Command = []string{}
	}
	if r.Scopes == nil {
		r.Scopes = []*Scope{}
	}
	r.Scope = new(Scope)
	if len(r.Scopes) > 0 {
		r.Scope = r.Scopes[0]
	}
}

// values are the indexes of a profile's sample types, -1 for what it lacks.
type values struct {
	objects, bytes, requested int
}

// findValues finds the sample types that a report needs.
func findValues(p *profile.Profile) (values, error) {
	v := values{-1, -1, -1}
	var names []string
	inuse := false
	for i, t := range p.SampleType {
		names = append(names, t.Type+"/"+t.Unit)
		switch t.Type {
		case allocObjects:
			v.objects = i
		case allocSpace:
			v.bytes = i
		case requestedSpace:
			v.requested = i
		case "inuse_objects", "inuse_space":
			inuse = true
		}
	}
	if v.objects >= 0 {
		return v, nil
	}
	has := "the profile has no sample types"
	if len(names) > 0 {
		has = "the profile has " + strings.Join(names, ", ")
	}
	if inuse {
		return v, fmt.Errorf("%s: what is in use, not what was allocated; a report needs %s/count, as in an allocs profile", has, allocObjects)
	}
	return v, fmt.Errorf("%s; a report needs %s/count, as in an allocs or heap profile", has, allocObjects)
}

// siteKey tells sites apart.
type siteKey struct {
	at    callsite.Frame
	cause string
}

// siteTally adds up one site.
type siteTally struct {
	siteKey
	objects, bytes, requested int64
	sizes                     sizes
	types                     map[string]int64
	users                     map[callsite.Frame]int64
}

// scopeTally adds up one scope.
type scopeTally struct {
	rules                     callsite.Rules
	objects, bytes, requested int64
	sizes                     sizes
	sites                     map[siteKey]*siteTally
	own                       map[*profile.Location][]bool
}

// amount is what one sample counts.
type amount struct {
	size                      int64 // of one object
	objects, bytes, requested int64
}

// grouper adds samples to sites.
type grouper struct {
	by      By
	values  values
	foreign bool
	scopes  []*scopeTally
	frames  map[*profile.Location][]callsite.Frame
	stack   []callsite.Frame // scratch
	own     []bool           // scratch, which of them are the user's
}

// add adds s to the scopes that it belongs to.
func (g *grouper) add(s *profile.Sample) error {
	a, err := g.amount(s)
	if err != nil || a.objects == 0 {
		return err
	}
	scopes := s.NumLabel[labelScope]
	if g.foreign {
		scopes = []int64{0}
	}
	if len(scopes) == 0 {
		return errors.New("a sample names no scope: another tool changed this alloctop profile; use the one that alloctop wrote")
	}
	typ := ""
	if t := s.Label[labelType]; len(t) > 0 {
		typ = t[0]
	}
	var at callsite.Location
	for n, i := range scopes {
		if i < 0 || i >= int64(len(g.scopes)) {
			return fmt.Errorf("a sample is of scope %d, but the profile describes %d: another tool changed this alloctop profile; use the one that alloctop wrote", i, len(g.scopes))
		}
		if n == 0 {
			at = g.locate(s, g.scopes[i]) // all its scopes are of one process
		}
		if err := g.scopes[i].add(a, g.key(at), at, typ); err != nil {
			return err
		}
	}
	return nil
}

// key returns the site that an allocation belongs to.
func (g *grouper) key(at callsite.Location) siteKey {
	if g.by == ByUser && at.HasUser() {
		return siteKey{at.User, at.Cause}
	}
	return siteKey{at.Site, at.Cause}
}

// amount returns what s counts.
func (g *grouper) amount(s *profile.Sample) (amount, error) {
	at := func(i int) int64 {
		if i < 0 {
			return 0
		}
		return s.Value[i]
	}
	a := amount{objects: at(g.values.objects), bytes: at(g.values.bytes), requested: at(g.values.requested)}
	if a.objects < 0 || a.bytes < 0 || a.requested < 0 {
		return a, errors.New("the profile has negative counts: it is the difference of two, and a report needs one of them")
	}
	size, ok := s.NumLabel[labelBytes]
	labelled := ok && len(size) > 0 && size[0] >= 0
	if labelled {
		a.size = size[0]
	}
	if g.values.bytes < 0 && a.size > 0 && a.objects < math.MaxInt64/a.size {
		a.bytes = a.objects * a.size
	}
	if g.values.requested < 0 {
		a.requested = a.bytes // of slots: what was asked for is unknown
	}
	if !labelled && a.objects > 0 {
		a.size = a.requested / a.objects
	}
	return a, nil
}

// locate returns the lines to blame for s, in a scope that it is in.
func (g *grouper) locate(s *profile.Sample, t *scopeTally) callsite.Location {
	g.stack, g.own = g.stack[:0], g.own[:0]
	for _, l := range s.Location {
		frames := g.framesOf(l)
		g.stack = append(g.stack, frames...)
		g.own = append(g.own, t.ownOf(l, frames)...)
	}
	at := t.rules.LocateKnown(g.stack, func(i int) bool { return g.own[i] })
	if c := s.Label[labelCause]; len(c) > 0 {
		at.Cause = c[0] // its frames were cut when the profile was written
	}
	return at
}

// ownOf tells which of the frames at l are the user's. Stacks go through the
// same few locations again and again.
func (t *scopeTally) ownOf(l *profile.Location, frames []callsite.Frame) []bool {
	own, ok := t.own[l]
	if !ok {
		for _, f := range frames {
			f.Function = callsite.Normalize(f.Function)
			own = append(own, t.rules.Owns(f))
		}
		t.own[l] = own
	}
	return own
}

// framesOf returns the calls at l, inlined ones first.
func (g *grouper) framesOf(l *profile.Location) []callsite.Frame {
	if f, ok := g.frames[l]; ok {
		return f
	}
	var frames []callsite.Frame
	for _, line := range l.Line {
		if line.Function == nil {
			continue
		}
		f := callsite.Frame{Function: cmp.Or(line.Function.Name, line.Function.SystemName), File: line.Function.Filename}
		f.Line, f.StartLine = lineNumber(line.Line), lineNumber(line.Function.StartLine)
		if f.Function != "" {
			frames = append(frames, f)
		}
	}
	if len(frames) == 0 {
		name := fmt.Sprintf("0x%x", l.Address)
		if l.Mapping != nil && l.Mapping.File != "" {
			name += " in " + l.Mapping.File
		}
		frames = append(frames, callsite.Frame{Function: name})
	}
	g.frames[l] = frames
	return frames
}

// lineNumber returns n, or 0 if no file has such a line.
func lineNumber(n int64) int {
	if n < 0 || n > math.MaxInt32 {
		return 0
	}
	return int(n)
}

// add adds a to the scope and to one of its sites.
func (t *scopeTally) add(a amount, k siteKey, at callsite.Location, typ string) error {
	if a.objects > math.MaxInt64-t.objects || a.bytes > math.MaxInt64-t.bytes || a.requested > math.MaxInt64-t.requested {
		return errors.New("the counts add up to more than 63 bits hold: the profile is damaged")
	}
	t.objects += a.objects
	t.bytes += a.bytes
	t.requested += a.requested
	t.sizes.add(a.size, a.objects, a.bytes, a.requested)
	s := t.sites[k]
	if s == nil {
		s = &siteTally{siteKey: k, sizes: make(sizes), types: make(map[string]int64), users: make(map[callsite.Frame]int64)}
		t.sites[k] = s
	}
	s.objects += a.objects
	s.bytes += a.bytes
	s.requested += a.requested
	s.sizes.add(a.size, a.objects, a.bytes, a.requested)
	s.types[typ] += a.objects
	if at.HasUser() {
		s.users[at.User] += a.objects
	}
	return nil
}

// fill puts what was added up into s.
func (t *scopeTally) fill(s *Scope) {
	s.Totals.Objects, s.Totals.Bytes, s.Totals.Requested = t.objects, t.bytes, t.requested
	s.Attributed = s.attributed()
	s.SizeClasses = t.sizes.list()
	s.Sites = make([]*Site, 0, len(t.sites))
	for _, x := range t.sites {
		s.Sites = append(s.Sites, x.site())
	}
	slices.SortFunc(s.Sites, compareSites)
	var running int64
	for _, x := range s.Sites {
		running += x.Objects
		x.Share = ratio(x.Objects, t.objects)
		x.CumulativeShare = ratio(running, t.objects)
		x.PerRecord = ratio(x.Objects, s.Records)
	}
}

// attributed returns what part of the objects that the runtime counted is in
// sites: all of none, and 0 if it is not known how many there were.
func (s *Scope) attributed() float64 {
	switch {
	case s.Runtime == nil:
		return 0
	case s.Runtime.Objects == 0:
		return 1
	}
	return float64(s.Totals.Objects) / float64(s.Runtime.Objects)
}

// compareSites ranks sites by objects; of equal ones the larger, then the
// order of their names, so that equal profiles make equal reports.
func compareSites(a, b *Site) int {
	return cmp.Or(
		cmp.Compare(b.Objects, a.Objects),
		cmp.Compare(b.Requested, a.Requested),
		cmp.Compare(a.Package, b.Package),
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Function, b.Function),
		cmp.Compare(a.Cause, b.Cause),
	)
}

// site returns what was added up.
func (t *siteTally) site() *Site {
	s := &Site{
		Function: t.at.Function, Package: t.at.Package(), File: t.at.File, Line: t.at.Line, StartLine: t.at.StartLine,
		Cause: t.cause, Objects: t.objects, Bytes: t.bytes, Requested: t.requested,
		SizeClasses: t.sizes.list(), Types: make([]TypeCount, 0, len(t.types)), UserLines: len(t.users),
	}
	for name, objects := range t.types {
		s.Types = append(s.Types, TypeCount{name, objects})
	}
	slices.SortFunc(s.Types, func(a, b TypeCount) int {
		return cmp.Or(cmp.Compare(b.Objects, a.Objects), cmp.Compare(a.Name, b.Name))
	})
	for _, objects := range t.users {
		s.UserObjects += objects
	}
	if len(t.users) > 0 {
		u := slices.MinFunc(slices.Collect(maps.Keys(t.users)), func(a, b callsite.Frame) int {
			return cmp.Or(cmp.Compare(t.users[b], t.users[a]), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Function, b.Function))
		})
		s.UserFunction, s.UserFile, s.UserLine = u.Function, u.File, u.Line
	}
	return s
}

// ratio returns a/b, 0 if b is 0.
func ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// PerRecord returns the allocations per record, 0 if the scope has no records.
func (s *Scope) PerRecord() float64 { return ratio(s.counted().Objects, s.Records) }

// counted returns how many allocations there were: what the runtime counted,
// or if that is not known what is attributed. With the exact engine both are
// the same.
func (s *Scope) counted() Counted {
	if s.Runtime != nil {
		return *s.Runtime
	}
	return Counted{Objects: s.Totals.Objects, Bytes: s.Totals.Bytes}
}
