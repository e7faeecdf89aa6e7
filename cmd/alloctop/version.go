package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"runtime"
	"runtime/debug"

	"github.com/alloctop/alloctop/internal/gorun"
)

// version tells alloctop's own version, or of Go programs whether they carry
// the hook.
func (a *app) version(args []string) error {
	files, err := parseMixed(newFlags("version"), args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return a.help([]string{"version"})
	case err != nil:
		return err
	case len(files) == 0:
		_, err = fmt.Fprintf(a.stdout, "alloctop %s %s\n", ownVersion(), runtime.Version())
		return err
	}
	var failed error
	for _, file := range files {
		if err := a.versionOf(file); err != nil {
			say(a.stderr, "%v", err)
			failed = statusError(exitFailure)
		}
	}
	return failed
}

func (a *app) versionOf(file string) error {
	b, err := gorun.ReadBinary(file)
	var path *fs.PathError
	switch {
	case errors.As(err, &path):
		return fmt.Errorf("%s: %w", file, path.Err)
	case err != nil:
		return fmt.Errorf("%s: not a Go program: %w", file, err)
	}
	what := "plain"
	if b.Hooked {
		what = "with the counting hook"
	}
	_, err = fmt.Fprintf(a.stdout, "%s: %s %s, %s\n", file, b.Main, b.Go, what)
	return err
}

func ownVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
