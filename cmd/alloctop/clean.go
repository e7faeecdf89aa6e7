package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/alloctop/alloctop/internal/gorun"
)

// clean removes alloctop's caches, and what runs that were killed left behind.
func (a *app) clean(args []string) error {
	rest, err := parseMixed(newFlags("clean"), args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return a.help([]string{"clean"})
	case err != nil:
		return err
	case len(rest) > 0:
		return usagef("clean takes no arguments, not %s", quoteList(rest))
	}
	dir, err := cacheDir()
	if err != nil {
		return err
	}
	bytes, err := sizeOf(dir)
	there := !errors.Is(err, fs.ErrNotExist)
	if err == nil {
		err = os.RemoveAll(dir)
	}
	if there && err != nil {
		return fmt.Errorf("%s was not removed: %w", dir, err)
	}
	runs, err := gorun.RemoveLeftRuns()
	if err != nil {
		return err
	}
	sweeps, err := removeLeftSweeps()
	if err != nil {
		return err
	}
	if there {
		fmt.Fprintf(a.stdout, "removed %s, %.1f MB\n", dir, float64(bytes)/1e6)
	}
	if runs > 0 {
		fmt.Fprintf(a.stdout, "removed what %s left in %s\n", killed(runs, "run"), os.TempDir())
	}
	if sweeps > 0 {
		fmt.Fprintf(a.stdout, "removed what %s left in %s\n", killed(sweeps, "sweep"), os.TempDir())
	}
	if !there && runs == 0 && sweeps == 0 {
		fmt.Fprintf(a.stdout, "%s is not there: nothing to remove\n", dir)
	}
	return nil
}

// killed counts runs or sweeps.
func killed(n int, what string) string {
	if n == 1 {
		return "1 killed " + what
	}
	return fmt.Sprintf("%d killed %ss", n, what)
}

// sizeOf adds up the files below dir.
func sizeOf(dir string) (bytes int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	return bytes, err
}
