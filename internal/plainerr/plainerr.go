// Package plainerr makes errors fit for messages that name the file already.
package plainerr

import (
	"errors"
	"io/fs"
)

// WithoutPath returns what is inside of an error of a file, "no such file or
// directory", and any other error as it is.
func WithoutPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
