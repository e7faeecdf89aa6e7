package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/alloctop/alloctop/internal/environ"
)

// Benchmark is one benchmark of a command.
type Benchmark struct {
	Package string `json:"package"`
	Name    string `json:"name"` // without the GOMAXPROCS suffix
}

// Job is one process to run.
type Job struct {
	Benchmark Benchmark
	Cell      Cell
	Turn      int // 0 is the one before those that are timed
}

// Run is what one process measured. Its JSON form is that of a state file.
type Run struct {
	Seconds    float64            `json:"seconds"`              // of one operation
	Iterations int64              `json:"iterations"`           // that Seconds is the mean of
	Bytes      float64            `json:"bytes"`                // that one operation allocated, by -benchmem
	Allocs     float64            `json:"allocs"`               // of one operation, by -benchmem: cut to a whole number
	Metrics    map[string]float64 `json:"metrics,omitempty"`    // what else the benchmark reported, by unit
	Wall       float64            `json:"wall_seconds"`         // of the timed loop, or of the process
	CPU        float64            `json:"cpu_seconds"`          // of the same, user and system
	Loop       bool               `json:"loop"`                 // they are of the timed loop
	Peak       int64              `json:"peak_bytes"`           // resident memory of the process, the most
	GCs        int                `json:"gcs,omitempty"`        // collections in the same time, in turn 0
	GCCPU      float64            `json:"gc_seconds,omitempty"` // processor time of them, in turn 0
}

// Runner runs jobs. An error of type Failure is the benchmark's; any other ends
// the sweep.
type Runner interface {
	Run(ctx context.Context, j Job) (Run, error)
}

// Failure says why a benchmark has no result in a cell.
type Failure string

func (f Failure) Error() string { return string(f) }

// Processes runs jobs as processes of test binaries.
type Processes struct {
	Grid     Grid
	Binaries []Binary
}

// List returns the benchmarks of the command, by running each once. One that
// fails is among them: it may not in other cells.
func (p Processes) List(ctx context.Context) ([]Benchmark, error) {
	var all []Benchmark
	cell := p.Grid.Cells()[0]
	for _, b := range p.Binaries {
		if b.Experiment != p.Grid.Value(cell, Experiment) {
			continue
		}
		// With one thread the names have no suffix.
		env := environ.Set(p.Grid.Environ(cell, os.Environ()), variable(CPU), "1")
		proc, err := start(ctx, b, env, "-test.benchtime=1x")
		if err != nil {
			return nil, err
		}
		ended := proc.wait()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		names := benchmarkNames(proc.results(), proc.out.String())
		if f := proc.failure(ended); f != "" && !strings.HasPrefix(string(f), failedMark) {
			return nil, fmt.Errorf("the benchmarks of %s end before all are known: %w; leave out the one that does that, with -bench or -skip", b.Package, f)
		}
		for _, name := range names {
			all = append(all, Benchmark{b.Package, name})
		}
	}
	if len(all) == 0 {
		return nil, errors.New("no benchmark matches; check -bench and the packages")
	}
	return all, nil
}

// failedMark is before the name of a benchmark that failed.
const failedMark = "--- FAIL: "

// benchmarkNames returns the benchmarks that have a result, and those that
// failed, without the parents that fail with them.
func benchmarkNames(results []*benchfmt.Result, out string) (names []string) {
	printed := map[string]bool{}
	for _, r := range results {
		printed["Benchmark"+r.Name.String()] = true
	}
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		if _, failed, ok := strings.Cut(line, failedMark); ok {
			names = append(names, strings.TrimSpace(failed))
		} else if len(words) > 0 && printed[words[0]] {
			names = append(names, words[0])
		}
	}
	isParent := func(name string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, name+"/") })
	}
	var leaves []string
	for _, name := range names {
		if !isParent(name) && !slices.Contains(leaves, name) {
			leaves = append(leaves, name)
		}
	}
	return leaves
}

// Run runs one benchmark in a process of its own.
func (p Processes) Run(ctx context.Context, j Job) (Run, error) {
	experiment := p.Grid.Value(j.Cell, Experiment)
	i := slices.IndexFunc(p.Binaries, func(b Binary) bool { return b.Package == j.Benchmark.Package && b.Experiment == experiment })
	if i < 0 {
		return Run{}, Failure(fmt.Sprintf("%s has no tests when it is built with this experiment", j.Benchmark.Package))
	}
	env := p.Grid.Environ(j.Cell, os.Environ())
	if j.Turn == 0 {
		env = environ.AddDebug(env, "gctrace=1")
	}
	proc, err := start(ctx, p.Binaries[i], env, "-test.bench="+pattern(j.Benchmark.Name))
	if err != nil {
		return Run{}, err
	}
	ended := proc.wait()
	if ctx.Err() != nil {
		return Run{}, ctx.Err()
	}
	if ended != nil {
		return Run{}, proc.failure(ended)
	}
	for _, r := range proc.results() {
		if isResultOf(r.Name.String(), strings.TrimPrefix(j.Benchmark.Name, "Benchmark")) {
			return proc.measured(r), nil
		}
	}
	return Run{}, Failure("it printed no result; it may have been skipped, or have another name with these settings")
}

// pattern matches this benchmark and no other, as -test.bench has it.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// isResultOf reports whether a printed name is that of the benchmark, which Go
// puts GOMAXPROCS behind unless it is 1.
func isResultOf(printed, name string) bool {
	suffix, ok := strings.CutPrefix(printed, name)
	if !ok || suffix == "" {
		return ok
	}
	_, err := strconv.Atoi(strings.TrimPrefix(suffix, "-"))
	return err == nil && suffix[0] == '-'
}

// process is a test binary that runs.
type process struct {
	cmd    *exec.Cmd
	out    output
	errs   bytes.Buffer
	begun  time.Time
	wall   time.Duration
	polled int64         // resident memory, the most that was seen
	usages []usage       // processor time that was seen
	ended  chan struct{} // closed when it has ended
	seen   chan struct{} // closed when polled and usages are final
}

// start starts a test binary, in a process group of its own: a Ctrl-C is for
// the sweep, which ends it.
func start(ctx context.Context, b Binary, env []string, flags ...string) (*process, error) {
	p := &process{ended: make(chan struct{}), seen: make(chan struct{})}
	flags = append([]string{"-test.run=^$", "-test.count=1", "-test.benchmem=true", "-test.v=false"}, flags...)
	p.cmd = exec.CommandContext(ctx, b.path, b.kept.arguments(flags...)...)
	p.cmd.Dir, p.cmd.Env = b.kept.Dir, environ.Set(env, "PWD", b.kept.Dir)
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.errs
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.Cancel = func() error { return syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }
	p.cmd.WaitDelay = 5 * time.Second // a grandchild may hold the output
	p.begun = time.Now()
	p.out.begun = p.begun
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the tests of %s: %w", b.Package, err)
	}
	go p.watch()
	return p, nil
}

// wait waits for the end of the process.
func (p *process) wait() error {
	err := p.cmd.Wait()
	p.wall = time.Since(p.begun)
	close(p.ended)
	<-p.seen
	return err
}

// results returns what the benchmarks printed.
func (p *process) results() (all []*benchfmt.Result) {
	in := benchfmt.NewReader(strings.NewReader(p.out.String()), "")
	for in.Scan() {
		if r, ok := in.Result().(*benchfmt.Result); ok {
			all = append(all, r.Clone())
		}
	}
	return all
}

// leastLoop is the least time of a loop whose processor time can be told from
// that of what comes before it: it is known in ticks.
const leastLoop = 10 * tick

// measured puts together what the benchmark said, and what the system says of
// its process.
func (p *process) measured(r *benchfmt.Result) Run {
	state := p.cmd.ProcessState
	used := state.UserTime() + state.SystemTime()
	run := Run{Iterations: int64(r.Iters), Wall: p.wall.Seconds(), CPU: used.Seconds(), Peak: p.peak()}
	seconds, _ := r.Value("sec/op")
	loop := time.Duration(seconds * float64(r.Iters) * 1e9)
	from := time.Duration(0)
	// The loop that is timed is the last one: the result is printed when it ends.
	if to := p.out.resultAt; loop >= leastLoop && to >= loop {
		from = to - loop
		cpu := usedBetween(append(p.usages, usage{p.wall, used}), from, to)
		run.Wall, run.CPU, run.Loop = loop.Seconds(), cpu.Seconds(), true
	}
	run.GCs, run.GCCPU = readTrace(p.errs.String(), from)
	for _, v := range r.Values {
		switch v.Unit {
		case "sec/op":
			run.Seconds = v.Value
		case "B/op":
			run.Bytes = v.Value
		case "allocs/op":
			run.Allocs = v.Value
		default:
			if run.Metrics == nil {
				run.Metrics = map[string]float64{}
			}
			run.Metrics[v.Unit] = v.Value
		}
	}
	return run
}

// failure says why the process failed, in one line.
func (p *process) failure(ended error) Failure {
	if ended == nil {
		return ""
	}
	text := p.out.String() + "\n" + p.errs.String()
	for _, start := range []string{"panic: ", "fatal error: ", failedMark} {
		at := strings.Index("\n"+text, "\n"+start)
		if at < 0 {
			continue
		}
		first, rest, _ := strings.Cut(text[at:], "\n")
		if detail, _, _ := strings.Cut(rest, "\n"); start == failedMark && strings.HasPrefix(detail, " ") {
			first += ": " + strings.TrimSpace(detail)
		}
		return Failure(fmt.Sprintf("%s (%v)", first, ended))
	}
	return Failure(fmt.Sprintf("%s (%v)", lastLine(p.errs.String(), errors.New("it said nothing")), ended))
}
