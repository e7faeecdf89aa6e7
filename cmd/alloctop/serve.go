package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/internal/observe"
	"github.com/alloctop/alloctop/web"
	"github.com/alloctop/alloctop/web/pprofui"
)

// serve shows profiles in a browser: those of files as they are, those of
// addresses again and again while the programs run.
func (a *app) serve(args []string) error {
	s := &serving{app: a}
	set := newFlags("serve")
	addr := "127.0.0.1:0"
	set.Func("addr", "", setAddress(&addr))
	set.BoolVar(&s.source, "source", false, "")
	s.registerGrouping(set)
	s.wall.register(set)
	words, err := parseMixed(set, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return a.help([]string{"serve"})
	case err != nil:
		return err
	case len(words) == 0:
		return usagef("serve needs a profile: a file, or an address as http://localhost:6060/debug/pprof/allocs")
	}
	if err := onlyOnce(words); err != nil {
		return err
	}
	signals := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(a.ctx, signals...)
	defer stop()
	if err := s.read(ctx, words); err != nil {
		return err
	}
	if err := s.wall.read(ctx); err != nil {
		return err
	}
	d, err := openDoor(addr)
	if err != nil {
		return err
	}
	a.warnPublic(d)
	fmt.Fprintln(a.stdout, d.url)
	return web.Serve(ctx, d, s.live(d.hosts).Handler())
}

// serving is one call of alloctop serve.
type serving struct {
	*app
	reportFlags
	sources []*served

	mu    sync.Mutex // guards what follows, and what the sources last gave
	shown bool       // there has been a snapshot
}

// served is one thing that is shown.
type served struct {
	address *observe.Address // nil of a file
	report  *alloccount.Report
	profile *profile.Profile // nil of a JSON report
	trouble error            // why they are not of now
}

// read reads all files, and looks at all addresses once, so that what is wrong
// is said at once.
func (s *serving) read(ctx context.Context, words []string) error {
	for _, word := range words {
		v := &served{}
		var err error
		if observe.IsAddress(word) {
			if v.address, err = observe.NewAddress(word); err != nil {
				return fmt.Errorf("%s: %w", word, err)
			}
		} else if v.report, v.profile, err = s.readReport(word, s.reportFlags); err != nil {
			return fmt.Errorf("%s: %w%s", word, err, addressHint(word, err))
		} else if len(words) > 1 {
			tellApart(v.report, word)
		}
		s.addHashes(v.profile)
		s.sources = append(s.sources, v)
	}
	s.fetch(ctx)
	for _, v := range s.sources {
		if v.trouble != nil {
			return v.trouble
		}
	}
	return nil
}

// addressHint helps who left out what makes an address of a word.
func addressHint(word string, err error) string {
	if _, _, split := net.SplitHostPort(word); split == nil && errors.Is(err, fs.ErrNotExist) {
		return "; for the program there write http://" + word
	}
	return ""
}

// live returns the page of the sources.
func (s *serving) live(hosts []string) *web.Live {
	l := &web.Live{Take: s.take, Hosts: hosts}
	if slices.ContainsFunc(s.sources, func(v *served) bool { return v.profile != nil }) {
		// Not even with --source a page of pprof shows source: it takes any
		// file that a profile names, and these were not recorded here.
		l.PProf = &pprofui.Pages{Profile: func(ctx context.Context) (*profile.Profile, error) { return s.together(ctx, l) }}
	}
	return l
}

// take returns what the sources show now.
func (s *serving) take(ctx context.Context) (web.Snapshot, error) {
	s.fetch(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	var reports []*alloccount.Report
	var notes []string
	addresses := 0
	for _, v := range s.sources {
		reports = append(reports, copyOf(v.report))
		if v.address != nil {
			addresses++
		}
		if v.trouble != nil {
			notes = append(notes, v.trouble.Error())
		}
	}
	if s.shown && addresses > 0 && len(notes) == addresses {
		return web.Snapshot{}, errors.New(strings.Join(notes, "; "))
	}
	s.shown = true
	all := alloccount.Merge(reports...)
	all.Notes = append(all.Notes, notes...)
	var p *profile.Profile
	if len(s.sources) == 1 {
		p = s.sources[0].profile
	}
	return web.Snapshot{Page: s.page(all, p), Time: time.Now(), Ended: addresses == 0}, nil
}

// copyOf returns a report with scopes of its own, which alloccount.Merge changes
// while browsers are shown those of before.
func copyOf(r *alloccount.Report) *alloccount.Report {
	c := *r
	c.Scopes = make([]*alloccount.Scope, len(r.Scopes))
	for i, s := range r.Scopes {
		scope := *s
		c.Scopes[i] = &scope
	}
	return &c
}

// fetch asks all addresses.
func (s *serving) fetch(ctx context.Context) {
	var all sync.WaitGroup
	for _, v := range s.sources {
		if v.address == nil {
			continue
		}
		all.Go(func() {
			r, p, err := s.fetchOne(ctx, v.address)
			s.mu.Lock()
			defer s.mu.Unlock()
			if v.trouble = err; err == nil {
				v.report, v.profile = r, p
			}
		})
	}
	all.Wait()
}

func (s *serving) fetchOne(ctx context.Context, a *observe.Address) (*alloccount.Report, *profile.Profile, error) {
	p, err := a.Fetch(ctx)
	if err != nil {
		return nil, nil, err
	}
	r, err := alloccount.NewReport(p, alloccount.ReportOptions{By: s.by, Per: s.per})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", a.Host(), err)
	}
	for _, scope := range r.Scopes {
		switch {
		case scope.Process.Main == "" && scope.Name == "profile":
			scope.Name = a.Host()
		case len(s.sources) > 1 && scope.Process.PID == 0: // else they are told apart by that
			scope.Name += " at " + a.Host()
		}
	}
	if r.Engine == alloccount.Sampled {
		r.Notes = append(r.Notes, "the runtime tells of allocations when a garbage collection has ended, so that rates come in steps")
	}
	return r, p, nil
}

// together returns one profile of all sources, as of now.
func (s *serving) together(ctx context.Context, l *web.Live) (*profile.Profile, error) {
	if p, err := l.Profile(ctx); p != nil || err != nil {
		return p, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*profile.Profile
	for _, v := range s.sources {
		if v.profile == nil {
			continue
		}
		p := v.profile
		if p.PeriodType == nil { // which profile.Merge does not expect
			p = p.Copy()
			p.PeriodType = &profile.ValueType{}
		}
		all = append(all, p)
	}
	p, err := profile.Merge(all)
	if err != nil {
		return nil, fmt.Errorf("the profiles cannot be shown together, serve each by itself: %w", err)
	}
	return p, nil
}
