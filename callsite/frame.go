package callsite

import (
	"path"
	"strings"
)

// Frame is one call of a stack. Inlined calls are frames of their own.
type Frame struct {
	Function  string // normalised, see Normalize
	File      string // "" if unknown
	Line      int    // 0 if unknown
	StartLine int    // line of the func keyword, 0 if unknown
}

// Package returns the import path of the package that the function is in, ""
// if it is in none, as C and assembly are. It knows more than [Package]: where
// a dot could belong to the import path or follow it, the directory of the
// file tells.
func (f Frame) Package() string {
	dir, _, _ := strings.Cut(path.Base(path.Dir(f.File)), "@")
	if strings.Contains(dir, ".") {
		parent, last := splitPath(f.Function)
		for _, element := range []string{dir, dir + "_test"} {
			if strings.HasPrefix(last, element+".") {
				return parent + element
			}
		}
	}
	return Package(f.Function)
}
