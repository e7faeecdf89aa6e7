package callsite

import (
	"path"
	"slices"
	"strings"
)

// Rules say which code is the user's own, and how stacks come. The zero value
// knows of no user. Rules are only read, so they may be used from several
// goroutines at once.
type Rules struct {
	// Modules are the user's own: the main module, or those of the workspace.
	Modules []Module

	// Others are modules that are not the user's but may lie inside one that
	// is, in its directory or under its path: a nested module that is required
	// or replaced, or the Go tree as {std, GOROOT/src}. Dependencies in the
	// module cache or a vendor directory need not be named.
	Others []Module

	// Packages are import paths that are the user's besides, with their tests:
	// encoding/csv for `go test encoding/csv`. They must be in the standard
	// library or the module cache, where a directory is named as its package.
	Packages []string

	// Main is the import path of the process's package main, which function
	// names have as main only. It is used for Packages, and for Modules without
	// a directory.
	Main string

	// Stripped says that stacks come without the leading frames of the
	// runtime, as runtime/pprof writes heap profiles. Then it cannot be told
	// what made a new object from what else allocated, and the cause is "".
	Stripped bool
}

// Module is a Go module.
type Module struct {
	Path string // example.com/mod

	// Dir is its root directory, as the compiler saw it. Without one, because a
	// profile comes from another machine, the module is known by the import
	// paths of its packages. Of those, a closure can lie: one that Go 1.26 made
	// while inlining is named after the function that it was inlined into. A
	// program built with -trimpath has module paths in place of directories, so
	// that Path suffices.
	Dir string
}

// Owns reports whether f is the user's own code.
func (r Rules) Owns(f Frame) bool {
	if f.File == "" || isWrapper(f) {
		return false
	}
	if r.named(f) {
		return true
	}
	if !path.IsAbs(f.File) {
		// -trimpath leaves ./ before files that the go command was told by name.
		return strings.HasPrefix(f.File, "./") || r.trimmed(f.File)
	}
	if m, own := r.within(f.File); m != nil {
		return own
	}
	return r.imported(f)
}

// within returns the module in whose directory a file is, nil if it is in none.
// Of nested ones, it is the innermost.
func (r Rules) within(file string) (m *Module, own bool) {
	inside := func(m Module) int {
		if m.Dir == "" {
			return -1
		}
		dir := strings.TrimSuffix(m.Dir, "/")
		if rest, ok := strings.CutPrefix(file, dir); !ok || !strings.HasPrefix(rest, "/") {
			return -1
		}
		return len(dir)
	}
	m, own, n := r.longest(inside)
	return m, own && !foreign(file[max(n, 0):])
}

// trimmed reports whether a file of a program built with -trimpath is the
// user's: module/dir/file.go, or module@version/dir/file.go.
func (r Rules) trimmed(file string) bool {
	_, own, n := r.longest(func(m Module) int {
		rest, ok := strings.CutPrefix(file, m.Path)
		if !ok || m.Path == "" || rest == "" || rest[0] != '/' && rest[0] != '@' {
			return -1
		}
		return len(m.Path)
	})
	if !own {
		return false
	}
	if rest := file[n:]; rest[0] == '@' {
		n++
	}
	return !foreign(file[n:])
}

// foreign reports whether a file, relative to a module, is another module's
// all the same: it is vendored, or in a module cache inside the directory, or
// in a nested module of another version.
func foreign(file string) bool {
	dir := path.Dir(file) + "/"
	return strings.Contains(dir, "/vendor/") || strings.Contains(dir, "@")
}

// imported reports whether f is in a package of a module that has no directory.
func (r Rules) imported(f Frame) bool {
	if !slices.ContainsFunc(r.Modules, func(m Module) bool { return m.Dir == "" }) {
		return false // as nearly always, and names are slow to take apart
	}
	pkg := r.packageOf(f)
	m, own, n := r.longest(func(m Module) int {
		if rest, ok := strings.CutPrefix(pkg, m.Path); !ok || m.Path == "" || rest != "" && rest[0] != '/' {
			return -1
		}
		return len(m.Path)
	})
	return own && m.Dir == "" && strings.HasSuffix(path.Dir(f.File), pkg[n:])
}

// longest returns the module of the highest length, and whether it is the
// user's. It is nil if all lengths are negative.
func (r Rules) longest(length func(Module) int) (best *Module, own bool, n int) {
	n = -1
	for i := range r.Modules {
		if l := length(r.Modules[i]); l > n {
			best, own, n = &r.Modules[i], true, l
		}
	}
	for i := range r.Others {
		if l := length(r.Others[i]); l > n {
			best, own, n = &r.Others[i], false, l
		}
	}
	return best, own, n
}

// named reports whether f is in one of the packages that are the user's by
// name, and its file in a directory of that name: the name alone can lie, see
// Module.Dir.
func (r Rules) named(f Frame) bool {
	if len(r.Packages) == 0 {
		return false
	}
	pkg := r.packageOf(f)
	for _, p := range r.Packages {
		if p == pkg {
			return directoryName(pkg) == directoryName(path.Dir(f.File))
		}
	}
	return false
}

// packageOf returns the import path of f's package, of tests without _test.
func (r Rules) packageOf(f Frame) string {
	pkg := f.Package()
	if pkg == "main" && r.Main != "" {
		return r.Main
	}
	return strings.TrimSuffix(pkg, "_test")
}

// directoryName returns the last element of an import path or directory that
// is not a version: "bar" of example.com/bar/v2 and of /mod/example.com/bar@v1.2.3.
func directoryName(p string) string {
	last, _, _ := strings.Cut(path.Base(p), "@")
	if isMajor(last) {
		last, _, _ = strings.Cut(path.Base(path.Dir(p)), "@")
	}
	return last
}
