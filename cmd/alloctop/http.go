package main

import (
	"context"
	"errors"
	"maps"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/internal/gorun"
	"github.com/alloctop/alloctop/internal/observe"
	"github.com/alloctop/alloctop/web"
	"github.com/alloctop/alloctop/web/pprofui"
)

// livePage is the page of a run, while it goes on and after it.
type livePage struct {
	c     *counting
	door  *door
	live  *web.Live
	files observe.Counters
	rest  func() // ends the looking while nobody looks
	close func() // ends the serving
	why   string // nothing was counted

	// For take alone.
	hashes map[string]string // of source files
	missed map[string]bool   // which processes could not be read

	// An order to end that came while the command ran holds for the page too,
	// though the signal itself was passed on.
	ordered chan os.Signal

	mu      sync.Mutex // guards what follows
	builds  []gorun.Build
	modules []gorun.Module
	final   *web.Snapshot // nil while the command runs
}

// openPage serves the page of the run, if one was asked for.
func (c *counting) openPage() error {
	if c.http == "" {
		return nil
	}
	d, err := openDoor(c.http)
	if err != nil {
		return err
	}
	l := &livePage{c: c, door: d, files: observe.Counters{Dir: c.session.Counters()}, ordered: make(chan os.Signal, 1)}
	l.hashes, l.missed = make(map[string]string), make(map[string]bool)
	l.modules = slices.Clone(c.session.Modules)
	l.live = &web.Live{Take: l.take, Hosts: d.hosts}
	// The profile is of a program that was run here, so that its source may be
	// shown to who asks for it.
	l.live.PProf = &pprofui.Pages{Profile: l.live.Profile, Source: c.source}
	signal.Notify(l.ordered, syscall.SIGTERM, syscall.SIGHUP)
	ctx, cancel := context.WithCancel(c.ctx)
	served := make(chan struct{})
	go func() {
		defer close(served)
		if err := web.Serve(ctx, d, l.live.Handler()); err != nil {
			say(c.stderr, "warning: %v", err)
		}
	}()
	l.close = func() {
		cancel()
		<-served
		signal.Stop(l.ordered)
	}
	l.rest = l.live.Watch() // from the beginning, for who opens the page late
	c.live = l
	c.warnPublic(d)
	say(c.stderr, "the page is at %s", d.url)
	return nil
}

// look takes in what the go commands of the run reported so far. It is called by
// whoever runs the session.
func (c *counting) look() {
	l := c.live
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := c.session; len(s.Builds) != len(l.builds) || len(s.Modules) != len(l.modules) {
		l.builds, l.modules = slices.Clone(s.Builds), slices.Clone(s.Modules)
	}
}

// take returns how things are now.
func (l *livePage) take(context.Context) (web.Snapshot, error) {
	l.mu.Lock()
	final, builds, modules := l.final, l.builds, l.modules
	l.mu.Unlock()
	if final != nil {
		return *final, nil
	}
	now := time.Now()
	var notes []string
	counters, err := l.files.Read(func(err error) {
		why := "a process is missing: " + err.Error()
		if l.missed[why] { // else its head may just be being written
			notes = append(notes, why)
		}
		l.missed[why] = true
	})
	switch {
	case err != nil:
		return web.Snapshot{}, err
	case len(counters) == 0:
		return l.nothing(append(notes, waitingFor(builds)...)), nil
	}
	for _, p := range counters {
		renameTrees(p, builds)
	}
	p, err := alloccount.FromCounters(counters, alloccount.ScopeOptions{
		Command: l.c.command, All: l.c.all, Whole: true, Running: gorun.Running, Rules: rulesOf(modules, builds, mainsOf(counters)), Per: l.c.per,
	})
	if err != nil {
		return web.Snapshot{}, err
	}
	r, err := alloccount.NewReport(p, alloccount.ReportOptions{By: l.c.by, Per: l.c.per})
	if err != nil {
		return web.Snapshot{}, err
	}
	r.Notes = append(r.Notes, notes...)
	page := web.Page{Report: r, Profile: p}
	if l.c.source {
		if err := l.hash(p); err != nil {
			return web.Snapshot{}, err
		}
		page.Source = web.SourceFiles(maps.Clone(l.hashes))
	}
	return web.Snapshot{Page: page, Time: now}, nil
}

// hash keeps the hashes of source files as they were when they came up.
func (l *livePage) hash(p *profile.Profile) error {
	if err := alloccount.RecordSources(p); err != nil {
		return err
	}
	for file, hash := range alloccount.Sources(p) {
		if l.hashes[file] == "" {
			l.hashes[file] = hash
		}
	}
	return nil
}

// waitingFor says why there is nothing yet, if that is known.
func waitingFor(builds []gorun.Build) []string {
	if slices.ContainsFunc(builds, func(b gorun.Build) bool { return b.Engine == gorun.Profile }) {
		return []string{"the profile engine tells what tests allocated when they have ended"}
	}
	return nil
}

// nothing is what is shown where nothing was counted.
func (l *livePage) nothing(notes []string) web.Snapshot {
	by := l.c.by
	if by == "" {
		by = alloccount.ByAllocation
	}
	r := &alloccount.Report{Schema: alloccount.Schema, Engine: alloccount.Exact, Command: l.c.command, By: by}
	if l.c.engine == gorun.Profile {
		r.Engine = alloccount.Sampled
	}
	r = alloccount.Merge(r)
	r.Notes = notes
	return web.Snapshot{Page: web.Page{Report: r}, Time: time.Now()}
}

// finish makes s what the page shows for good.
func (l *livePage) finish(s web.Snapshot) {
	s.Time, s.Ended = l.c.over, true
	l.mu.Lock()
	defer l.mu.Unlock()
	l.final = &s
}

// How long browsers have for the last numbers when alloctop ends.
const lastWord = 3 * time.Second

// end ends the page when the command has ended and its report is written. On a
// terminal it stays until somebody interrupts it. What err says is not put off
// until then.
func (l *livePage) end(err error, signals <-chan os.Signal) error {
	defer l.close()
	l.mu.Lock()
	counted := l.final != nil
	l.mu.Unlock()
	if !counted {
		var notes []string
		if l.why == "" && err != nil {
			l.why = err.Error()
		}
		if l.why != "" {
			notes = append(notes, l.why)
		}
		l.finish(l.nothing(notes))
	}
	l.rest()
	ctx, cancel := context.WithTimeout(l.c.ctx, lastWord)
	defer cancel()
	l.live.End(ctx)
	if !counted || columns(l.c.stderr) == 0 || len(l.ordered) > 0 {
		return err
	}
	l.c.session.Close() // its files can be large, and have been read
	var status statusError
	if err != nil && !errors.As(err, &status) {
		say(l.c.stderr, "%v", err)
		err = statusError(exitFailure)
	}
	say(l.c.stderr, "the page stays at %s until you interrupt it (Ctrl-C)", l.door.url)
	for {
		select {
		case <-l.ordered:
			return err
		case sig := <-signals:
			if sig != syscall.SIGUSR1 && sig != syscall.SIGUSR2 {
				return err
			}
		}
	}
}
