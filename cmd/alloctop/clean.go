package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// clean removes alloctop's caches.
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
	if errors.Is(err, fs.ErrNotExist) {
		_, err = fmt.Fprintf(a.stdout, "%s is not there: nothing to remove\n", dir)
		return err
	}
	if err == nil {
		err = os.RemoveAll(dir)
	}
	if err != nil {
		return fmt.Errorf("%s was not removed: %w", dir, err)
	}
	_, err = fmt.Fprintf(a.stdout, "removed %s, %.1f MB\n", dir, float64(bytes)/1e6)
	return err
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
