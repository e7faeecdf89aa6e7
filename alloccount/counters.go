package alloccount

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/callsite"
	"github.com/alloctop/alloctop/internal/counterfile"
)

// ScopeOptions says what of a run becomes a scope of its own.
type ScopeOptions struct {
	Command []string       // what was run
	Rules   callsite.Rules // which code is the user's; without modules every process is. Main does not matter.
	Per     []Per          // what a record is in every report of the profile that is not told otherwise

	// All adds a scope for each process as a whole, and for the processes of
	// tools (generators, linters), which are otherwise only mentioned.
	All bool

	// Whole adds a scope for each process as a whole that is shown anyway.
	Whole bool

	// Running tells which processes still run; nil means none. A process that
	// does not run and did not write how it ended was killed.
	Running func(pid int) bool
}

// FromCounters makes the profile of a run from the counters of its processes:
// one scope for each benchmark, each test, each group of tests that ran in
// parallel and each Measure, and for each process without benchmarks and
// tests. A process that a counted process started is one scope.
func FromCounters(cs []*counterfile.Counters, o ScopeOptions) (*profile.Profile, error) {
	return fromCounters(cs, o, mostRefs)
}

// fromCounters makes a profile with at most refs calls in all call paths.
func fromCounters(cs []*counterfile.Counters, o ScopeOptions, refs int) (*profile.Profile, error) {
	if len(cs) == 0 {
		return nil, errors.New("no process was counted; is there a Go program in the command that was built by it?")
	}
	cs = slices.SortedStableFunc(slices.Values(cs), func(a, b *counterfile.Counters) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.PID, b.PID))
	})
	c := &collector{
		o: o,
		run: &run{
			Schema: runSchema, Engine: Exact, Go: cs[0].Go,
			Command: o.Command, Owned: ownershipOf(o.Rules), Per: perTexts(o.Per),
		},
		sets:      make(map[string]int),
		processes: make(map[*counterfile.Counters]int),
	}
	c.choose(cs)
	for _, w := range c.chosen {
		c.run.Scopes = append(c.run.Scopes, c.describe(w))
	}
	c.run.numberRuns()
	p := c.collect(cs, refs)
	c.settle()
	c.remark(cs)
	p.TimeNanos = cs[0].Start
	for _, process := range cs {
		p.DurationNanos = max(p.DurationNanos, process.Start+process.Process.Wall-p.TimeNanos)
	}
	return p, setRun(p, c.run)
}

// window is a window that became a scope.
type window struct {
	*counterfile.Window
	process *counterfile.Counters
	objects int64
	tiny    int64
	lost    int64   // objects of which the user's line was cut off
	apart   Counted // what a Measure allocated for itself meanwhile, of a Measure around it
}

// collector builds one profile from the counters of many processes.
type collector struct {
	o       ScopeOptions
	run     *run
	chosen  []*window      // of run.Scopes, by index
	sets    map[string]int // sets of scopes by their printed form
	setList [][]int        // indexes into run.Scopes

	processes map[*counterfile.Counters]int // indexes into run.Processes
}

// choose decides which windows become scopes.
func (c *collector) choose(cs []*counterfile.Counters) {
	started := make(map[int]int64) // by process
	for _, p := range cs {
		started[p.PID] = p.Start
	}
	var apart []*counterfile.Counters
	for _, p := range cs {
		start, counted := started[p.Parent]
		child := counted && start <= p.Start
		windows := parts(p)
		if child {
			windows = slices.DeleteFunc(windows, func(w *counterfile.Window) bool { return w.Kind != counterfile.KindMeasure })
		}
		whole := !slices.ContainsFunc(windows, func(w *counterfile.Window) bool { return w.Kind != counterfile.KindMeasure })
		if whole && !child && !c.o.All && !c.own(p) {
			apart = append(apart, p)
			continue
		}
		for _, w := range windows {
			c.chosen = append(c.chosen, &window{Window: w, process: p})
		}
		if whole || c.o.All || c.o.Whole {
			c.chosen = append(c.chosen, &window{Window: &p.Process, process: p})
		}
	}
	if len(c.chosen) > 0 {
		c.mention(apart)
		return
	}
	for _, p := range apart { // what was asked for is somebody else's program
		c.chosen = append(c.chosen, &window{Window: &p.Process, process: p})
	}
}

// mention notes the processes that are no scopes.
func (c *collector) mention(apart []*counterfile.Counters) {
	if len(apart) == 0 {
		return
	}
	var objects int64
	var names []string
	for _, p := range apart {
		names = append(names, path.Base(p.Main))
		for i := range p.Entries {
			objects += p.Entries[i].Objects
		}
		objects += p.Missed.Objects
	}
	slices.Sort(names)
	names = slices.Compact(names)
	what := "processes"
	if len(apart) == 1 {
		what = "process"
	}
	c.run.Notes = append(c.run.Notes, fmt.Sprintf("counted apart and not shown: %d %s of other programs (%s), %d allocations",
		len(apart), what, firstOf(names, 4), objects))
}

// firstOf lists the first n names.
func firstOf(names []string, n int) string {
	if len(names) > n {
		names = append(slices.Clip(names[:n]), "...")
	}
	return strings.Join(names, ", ")
}

// parts returns the windows of p that are scopes: what reported its numbers,
// and what was cut off by the end of the process.
func parts(p *counterfile.Counters) []*counterfile.Window {
	var windows []*counterfile.Window
	for i := range p.Windows {
		w := &p.Windows[i]
		if w.Kind == counterfile.KindBenchmark && w.Name == "Main" {
			continue // package testing's own, which runs the others
		}
		if w.Final || w.Kind == counterfile.KindMeasure || w.Open && !holdsOpen(p, w) {
			windows = append(windows, w)
		}
	}
	return windows
}

// holdsOpen reports whether w is the parent of a sub-benchmark that was cut
// off as well.
func holdsOpen(p *counterfile.Counters, w *counterfile.Window) bool {
	return slices.ContainsFunc(p.Windows, func(o counterfile.Window) bool {
		return o.Open && o.Kind == w.Kind && o.Package == w.Package && strings.HasPrefix(o.Name, w.Name+"/")
	})
}

// own reports whether the main package of p is the user's.
func (c *collector) own(p *counterfile.Counters) bool {
	main := strings.TrimSuffix(p.Main, ".test")
	within := func(m callsite.Module) bool {
		return m.Path == p.Module || main == m.Path || strings.HasPrefix(main, m.Path+"/")
	}
	switch r := c.o.Rules; {
	case len(r.Modules) == 0, main == "", main == "main", main == "command-line-arguments":
		return true
	case slices.Contains(r.Packages, main):
		return true
	case slices.ContainsFunc(r.Others, func(m callsite.Module) bool { return m.Path == p.Module }):
		return false
	default:
		return slices.ContainsFunc(r.Modules, within)
	}
}

// kindOf returns the kind of scope that a window becomes.
func kindOf(k counterfile.Kind) Kind {
	switch k {
	case counterfile.KindBenchmark:
		return KindBenchmark
	case counterfile.KindTest, counterfile.KindParallel:
		return KindTest
	case counterfile.KindMeasure:
		return KindMeasure
	}
	return KindProcess
}

// describe returns the scope of w without what only its samples say.
func (c *collector) describe(w *window) runScope {
	p := w.process
	s := runScope{
		Kind: kindOf(w.Kind), Package: w.Package, Name: w.Name, Tests: w.Tests, Procs: w.Procs,
		Process: c.process(p), Folded: p.Folded,
	}
	if s.Package == "" {
		s.Package = strings.TrimSuffix(p.Main, ".test")
	}
	switch w.Kind {
	case counterfile.KindProcess:
		s.Name = path.Base(p.Main)
	case counterfile.KindParallel:
		s.Name = "parallel tests"
	case counterfile.KindBenchmark:
		s.Iterations = w.Iterations
	case counterfile.KindMeasure:
		s.Records = w.Iterations
	}
	s.Own = w.Own
	if !w.Open {
		if !w.Own { // else the runtime counted all goroutines
			s.Runtime = &Counted{Objects: w.Objects, Bytes: w.Bytes}
		}
		s.Records = max(s.Records, s.Iterations)
		s.Cost = &Cost{
			WallSeconds:  float64(w.Wall) / 1e9,
			CPUSeconds:   float64(w.CPU) / 1e9,
			GCCycles:     w.GCs,
			GCCPUSeconds: float64(w.GCCPU) / 1e9,
			PauseSeconds: float64(w.Pause) / 1e9,
		}
	}
	for _, m := range w.Metrics {
		if math.IsNaN(m.Value) || math.IsInf(m.Value, 0) {
			continue // no number in JSON
		}
		if s.Metrics == nil {
			s.Metrics = make(map[string]float64)
		}
		s.Metrics[m.Unit] = m.Value
	}
	if p.Refused != 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%d times a benchmark, test or Measure could not be counted apart or ended: too many at once, or the counter file is full; their counts are in the process's", p.Refused))
	}
	if p.GrowErr != 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("the counter file could not grow (%v): paths of calls were shortened; %s", syscall.Errno(p.GrowErr), growAdvice(syscall.Errno(p.GrowErr))))
	}
	return s
}

// growAdvice says what to do where a counter file could not grow: it is opened by
// its name each time.
func growAdvice(err syscall.Errno) string {
	switch err {
	case syscall.EACCES, syscall.EPERM, syscall.ENOENT, syscall.EMFILE, syscall.ENFILE, syscall.ESTALE:
		return "the program must be able to open the file by its name: TMPDIR says where it lies"
	}
	return "make room and run again"
}

// process returns the index of p among the processes of the run.
func (c *collector) process(p *counterfile.Counters) int {
	if n, ok := c.processes[p]; ok {
		return n
	}
	n := len(c.run.Processes)
	c.run.Processes = append(c.run.Processes, Process{PID: p.PID, Parent: p.Parent, Main: p.Main, Exit: c.exit(p), Own: c.own(p)})
	c.processes[p] = n
	return n
}

// exit says how p ended.
func (c *collector) exit(p *counterfile.Counters) string {
	switch p.Exit.State {
	case counterfile.ExitCode:
		return strconv.Itoa(p.Exit.Code)
	case counterfile.ExitSignal:
		return "signal: " + syscall.Signal(p.Exit.Signal).String()
	case counterfile.ExitExec:
		return "exec"
	}
	if c.o.Running != nil && c.o.Running(p.PID) {
		return "running"
	}
	return "signal: killed"
}
