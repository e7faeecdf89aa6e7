package gorun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/alloctop/alloctop/internal/environ"
	"github.com/alloctop/alloctop/internal/hook"
)

// Options of a [Session].
type Options struct {
	CacheDir string // alloctop's own, absolute
	Engine   Engine // Plain to take the best that works
	Self     string // an executable that calls Shim if IsShim, and Exec if IsExec
}

// Session is one counted run. Its methods are for one goroutine.
type Session struct {
	settings
	env      []string
	log      *os.File
	building *Progress // of the standard library, under way

	// What the run's go commands reported, complete after Run.
	Builds   []Build
	Tests    []Test
	Programs []Program
	Modules  []Module // of the working directory and of all builds

	Program string // path of the command's own program
}

// Command is what a session runs.
type Command struct {
	Args           []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Signals        <-chan os.Signal // to be passed on to it
	Progress       func(Progress)   // told while the standard library is compiled
	Running        func()           // called now and then by Run, so that a caller may read what was reported so far
}

// New makes the directory and the environment of a run. The caller closes the
// session when it has read what it wants.
func New(o Options) (*Session, error) {
	run, err := os.MkdirTemp("", runPrefix)
	if err != nil {
		return nil, fmt.Errorf("no directory for the run: %w", err)
	}
	s := &Session{settings: settings{PID: os.Getpid(), Cache: o.CacheDir, Engine: o.Engine, run: run}}
	if err := s.setUp(o.Self); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Session) setUp(self string) (err error) {
	for _, dir := range []string{s.shims(), s.Counters(), s.Profiles()} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(s.shims(), shimMark), nil, 0o666); err != nil {
		return err
	}
	for _, name := range []string{filepath.Join(s.shims(), "go"), filepath.Join(s.run, execName)} {
		if err := os.Symlink(self, name); err != nil {
			return err
		}
	}
	if s.log, err = os.OpenFile(s.logFile(), os.O_RDONLY|os.O_CREATE, 0o666); err != nil {
		return err
	}
	s.env = environ.Set(os.Environ(), envRun, s.run)
	s.addDefaultTree()
	path := s.shims()
	if old := os.Getenv("PATH"); old != "" {
		path += string(os.PathListSeparator) + old
	}
	s.env = environ.Set(s.env, "PATH", path)
	if s.Engine != Profile {
		counters := s.Counters()
		s.env = environ.Set(s.env, hook.EnvDir, counters)
	}
	return s.write()
}

// addDefaultTree puts the hook for the default Go tree into GOFLAGS, for a go
// tool that is called by its path, and notes the modules of the working
// directory. Without Go in PATH there is nothing to add.
func (s *Session) addDefaultTree() {
	if before, ok := os.LookupEnv("GOFLAGS"); ok {
		s.Before = &before
	}
	tool, err := realGo(os.Getenv("PATH"))
	if err != nil {
		return
	}
	if here, err := readGoEnv(tool, "", os.Environ()); err == nil {
		s.Modules = here.mainModules()
	}
	local := "local"
	e, err := readGoEnv(tool, s.run, environ.Set(os.Environ(), "GOTOOLCHAIN", local))
	if err != nil {
		return
	}
	t, err := findTree(e, s.Cache)
	if err != nil || t.mirror != "" {
		return
	}
	g := goCommand{settings: s.settings, inv: parseInvocation([]string{"test"}), goenv: e, dir: s.run, tree: t}
	if engine, _ := g.equip(); engine == Plain {
		return
	}
	s.Tree, s.Overlay = t.root, g.Overlay
	s.GOFLAGS, _ = environ.Get(g.env, "GOFLAGS")
	s.env = environ.Set(s.env, "GOFLAGS", s.GOFLAGS)
}

// Counters is the directory in which hooked programs leave their counter files.
func (s *Session) Counters() string { return s.counters() }

// Profiles is the directory in which tests leave their profiles.
func (s *Session) Profiles() string { return s.profiles() }

// Close removes the session's directory.
func (s *Session) Close() error {
	if s.log != nil {
		s.log.Close()
	}
	return os.RemoveAll(s.run)
}

// Run runs the command and waits for it. An error says that it could not be
// started; how it ended is the status.
func (s *Session) Run(ctx context.Context, c Command) (Status, error) {
	cmd, err := s.command(ctx, c)
	if err != nil {
		return Status{}, err
	}
	if err := cmd.Start(); err != nil {
		return Status{}, startError(c.Args[0], err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	err = s.attend(c, cmd.Process, ended)
	st := Status{PID: cmd.Process.Pid, Code: cmd.ProcessState.ExitCode()}
	if w, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		st.Signal = w.Signal()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) || errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	return st, err
}

// attend passes signals on and follows the log until the process has ended.
func (s *Session) attend(c Command, p *os.Process, ended <-chan error) error {
	log := &logReader{f: s.log}
	watch := &watcher{settings: s.settings, programs: map[int]string{}}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case sig := <-c.Signals:
			if !fromTerminal(sig) {
				p.Signal(sig)
			}
		case <-tick.C:
			watch.look(p.Pid)
			s.follow(log, c.Progress)
			if c.Running != nil {
				c.Running()
			}
			if s.building != nil && c.Progress != nil {
				c.Progress(*s.building) // its clock moves on
			}
		case err := <-ended:
			err = errors.Join(err, s.follow(log, c.Progress))
			s.Builds = append(s.Builds, watch.unrecorded(s.Builds)...)
			if s.building != nil && c.Progress != nil { // it was killed
				s.building.End = true
				c.Progress(*s.building)
			}
			return err
		}
	}
}

// follow takes in what the log has new.
func (s *Session) follow(log *logReader, progress func(Progress)) error {
	records, err := log.next()
	for _, r := range records {
		switch {
		case r.Build != nil:
			s.Builds = append(s.Builds, *r.Build)
			s.addModules(r.Build.Modules)
		case r.Test != nil:
			s.Tests = append(s.Tests, *r.Test)
		case r.Program != nil:
			s.Programs = append(s.Programs, *r.Program)
		case r.Progress != nil && r.Progress.End && progress != nil:
			progress(*r.Progress)
			s.building = nil
		case r.Progress != nil:
			s.building = r.Progress
		}
	}
	return err
}

func (s *Session) addModules(mods []Module) {
	for _, m := range mods {
		if !slices.Contains(s.Modules, m) {
			s.Modules = append(s.Modules, m)
		}
	}
}

// command makes the command ready to start.
func (s *Session) command(ctx context.Context, c Command) (*exec.Cmd, error) {
	path, env, err := s.find(c.Args[0])
	if err != nil {
		return nil, err
	}
	s.Program = path
	cmd := exec.CommandContext(ctx, path)
	cmd.Args, cmd.Env = c.Args, env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	return cmd, nil
}

// find finds a program as the command's own PATH has it, and the environment
// for it. A go tool that is named by its path comes by way of the shim as well.
func (s *Session) find(name string) (path string, env []string, err error) {
	shim := filepath.Join(s.shims(), "go")
	if name == "go" {
		_, err := realGo(os.Getenv("PATH"))
		return shim, s.env, err
	}
	if path, err = exec.LookPath(name); err != nil {
		return "", nil, startError(name, err)
	}
	if filepath.Base(path) != "go" {
		return path, s.env, nil
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", nil, err
	}
	return shim, environ.Set(s.env, envGo, path), nil
}

// startError says why a command did not start.
func startError(name string, err error) error {
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("there is no command %q; check the name and PATH", name)
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("the command %q may not be executed; check its permissions", name)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("the command %q is no program; a script begins with a line like #!/bin/sh", name)
	}
	return fmt.Errorf("the command %q did not start: %w", name, err)
}
