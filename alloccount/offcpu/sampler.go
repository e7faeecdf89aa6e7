package offcpu

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"sync"
	"time"

	"github.com/felixge/fgprof"
	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/internal/procstat"
)

// errShort says that there was no time for a sample.
var errShort = errors.New("too short for a wall-clock profile, which takes a sample every 10 ms; let the function do its work several times")

// sampler takes fgprof's profile from its begin to its end.
type sampler struct {
	out     bytes.Buffer
	stop    func() error
	started time.Time
	cpu     time.Duration
	before  map[string]int64 // the stacks of goroutines that were there already
	release chan struct{}    // ends the anchor
}

// begin starts to take samples. The caller must call end, once or more often.
func begin() *sampler {
	s := &sampler{release: make(chan struct{})}
	parked := make(chan struct{})
	go anchor(parked, s.release)
	<-parked
	s.before = settled()
	s.started, s.cpu = time.Now(), procstat.CPU()
	s.stop = sync.OnceValue(onceStopped(fgprof.Start(&s.out, fgprof.FormatPprof)))
	return s
}

// onceStopped makes an error of what fgprof does when it had no time for a
// sample: it divides by their number. It must not be called twice: fgprof would
// wait for ever for a goroutine that has ended.
func onceStopped(stop func() error) func() error {
	return func() (err error) {
		defer func() {
			if recover() != nil {
				err = errShort
			}
		}()
		return stop()
	}
}

// end stops sampling and returns what was seen.
//
//go:noinline
func (s *sampler) end() (*profile.Profile, error) {
	wall, cpu := time.Since(s.started), procstat.CPU()-s.cpu
	err := s.stop()
	close(s.release)
	if err != nil {
		return nil, err
	}
	p, err := alloccount.ReadProfile(&s.out)
	if err != nil {
		return nil, fmt.Errorf("reading the wall-clock profile of fgprof: %w", err)
	}
	samples := s.keepOwn(p)
	if samples == 0 {
		return nil, errShort
	}
	p.DurationNanos = wall.Nanoseconds()
	r := run{Samples: samples, WallSeconds: wall.Seconds(), CPUSeconds: max(0, cpu.Seconds()), Procs: runtime.GOMAXPROCS(0)}
	p = p.Compact()
	return p, setRun(p, r)
}

// keepOwn drops from p what is not of the measured work, and returns how many
// times samples were taken.
func (s *sampler) keepOwn(p *profile.Profile) (samples int64) {
	for _, x := range p.Sample {
		if contains(x, anchorName) {
			samples += x.Value[0]
		}
	}
	kept := p.Sample[:0]
	for _, x := range p.Sample {
		if contains(x, anchorName) {
			continue
		}
		// A goroutine that slept in one place since before is in every sample.
		// One that woke up meanwhile has its other stacks kept.
		before := s.before[keyOf(x)] * samples
		if x.Value[0] <= before {
			continue
		}
		x.Value[1] -= x.Value[1] / x.Value[0] * before
		x.Value[0] -= before
		cutAt(x, callName)
		if contains(x, endName) || contains(x, duringName) {
			continue // this package's own work
		}
		kept = append(kept, x)
	}
	p.Sample = kept
	return samples
}

// Functions of this package that are looked for in stacks.
const (
	here       = "github.com/alloctop/alloctop/alloccount/offcpu."
	anchorName = here + "anchor"
	callName   = here + "call"
	endName    = here + "(*sampler).end"
	duringName = here + "During"
)

// anchor is a goroutine that sleeps all the while, so that the number of its
// samples is how many times samples were taken: fgprof's profile has only a
// rounded rate.
//
//go:noinline
func anchor(parked, release chan struct{}) {
	close(parked)
	<-release
}

// settled returns the stacks of other goroutines when those that were about to
// fall asleep have: when there are the same ones twice, or after a while.
func settled() map[string]int64 {
	now := others()
	for range 20 {
		time.Sleep(2 * time.Millisecond)
		before := now
		if now = others(); maps.Equal(before, now) {
			break
		}
	}
	return now
}

// others returns the stacks of all goroutines but the caller's, and how often
// there is each.
func others() map[string]int64 {
	n, ok := runtime.GoroutineProfile(nil)
	var records []runtime.StackRecord
	for !ok {
		records = make([]runtime.StackRecord, n+n/10+1) // some may begin meanwhile
		n, ok = runtime.GoroutineProfile(records)
	}
	records = records[:n]
	seen := make(map[string]int64)
	for i := range records {
		seen[keyOfStack(records[i].Stack())]++
	}
	return seen
}

// keyOfStack spells a stack as keyOf does one of fgprof's samples.
func keyOfStack(pcs []uintptr) string {
	var b bytes.Buffer
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		fmt.Fprintf(&b, "%s\x00%s\x00%d\n", f.Function, f.File, f.Line)
		if !more {
			return b.String()
		}
	}
}

func keyOf(x *profile.Sample) string {
	var b bytes.Buffer
	for _, l := range x.Location {
		for _, line := range l.Line {
			fmt.Fprintf(&b, "%s\x00%s\x00%d\n", line.Function.Name, line.Function.Filename, line.Line)
		}
	}
	return b.String()
}

func contains(x *profile.Sample, function string) bool {
	for _, l := range x.Location {
		for _, line := range l.Line {
			if line.Function.Name == function {
				return true
			}
		}
	}
	return false
}

// cutAt drops the calls that led to a function, and it.
func cutAt(x *profile.Sample, function string) {
	for i, l := range x.Location {
		for _, line := range l.Line {
			if line.Function.Name == function {
				x.Location = x.Location[:i]
				return
			}
		}
	}
}
