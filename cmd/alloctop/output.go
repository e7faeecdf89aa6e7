package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/alloctop/alloctop/internal/plainerr"
	"github.com/alloctop/alloctop/internal/wholefile"
)

// output is a file that the user asked for, "-" for standard output.
type output struct {
	flag, path string
	write      func(io.Writer) error
}

// check looks whether the output can be written, before the command runs.
func (o output) check() error {
	if o.path == "-" {
		return nil
	}
	info, err := os.Stat(o.path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("--%s %s: it is a directory; give a file", o.flag, o.path)
	case err == nil && syscall.Access(o.path, 2) != nil:
		return fmt.Errorf("--%s %s: it may not be written; check its permissions", o.flag, o.path)
	case err != nil && (o.direct() || !errors.Is(err, fs.ErrNotExist)):
		return o.failed(err)
	case o.direct():
		return nil
	}
	dir := filepath.Dir(o.path)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--%s %s: there is no directory %s; make it first", o.flag, o.path, dir)
	}
	// Access says nothing of read-only file systems that the superuser meets.
	probe, err := os.CreateTemp(dir, ".alloctop-")
	if err != nil {
		return o.failed(err)
	}
	probe.Close()
	return os.Remove(probe.Name())
}

// direct reports whether the output is opened and written, being a device, a
// pipe or a name for an open file, and not a file that can be replaced.
func (o output) direct() bool {
	for path, i := o.path, 0; i < 40; i++ {
		if strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/") {
			return true
		}
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	info, err := os.Stat(o.path)
	return err == nil && !info.Mode().IsRegular()
}

// produce writes the output.
func (o output) produce(stdout io.Writer) error {
	switch {
	case o.path == "-":
		return o.failed(o.write(stdout))
	case !o.direct():
		return o.failed(wholefile.Write(o.path, o.write))
	}
	f, err := os.OpenFile(o.path, os.O_WRONLY, 0)
	if err != nil {
		return o.failed(err)
	}
	err = o.write(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return o.failed(err)
}

// failed names the flag and the file, and once only.
func (o output) failed(err error) error {
	if err == nil {
		return nil
	}
	err = plainerr.WithoutPath(err)
	hint := ""
	if errors.Is(err, syscall.ENOSPC) {
		hint = "; make room or name another place"
	}
	return fmt.Errorf("--%s %s was not written: %w%s", o.flag, o.path, err, hint)
}

// checkOutputs looks at all outputs of a command together.
func checkOutputs(outs []output) error {
	for i, o := range outs {
		for _, other := range outs[:i] {
			if o.path == other.path {
				return usagef("--%s and --%s both go to %s; give them two files", other.flag, o.flag, o.path)
			}
		}
		if err := o.check(); err != nil {
			return err
		}
	}
	return nil
}

// toStdout reports whether an output takes standard output for itself.
func toStdout(outs []output) bool {
	for _, o := range outs {
		if o.path == "-" {
			return true
		}
	}
	return false
}
