package alloccount

import (
	"cmp"
	"errors"
	"path"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/callsite"
)

// Heap is the heap profile of one process, as runtime/pprof writes it, at rate 1.
type Heap struct {
	Profile *profile.Profile
	Process Process
	Go      string   // version that built the program
	Runtime *Counted // what the runtime counted by itself, nil if unknown
}

// FromHeaps makes the profile of a run from the runtime's own profiles of its
// processes, one scope for each. Of their allocations most tiny objects are
// missing, and sizes are those of slots.
func FromHeaps(heaps []Heap, o ScopeOptions) (*profile.Profile, error) {
	if len(heaps) == 0 {
		return nil, errors.New("there is no profile of any process")
	}
	r := &run{
		Schema: runSchema, Engine: Sampled, Go: heaps[0].Go, Command: o.Command, Owned: ownershipOf(o.Rules), Per: perTexts(o.Per),
		Notes: []string{"requested sizes are unknown: sizes are those of the allocator's slots"},
	}
	b := newBuilder(heaps[0].Process.Main)
	for i, h := range heaps {
		r.Processes = append(r.Processes, h.Process)
		r.Scopes = append(r.Scopes, runScope{
			Kind: KindProcess, Package: strings.TrimSuffix(h.Process.Main, ".test"), Name: path.Base(h.Process.Main),
			Process: i, Runtime: h.Runtime,
		})
		if err := b.addHeap(h.Profile, i, r.Scopes[i].Package); err != nil {
			return nil, err
		}
		b.p.TimeNanos = max(b.p.TimeNanos, h.Profile.TimeNanos)
	}
	r.numberRuns()
	return b.p, setRun(b.p, r)
}

// addHeap adds the samples of a heap profile to a scope.
func (b *builder) addHeap(p *profile.Profile, scope int, pkg string) error {
	v, err := findValues(p)
	if err != nil {
		return err
	}
	if v.bytes < 0 {
		return errors.New("the profile has no " + allocSpace)
	}
	label := func(s *profile.Sample) {
		addScope(s, scope)
		s.Label[labelPackage] = []string{pkg}
	}
	for _, s := range p.Sample {
		objects, bytes := s.Value[v.objects], s.Value[v.bytes]
		if objects == 0 {
			continue
		}
		k := sampleKey{stack: b.stack(heapFrames(s)), scopes: scope, size: bytes / objects}
		b.add(k, objects, bytes, bytes, label)
	}
	return nil
}

// heapFrames returns the calls of a sample, inlined ones first.
func heapFrames(s *profile.Sample) []frame {
	var frames []frame
	for _, l := range s.Location {
		for _, line := range l.Line {
			if fn := line.Function; fn != nil {
				call := callsite.Frame{Function: fn.Name, File: fn.Filename, Line: lineNumber(line.Line), StartLine: lineNumber(fn.StartLine)}
				frames = append(frames, frame{call, cmp.Or(fn.SystemName, fn.Name)})
			}
		}
	}
	if len(frames) == 0 {
		frames = []frame{{callsite.Frame{Function: noPath}, noPath}}
	}
	return frames
}
