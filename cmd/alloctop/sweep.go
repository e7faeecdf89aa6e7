package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/internal/gorun"
	"github.com/alloctop/alloctop/internal/sweep"
	"github.com/alloctop/alloctop/web/sweeppage"
)

// sweeping is one call of alloctop sweep.
type sweeping struct {
	*app
	sweepFlags
	command sweep.Command
	grid    sweep.Grid
	self    string
	dir     string // for test binaries
	state   *sweep.State
}

// sweepFlags are those of alloctop sweep.
type sweepFlags struct {
	axes                       []sweep.Axis
	turns                      int
	json, html, bench, stateAt string
	per                        []string
}

func (f *sweepFlags) register(fs *flag.FlagSet) {
	axis := func(name string) func(string) error {
		return func(list string) error {
			for _, a := range f.axes {
				if a.Name == name {
					return errors.New("it is given twice; write all values in one list")
				}
			}
			a, err := sweep.ParseAxis(name, list)
			f.axes = append(f.axes, a)
			return err
		}
	}
	fs.Func("cpu", "", axis(sweep.CPU))
	fs.Func("gogc", "", axis(sweep.GOGC))
	fs.Func("memlimit", "", axis(sweep.MemLimit))
	fs.Func("experiment", "", axis(sweep.Experiment))
	fs.Func("godebug", "", axis(sweep.GODEBUG))
	fs.StringVar(&f.json, "json", "", "")
	fs.StringVar(&f.html, "html", "", "")
	fs.StringVar(&f.bench, "benchfmt", "", "")
	fs.StringVar(&f.stateAt, "state", "", "")
	fs.Func("n", "", func(s string) (err error) {
		if f.turns, err = strconv.Atoi(s); err != nil || f.turns < 1 {
			return errors.New("it takes a number of turns, 1 or more")
		}
		return nil
	})
	fs.Func("per", "", func(s string) error {
		_, err := alloccount.ParsePer(s)
		f.per = append(f.per, s)
		return err
	})
}

// sweep runs benchmarks under a grid of settings.
func (a *app) sweep(args []string) error {
	s := &sweeping{app: a, sweepFlags: sweepFlags{turns: 10}}
	fs := newFlags("sweep")
	s.register(fs)
	rest, dashes, err := parseFlags(fs, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return a.help([]string{"sweep"})
	case err != nil:
		return err
	case !dashes || len(rest) == 0:
		return usagef("sweep needs a go test command behind --, as in: alloctop sweep --cpu 1,2 -- go test -bench Parse .")
	}
	if s.command, err = sweep.ParseCommand(rest); err != nil {
		return usageError(err.Error())
	}
	s.grid = sweep.NewGrid(s.axes)
	return s.run()
}

func (s *sweeping) run() (err error) {
	if err := checkOutputs(s.outputs(nil, nil)); err != nil {
		return err
	}
	if s.self, err = os.Executable(); err != nil {
		return fmt.Errorf("where alloctop itself lies is unknown: %w", err)
	}
	if s.stateAt != "" {
		if s.state, err = sweep.OpenState(s.stateAt); err != nil {
			return err
		}
		defer s.state.Close()
	}
	if s.dir, err = newSweepDir(); err != nil {
		return fmt.Errorf("no directory for the tests: %w", err)
	}
	defer os.RemoveAll(s.dir)
	ctx, stop := untilSignal(s.ctx)
	defer stop()
	measured, counts, err := s.measure(ctx)
	sig, interrupted := context.Cause(ctx).(signalError)
	if interrupted {
		s.interrupted(measured)
		err = nil
	}
	if measured != nil {
		err = errors.Join(err, s.conclude(measured, counts))
	}
	if interrupted {
		if err != nil {
			say(s.stderr, "%v", err)
		}
		return statusError(128 + int(sig))
	}
	return err
}

// sweepDir begins the name of a directory for the tests of a sweep. Behind it
// stands the process id, so that it can be known to be left behind.
const sweepDir = "alloctop-sweep-"

// newSweepDir makes a directory for the tests, and removes those of sweeps that
// were killed.
func newSweepDir() (string, error) {
	removeLeftSweeps() // or else the next sweep tries again
	return os.MkdirTemp("", fmt.Sprintf("%s%d-", sweepDir, os.Getpid()))
}

// removeLeftSweeps removes the directories of sweeps that were killed, and
// returns how many there were.
func removeLeftSweeps() (n int, err error) {
	left, err := filepath.Glob(filepath.Join(os.TempDir(), sweepDir+"*"))
	if err != nil {
		return 0, err
	}
	var errs []error
	for _, dir := range left {
		text, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), sweepDir), "-")
		pid, err := strconv.Atoi(text)
		if err != nil || gorun.Running(pid) {
			continue // another's, or under way
		}
		if err := os.RemoveAll(dir); err != nil {
			errs = append(errs, err)
			continue
		}
		n++
	}
	return n, errors.Join(errs...)
}

// signalError ends a sweep.
type signalError syscall.Signal

func (e signalError) Error() string { return syscall.Signal(e).String() }

// untilSignal returns a context that the first signal ends. The second one ends
// alloctop as it always would.
func untilSignal(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		select {
		case sig := <-signals:
			signal.Stop(signals)
			cancel(signalError(sig.(syscall.Signal)))
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}

// interrupted says how to go on.
func (s *sweeping) interrupted(m *sweep.Measured) {
	switch {
	case m == nil:
		say(s.stderr, "interrupted before anything was measured")
	case s.state != nil:
		say(s.stderr, "interrupted; the same command goes on where this one was, by --state %s", s.stateAt)
	default:
		say(s.stderr, "interrupted; with --state FILE a sweep can be gone on with")
	}
}

// measure does all runs. What it returns may be incomplete, with an error.
func (s *sweeping) measure(ctx context.Context) (*sweep.Measured, *sweep.Counts, error) {
	binaries, err := s.build(ctx)
	if err != nil {
		return nil, nil, err
	}
	p := sweep.Processes{Grid: s.grid, Binaries: binaries}
	benchmarks, err := p.List(ctx)
	if err != nil {
		return nil, nil, err
	}
	counts, err := s.counts(ctx)
	if err != nil {
		return nil, nil, err
	}
	if len(binaries) > 0 {
		counts.Go = binaries[0].Go
	}
	show := &sweepProgress{w: s.stderr, terminal: columns(s.stderr) > 0, turn: -1}
	defer show.end()
	plan := sweep.Plan{Grid: s.grid, Benchmarks: benchmarks, Turns: s.turns}
	m, err := plan.Measure(ctx, sweep.Options{Runner: p, State: s.state, Now: time.Now, Progress: show.update})
	return m, counts, err
}

// build builds the tests for each experiment.
func (s *sweeping) build(ctx context.Context) (all []sweep.Binary, err error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	head := sweep.Head{Command: s.command.Words(), Dir: dir, Grid: s.grid, Per: s.per}
	if s.state != nil { // building may take long
		if err := s.state.Check(head); err != nil {
			return nil, err
		}
	}
	b := sweep.Builder{Command: s.command, Dir: s.dir, Self: s.self}
	experiments := []string{sweep.Default}
	for _, a := range s.grid {
		if a.Name == sweep.Experiment {
			experiments = a.Values
		}
	}
	if err := b.CheckExperiments(ctx, experiments); err != nil {
		return nil, err
	}
	for _, name := range experiments {
		what := "building the tests"
		if name != sweep.Default {
			what += " with the experiment " + name + ", and the standard library if it is the first time"
		}
		say(s.stderr, "%s", what)
		binaries, err := b.Build(ctx, name)
		if err != nil {
			return nil, err
		}
		all = append(all, binaries...)
	}
	if s.state == nil {
		return all, nil
	}
	head.Tests = all
	return all, s.state.Begin(head)
}

// outputs are the files that were asked for.
func (s *sweeping) outputs(r *sweep.Result, m *sweep.Measured) (outs []output) {
	if s.json != "" {
		outs = append(outs, output{"json", s.json, func(w io.Writer) error { return r.WriteJSON(w) }})
	}
	if s.html != "" {
		outs = append(outs, output{"html", s.html, func(w io.Writer) error { return sweeppage.WriteHTML(w, r) }})
	}
	if s.bench != "" {
		outs = append(outs, output{"benchfmt", s.bench, func(w io.Writer) error { return m.WriteBenchmarks(w) }})
	}
	return outs
}

// conclude writes the result. Benchmarks that failed are a failure, but only
// after all that there is has been written.
func (s *sweeping) conclude(m *sweep.Measured, counts *sweep.Counts) error {
	r := sweep.Analyze(m, sweep.Context{Command: s.command.Words(), Go: counts.Go, Processors: processors(), Counts: counts})
	outs := s.outputs(r, m)
	text := s.stdout
	if toStdout(outs) {
		text = s.stderr
	}
	o := textOptions(text, 0)
	if err := r.WriteText(text, sweep.TextOptions{Width: o.Width, Color: o.Color}); err != nil {
		return err
	}
	var errs []error
	for _, o := range outs {
		errs = append(errs, o.produce(s.stdout))
	}
	if n, of := r.Failures(); n > 0 {
		errs = append(errs, fmt.Errorf("%d of %d combinations of a benchmark and settings failed; see above", n, of))
	}
	return errors.Join(errs...)
}

// processors is how many threads can run at once.
func processors() int {
	if os.Getenv("GOMAXPROCS") != "" {
		return runtime.NumCPU()
	}
	return runtime.GOMAXPROCS(0) // as the container allows
}
