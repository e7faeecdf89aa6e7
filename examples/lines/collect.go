package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/internal/study"
	"github.com/alloctop/alloctop/examples/lines/pipeline"
)

// once runs a shape on a log and checks that it saw every line.
func once(v pipeline.Variant, log pipeline.Log, lines, readers int) error {
	in := log.Pipe()
	defer in.Close()
	sum, err := v.Run(in, readers)
	switch {
	case err != nil:
		return err
	case sum.Lines != int64(lines) || sum.Malformed > 0:
		return fmt.Errorf("%d lines, %d of them malformed: want %d", sum.Lines, sum.Malformed, lines)
	}
	return nil
}

// countedRuns is how often each shape is counted: counts that vary have to be seen.
const countedRuns = 3

// count counts what each shape allocates, in a scope that has its name. It has the
// best engine that this program has.
func count(ctx context.Context, o options) (*alloccount.Report, error) {
	log := pipeline.NewLog(o.lines)
	var reports []*alloccount.Report
	for _, v := range pipeline.Variants() {
		options := alloccount.MeasureOptions{Label: v.Name, Runs: countedRuns, Context: ctx, DropPaths: true}
		report, err := options.Measure(func() (int, error) { return o.lines, once(v, log, o.lines, o.readers) })
		if err != nil {
			return nil, err
		}
		report.Scope.Unit = "lines"
		reports = append(reports, report)
	}
	return alloccount.Merge(reports...), nil
}

// timed are the runs of a shape with a number of readers.
type timed struct {
	variant pipeline.Variant
	readers int
	runs    []study.Run
}

// session is one run of the study, and what it found.
type session struct {
	ctx context.Context
	options
	progress *study.Progress
	log      io.Writer

	hooked bool               // this process counts all the time
	counts *alloccount.Report // a scope for each shape
	times  []timed
}

// collect makes all numbers.
func (s *session) collect() error {
	if err := s.count(); err != nil {
		return err
	}
	s.progress.Step("timing %d shapes, some with 1 to 8 readers, %d rounds if they take no more than a minute", len(pipeline.Variants()), s.rounds)
	if err := s.time(); err != nil {
		return err
	}
	s.progress.Step("done")
	return nil
}

// pkg is this program, from the root of the repository.
const pkg = "./examples/lines"

// profileLines bounds the lines that are counted by the runtime's profile, which
// makes a program many times slower.
const profileLines = 20_000

// count has the shapes counted: here if the program has the counter, else by the
// same program under alloctop, and where alloctop cannot, by the runtime's profile.
func (s *session) count() (err error) {
	if s.hooked, err = study.Hooked(); err != nil {
		return err
	}
	if s.hooked {
		s.progress.Step("counting the allocations of %d shapes", len(pipeline.Variants()))
		s.counts, err = count(s.ctx, s.options)
		return err
	}
	s.progress.Step("counting the allocations of %d shapes, under alloctop; the first time it builds Go's standard library with the counter", len(pipeline.Variants()))
	s.counts, err = study.Recount(s.ctx, s.log, nil, pkg, "-count", "-lines", strconv.Itoa(s.lines), "-readers", strconv.Itoa(s.readers))
	if err == nil || s.ctx.Err() != nil {
		return err
	}
	s.progress.Step("counting by the runtime's own profile, since alloctop cannot count here: %v", err)
	o := s.options
	o.lines = min(o.lines, profileLines)
	if s.counts, err = count(s.ctx, o); err != nil {
		return err
	}
	s.counts.Command = []string{"go", "run", pkg}
	return nil
}

// swept are the numbers of readers that are tried.
func (o options) swept() []int {
	all := append([]int{1, 2, 3, 8}, o.readers)
	slices.Sort(all)
	return slices.Compact(all)
}

// time times all shapes.
func (s *session) time() error {
	log := pipeline.NewLog(s.lines)
	var jobs []study.Job
	for _, v := range pipeline.Variants() {
		swept := s.swept()
		if v.Alone {
			swept = []int{s.readers}
		}
		for _, n := range swept {
			s.times = append(s.times, timed{variant: v, readers: n})
			jobs = append(jobs, study.Job{Name: v.Name, Do: func() error { return once(v, log, s.lines, n) }})
		}
	}
	rounds := study.Rounds{Most: s.rounds, Within: time.Minute}
	if s.full {
		rounds.Within = 0
	}
	runs, err := study.Turns(s.ctx, rounds, jobs)
	for i := range runs {
		s.times[i].runs = runs[i]
	}
	return err
}

// of returns the runs of a shape with the number of readers of the comparison.
func (s *session) of(name string) timed { return s.with(name, s.readers) }

func (s *session) with(name string, readers int) timed {
	i := slices.IndexFunc(s.times, func(t timed) bool { return t.variant.Name == name && t.readers == readers })
	return s.times[i]
}

// scope returns what was counted of a shape.
func (s *session) scope(name string) *alloccount.Scope {
	for _, scope := range s.counts.Scopes {
		if scope.Name == name {
			return scope
		}
	}
	return new(alloccount.Scope) // count makes one for every shape
}
