package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/callsite"
	"github.com/alloctop/alloctop/internal/counterfile"
	"github.com/alloctop/alloctop/internal/gorun"
	"github.com/alloctop/alloctop/internal/observe"
)

// profile returns what the run counted, nil if that is nothing: by the hook if
// any program carried it, or else by the stock profile.
func (c *counting) profile() (*profile.Profile, error) {
	counters, err := c.counters()
	if err != nil {
		return nil, err
	}
	if len(counters) == 0 {
		return c.stockProfile()
	}
	return alloccount.FromCounters(counters, c.scopeOptions(mainsOf(counters)))
}

// mainsOf returns the import paths of main packages.
func mainsOf(counters []*counterfile.Counters) (mains []string) {
	for _, p := range counters {
		mains = append(mains, p.Main)
	}
	return mains
}

func (c *counting) scopeOptions(mains []string) alloccount.ScopeOptions {
	rules := rulesOf(c.session.Modules, c.session.Builds, mains)
	return alloccount.ScopeOptions{Command: c.command, All: c.all, Running: gorun.Running, Rules: rules, Per: c.per}
}

// rulesOf says which code is the user's own: the modules that the go commands
// worked in, and packages of others whose tests the user had run, as the import
// paths of main packages tell.
func rulesOf(modules []gorun.Module, builds []gorun.Build, mains []string) callsite.Rules {
	var r callsite.Rules
	for _, m := range modules {
		r.Modules = append(r.Modules, callsite.Module{Path: m.Path, Dir: m.Dir})
	}
	for _, b := range builds {
		std := callsite.Module{Path: "std", Dir: filepath.Join(b.Root, "src")}
		if b.Root != "" && !slices.Contains(r.Others, std) && !slices.Contains(r.Modules, std) {
			r.Others = append(r.Others, std)
		}
	}
	for _, main := range mains {
		if tested, ok := strings.CutSuffix(main, ".test"); ok && !slices.Contains(r.Packages, tested) {
			r.Packages = append(r.Packages, tested)
		}
	}
	return r
}

// counters reads the counter files of the run. One that cannot be read is
// mentioned and does not take the others with it.
func (c *counting) counters() ([]*counterfile.Counters, error) {
	files := observe.Counters{Dir: c.session.Counters()}
	all, err := files.Read(func(err error) {
		c.unread++
		say(c.stderr, "warning: a process is missing from the report: %v", err)
	})
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if p.PID == c.status.PID && p.Exit.State == counterfile.ExitNone {
			p.Exit = exitOf(c.status)
		}
		renameTrees(p, c.session.Builds)
	}
	return all, nil
}

// exitOf says how the command ended in the words of a counter file.
func exitOf(s gorun.Status) counterfile.Exit {
	if s.Signal != 0 {
		return counterfile.Exit{State: counterfile.ExitSignal, Signal: int(s.Signal)}
	}
	return counterfile.Exit{State: counterfile.ExitCode, Code: s.Code}
}

// renameTrees gives files of a Go tree that was used by another path the names
// that the user knows.
func renameTrees(p *counterfile.Counters, builds []gorun.Build) {
	prefixes := map[string]string{}
	for _, b := range builds {
		if b.Tree != b.Root {
			prefixes[b.Tree+string(os.PathSeparator)] = b.Root + string(os.PathSeparator)
		}
	}
	if len(prefixes) == 0 {
		return
	}
	done := map[*counterfile.Frame]bool{}
	seen := map[*counterfile.Stack]bool{}
	for _, e := range p.Entries {
		for s := e.Stack; s != nil && !seen[s]; s = s.Caller {
			seen[s] = true
			if len(s.Frames) > 0 && !done[&s.Frames[0]] {
				done[&s.Frames[0]] = true
				renameFiles(s.Frames, prefixes)
			}
		}
	}
}

func renameFiles(frames []counterfile.Frame, prefixes map[string]string) {
	for i := range frames {
		for from, to := range prefixes {
			if rest, ok := strings.CutPrefix(frames[i].File, from); ok {
				frames[i].File = to + rest
				break
			}
		}
	}
}

// notes says what a reader of the report must know of the run.
func (c *counting) notes(engine alloccount.Engine) []string {
	notes := append(c.reasons(), c.uncounted()...)
	if n := len(c.session.Tests); n > 0 && engine == alloccount.Exact {
		notes = append(notes, fmt.Sprintf("%d test binaries had to use the stock profile and are not in this report; see them with --engine profile", n))
	}
	return notes
}

// reasons says once for each why go commands were not hooked.
func (c *counting) reasons() (list []string) {
	commands := map[string]int{}
	for _, b := range c.session.Builds {
		if b.Reason != "" {
			if commands[b.Reason] == 0 {
				list = append(list, b.Reason)
			}
			commands[b.Reason]++
		}
	}
	for i, reason := range list {
		what := "1 go command built without the counting hook"
		if n := commands[reason]; n > 1 {
			what = fmt.Sprintf("%d go commands built without the counting hook", n)
		}
		list[i] = what + ": " + reason
	}
	return list
}

// nothing explains a run that leaves nothing to report. Where a Go program ran,
// or a file was asked for, that is a failure. Otherwise the command did what it
// was to do, and ran no Go program.
func (c *counting) nothing() error {
	hooked := slices.ContainsFunc(c.session.Builds, func(b gorun.Build) bool { return b.Engine != gorun.Plain })
	reasons := append(c.reasons(), c.uncounted()...)
	switch {
	case c.unread > 0:
		return errors.New("nothing was counted: what was counted could not be read, see above")
	case len(reasons) > 0 && c.onlyBuilt() && len(c.outputs(nil, nil)) == 0:
		c.sayNothing("no Go program ran, so nothing was counted; " + strings.Join(reasons, "; "))
		return nil
	case len(reasons) > 0:
		return fmt.Errorf("nothing was counted: %s", strings.Join(reasons, "; "))
	case c.status.ExitCode() == 0 && slices.ContainsFunc(c.session.Builds, ran):
		return errors.New("nothing was counted: the file with the counts is gone; leave what lies in TMPDIR alone while the program runs")
	case hooked && c.status.ExitCode() != 0:
		return fmt.Errorf("nothing was counted: %s ended with %s before a Go program ran", c.command[0], c.status.Words())
	case hooked:
		why := "no Go program ran, so nothing was counted; what was built counts when it runs under alloctop --"
		if len(c.outputs(nil, nil)) > 0 && !c.onlyBuilt() {
			return errors.New(why)
		}
		c.sayNothing(why)
		return nil
	}
	if b, err := gorun.ReadBinary(c.session.Program); err == nil && !b.Hooked && filepath.Base(c.command[0]) != "go" {
		return fmt.Errorf("nothing was counted: %s was built without the counting hook; build it with alloctop -- go build", c.command[0])
	}
	what := c.command[0] + " ran no go command that runs a program, and no Go program that alloctop had built"
	if filepath.Base(c.command[0]) == "go" && len(c.command) > 1 {
		what = fmt.Sprintf("go %s runs no Go program of yours", c.command[1])
	}
	why := fmt.Sprintf("nothing was counted: %s; give a command that does, as in: alloctop -- go test -bench .", what)
	if len(c.outputs(nil, nil)) > 0 {
		return errors.New(why)
	}
	c.sayNothing(why)
	return nil
}

// ran reports whether a go command that succeeded must have run a hooked program.
func ran(b gorun.Build) bool {
	args := goArgs(b)
	return b.Engine == gorun.Exact && len(args) > 0 && args[0] == "run" && !slices.Contains(args, "-n")
}

// goArgs returns what go was called with, from its command on.
func goArgs(b gorun.Build) []string {
	if len(b.Args) > 1 && b.Args[0] == "-C" {
		return b.Args[2:]
	}
	return b.Args
}

// onlyBuilt reports whether the command is a go command that succeeded and runs
// none of the programs that it builds.
func (c *counting) onlyBuilt() bool {
	runs := func(b gorun.Build) bool {
		args := goArgs(b)
		switch {
		case len(args) == 0:
			return true
		case args[0] == "test":
			return !slices.Contains(args, "-c")
		}
		return args[0] != "build" && args[0] != "install"
	}
	return filepath.Base(c.command[0]) == "go" && c.status.ExitCode() == 0 && !slices.ContainsFunc(c.session.Builds, runs)
}

// sayNothing says, also on the page, why there is no report, where that is no
// failure.
func (c *counting) sayNothing(why string) {
	say(c.stderr, "%s", why)
	if c.live != nil {
		c.live.why = why
	}
}
