package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"unicode/utf8"

	"github.com/alloctop/alloctop/internal/plainerr"
)

// fileKind says what is in a file.
type fileKind int

const (
	profileFile   fileKind = iota // pprof, packed or not
	reportFile                    // JSON
	benchmarkFile                 // text, as go test -bench prints it
)

// input is a file that was named on the command line.
type input struct {
	io.Reader
	io.Closer
	name string
	kind fileKind
}

// openInput opens a file, "-" for standard input, and looks what is in it.
func (a *app) openInput(file string) (*input, error) {
	in := io.NopCloser(a.stdin)
	if file != "-" {
		opened, err := os.Open(file)
		if err != nil {
			return nil, plainerr.WithoutPath(err)
		}
		in = opened
	}
	r := bufio.NewReader(in)
	start, _ := r.Peek(256) // an error is met again in reading
	return &input{r, in, file, kindOf(start)}, nil
}

// kindOf tells what a file is by how it begins. A profile has bytes that no text
// has: gzip's, or the tags of its fields.
func kindOf(start []byte) fileKind {
	if bytes.HasPrefix(bytes.TrimLeft(start, " \t\r\n"), []byte("{")) {
		return reportFile
	}
	for i := 0; i < len(start); {
		r, size := utf8.DecodeRune(start[i:])
		cut := i+utf8.UTFMax > len(start) && !utf8.FullRune(start[i:])
		if r == utf8.RuneError && !cut || r < '\t' {
			return profileFile
		}
		i += size
	}
	return benchmarkFile
}
