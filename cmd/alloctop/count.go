package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/internal/gorun"
	"github.com/alloctop/alloctop/web"
)

// counting is one call of alloctop -- COMMAND.
type counting struct {
	*app
	reportFlags
	engine  gorun.Engine
	command []string
	session *gorun.Session
	status  gorun.Status
	unread  int       // processes whose counts could not be read
	over    time.Time // when the command ended
	http    string    // address of the page, "" for none
	live    *livePage // nil if there is none
}

// count runs a command and reports what the Go programs in it allocated.
func (a *app) count(args []string) error {
	c := &counting{app: a}
	fs := newFlags("alloctop")
	c.register(fs)
	fs.StringVar(&c.pprof, "pprof", "", "")
	fs.BoolVar(&c.all, "all", false, "")
	fs.Func("http", "", setAddress(&c.http))
	fs.Func("engine", "", func(s string) error {
		c.engine = gorun.Engine(s)
		if c.engine != gorun.Exact && c.engine != gorun.Profile {
			return errors.New("it takes exact or profile")
		}
		return nil
	})
	rest, dashes, err := parseFlags(fs, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return a.help(nil)
	case err != nil:
		return err
	case len(rest) == 0:
		return usagef("give a command behind --, as in: alloctop -- go test -bench .")
	case !dashes:
		return notACommand(rest)
	}
	if err := c.checkSource(c.html != "" || c.http != ""); err != nil {
		return err
	}
	c.command = rest
	return c.run()
}

// notACommand explains a word where a subcommand or "--" has to be.
func notACommand(words []string) error {
	for _, s := range subcommands() {
		if distance(words[0], s.name) == 1 {
			return usagef("there is no subcommand %q; did you mean %s?", words[0], s.name)
		}
	}
	return usagef("there is no subcommand %q; to count a command write -- before it: alloctop -- %s", words[0], strings.Join(words, " "))
}

func (c *counting) run() error {
	if err := checkOutputs(c.outputs(nil, nil)); err != nil {
		return err
	}
	cache, err := cacheDir()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("where alloctop itself lies is unknown: %w", err)
	}
	if c.session, err = gorun.New(gorun.Options{CacheDir: cache, Engine: c.engine, Self: self}); err != nil {
		return err
	}
	defer c.session.Close()
	if err := c.openPage(); err != nil {
		return err
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2)
	defer signal.Stop(signals)
	err = c.runCommand(signals)
	if err == nil {
		err = c.afterwards(signals)
	}
	if c.live != nil {
		return c.live.end(err, signals)
	}
	return err
}

// afterwards reports the command that has ended. The command's failure
// comes before alloctop's own.
func (c *counting) afterwards(signals <-chan os.Signal) error {
	stop := c.endOnSignal(signals)
	defer stop()
	err := c.conclude()
	if err != nil && c.status.ExitCode() != 0 {
		say(c.stderr, "%v", err)
		err = nil
	}
	if err == nil && c.status.ExitCode() != 0 {
		err = statusError(c.status.ExitCode())
	}
	return err
}

func (c *counting) runCommand(signals <-chan os.Signal) (err error) {
	stdout := c.stdout
	if toStdout(c.outputs(nil, nil)) {
		stdout = c.stderr
	}
	p := &progress{w: c.stderr, terminal: columns(c.stderr) > 0, now: time.Now}
	c.status, err = c.session.Run(c.ctx, gorun.Command{
		Args: c.command, Stdin: c.stdin, Stdout: stdout, Stderr: c.stderr, Signals: signals, Progress: p.update,
		Running: c.look,
	})
	c.over = time.Now()
	return err
}

// endOnSignal makes a signal end alloctop while the report is made, without
// leaving the run's directory behind.
func (c *counting) endOnSignal(signals <-chan os.Signal) (stop func()) {
	done := make(chan struct{})
	go func() {
		select {
		case sig := <-signals:
			c.session.Close()
			os.Exit(128 + int(sig.(syscall.Signal)))
		case <-done:
		}
	}()
	return func() { close(done) }
}

// conclude makes the report of the run and writes it.
func (c *counting) conclude() error {
	p, err := c.profile()
	if err != nil {
		return err
	}
	if p == nil {
		return c.nothing()
	}
	r, err := alloccount.NewReport(p, alloccount.ReportOptions{By: c.by, Per: c.per})
	if err != nil {
		return err
	}
	r.Notes = append(r.Notes, c.notes(r.Engine)...)
	if c.pprof != "" || c.source {
		if err := alloccount.RecordSources(p); err != nil {
			return err
		}
		c.addHashes(p)
	}
	if c.live != nil {
		c.live.finish(web.Snapshot{Page: c.page(r, p)})
	}
	fmt.Fprintln(c.stderr) // apart from what the command wrote
	if err := r.WriteText(c.stderr, textOptions(c.stderr, c.top)); err != nil {
		return fmt.Errorf("the report was not written: %w", err)
	}
	var failed []error
	for _, o := range c.outputs(r, p) {
		failed = append(failed, o.produce(c.stdout))
	}
	return errors.Join(failed...)
}

// cacheDir returns the directory of alloctop's caches.
func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no place for alloctop's cache: %w; set HOME or XDG_CACHE_HOME", err)
	}
	return filepath.Join(dir, "alloctop"), nil
}
