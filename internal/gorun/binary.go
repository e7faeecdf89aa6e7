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

// ReadBinary reads a Go program. It fails for what is none.
func ReadBinary(path string) (Binary, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return Binary{}, err
	}
	hooked, err := hasFunction(path, "runtime.alloctopCount")
	return Binary{Path: path, Main: info.Path, Go: info.GoVersion, Hooked: hooked}, err
}

// hasFunction reports whether a function is linked into a program: its name is
// in the table of function names, which also a stripped program has, between
// the zeros that end names there. The name alone is also in programs that
// contain the hook's source, like alloctop.
func hasFunction(path, name string) (bool, error) {
	data, err := os.ReadFile(path)
	return bytes.Contains(data, []byte("\x00"+name+"\x00")), err
}
