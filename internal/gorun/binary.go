package gorun

import (
	"bytes"
	"debug/buildinfo"
	"os"
)

// Binary is what a compiled Go program says of itself.
type Binary struct {
	Path   string // of the file
	Main   string // import path of its main package
	Go     string // version that built it
	Hooked bool   // it carries the counting hook
}

// hookFunction is in the table of function names of every hooked program,
// which also a stripped one has, between the zeros that end names there. The
// name alone is also in programs that contain the hook's source, like alloctop.
var hookFunction = []byte("\x00runtime.alloctopCount\x00")

// ReadBinary reads a Go program. It fails for what is none.
func ReadBinary(path string) (Binary, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return Binary{}, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return Binary{}, err
	}
	return Binary{Path: path, Main: info.Path, Go: info.GoVersion, Hooked: bytes.Contains(data, hookFunction)}, nil
}
