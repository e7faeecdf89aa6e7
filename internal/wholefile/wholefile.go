// Package wholefile writes files so that a reader sees all of one or nothing,
// whatever happens meanwhile.
package wholefile

import (
	"bufio"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Write makes or replaces the file at path with what write produces. It is
// written under another name beside it and renamed when it is complete; after
// an error path is as it was. A file that is replaced keeps its permissions,
// and a symbolic link stays one.
func Write(path string, write func(io.Writer) error) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	tmp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()[:8])
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return named(err, path)
	}
	defer func() {
		if err != nil {
			os.Remove(tmp)
			err = named(err, path)
		}
	}()
	if info, err := os.Stat(path); err == nil {
		if err := f.Chmod(info.Mode().Perm()); err != nil {
			f.Close()
			return err
		}
	}
	w := bufio.NewWriter(f)
	if err = write(w); err == nil {
		err = w.Flush()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// named puts the name that the caller knows into an error about the other one.
func named(err error, path string) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return &os.PathError{Op: "write", Path: path, Err: p.Err}
	}
	return err
}
