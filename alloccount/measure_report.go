package alloccount

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/callsite"
	"github.com/alloctop/alloctop/internal/counterfile"
	"github.com/alloctop/alloctop/internal/figure"
	"github.com/alloctop/alloctop/sizeclass"
)

// finish ends m and reports what was counted. Failed is what the calls ended
// with.
func (m *measurement) finish(failed error) (*Report, error) {
	m.engine.stop()
	err := m.engine.place(m)
	var report *Report
	if err == nil {
		report, err = m.report()
	}
	if err != nil {
		return nil, errors.Join(failed, fmt.Errorf("alloccount: %s: %w", m.o.Label, err))
	}
	if failed != nil {
		calls, objects := 0, int64(0)
		for _, p := range m.counted() {
			calls += len(p.runs)
			objects += p.growth.counted.Objects
		}
		failed = fmt.Errorf("alloccount: %s, after %s and %s: %w", m.o.Label,
			figure.Things(int64(calls), "call", "calls"), figure.Things(objects, "allocation", "allocations"), failed)
	}
	return report, failed
}

// report makes the report.
func (m *measurement) report() (*Report, error) {
	p, err := m.profile()
	if err != nil {
		return nil, err
	}
	r, err := NewReport(p, ReportOptions{})
	if err != nil {
		return nil, err
	}
	for _, s := range r.Scopes {
		if len(m.o.Sizes) > 0 {
			if s.SizeSteps, err = sizeclass.Fold(s.SizeClasses, m.o.Sizes...); err != nil {
				return nil, err
			}
		}
	}
	if !m.o.DropPaths {
		r.Profile = p
	}
	return r, nil
}

// profile makes the profile: of one process, with a scope for each part.
func (m *measurement) profile() (*profile.Profile, error) {
	kind := m.engine.kind()
	process := &counterfile.Counters{
		PID: os.Getpid(), Parent: os.Getppid(), Go: runtime.Version(),
		Main: m.where.main, Module: m.where.module, Folded: m.folded,
	}
	rules := callsite.Rules{Modules: m.where.modules, Stripped: kind == Sampled}
	c := &collector{
		o: ScopeOptions{Rules: rules, Running: func(int) bool { return true }},
		run: &run{
			Schema: runSchema, Engine: kind, Go: process.Go, Command: commandLine(), Owned: ownershipOf(rules),
		},
		sets:      make(map[string]int),
		processes: make(map[*counterfile.Counters]int),
	}
	if kind == Sampled {
		c.run.Notes = append(c.run.Notes, "requested sizes are unknown: sizes are those of the allocator's slots")
	}
	notes := append(m.notes, m.overlaps()...)
	for i, p := range m.counted() {
		segment := uint32(i + 1)
		for _, e := range p.entries {
			e.Segment = segment
			process.Entries = append(process.Entries, e)
		}
		w := &window{process: process, Window: &counterfile.Window{
			Kind: counterfile.KindMeasure, Name: p.name, Package: m.where.pkg, Procs: runtime.GOMAXPROCS(0),
			Own: m.owner.id != 0, Objects: p.growth.counted.Objects, Bytes: p.growth.counted.Bytes, Iterations: p.records, Segments: []uint32{segment},
		}}
		s := c.describe(w)
		s.Iterations, s.Unplaced, s.Notes = int64(len(p.runs)), p.unplaced, append(s.Notes, notes...)
		s.Cost, s.Runs = m.costOf(p), m.runsOf(p)
		c.chosen = append(c.chosen, w)
		c.run.Scopes = append(c.run.Scopes, s)
	}
	p := c.collect([]*counterfile.Counters{process}, mostRefs)
	c.settle()
	return p, setRun(p, c.run)
}

// costOf returns what p took beside allocations, nil if only the profiler knows.
func (m *measurement) costOf(p *part) *Cost {
	switch {
	case m.timed != nil && p == m.steady:
		c := m.timed.growth.cost()
		c.Records, c.Uncounted = m.timed.records, m.timed.uncounted
		return c
	case m.engine.kind() == Exact:
		return p.growth.cost()
	}
	return nil
}

// runsOf says how the calls of p differ, nil if there was but one.
func (m *measurement) runsOf(p *part) *Runs {
	if len(p.runs) < 2 {
		return nil
	}
	objects := make([]float64, 0, len(p.runs))
	for _, x := range p.runs {
		objects = append(objects, float64(x.objects)/float64(max(x.records, 1)))
	}
	r := &Runs{Calls: len(p.runs), PerRecord: spreadOf(objects)}
	times := p
	if m.timed != nil && p == m.steady {
		times = m.timed
	}
	seconds := make([]float64, 0, len(times.runs))
	for _, x := range times.runs {
		seconds = append(seconds, x.wall.Seconds())
	}
	r.WallSeconds = spreadOf(seconds)
	return r
}

// spreadOf sums up values, which it sorts.
func spreadOf(values []float64) Spread {
	if len(values) == 0 {
		return Spread{}
	}
	slices.Sort(values)
	n := len(values)
	return Spread{Min: values[0], Median: (values[(n-1)/2] + values[n/2]) / 2, Max: values[n-1]}
}

// commandLine returns what this process was started with, without what go test
// adds and without the directory of the program.
func commandLine() []string {
	line := slices.DeleteFunc(slices.Clone(os.Args), func(arg string) bool {
		name, _, _ := strings.Cut(arg, "=")
		return name == "-test.testlogfile" || name == "-test.paniconexit0" || name == "-test.timeout"
	})
	if len(line) > 0 {
		line[0] = filepath.Base(line[0])
	}
	return line
}
