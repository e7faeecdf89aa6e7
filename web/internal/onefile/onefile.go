// Package onefile has what the pages of several packages need to be one file
// that asks for nothing else.
package onefile

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
)

// Source is what a content security policy calls a script or style with this
// text.
func Source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Template is a text/template or an html/template.
type Template interface {
	Execute(w io.Writer, data any) error
}

// Write writes a page, with few writes.
func Write(w io.Writer, t Template, data any) error {
	out := bufio.NewWriterSize(w, 1<<16)
	err := t.Execute(out, data)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}
