package alloccount

import (
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/alloctop/alloctop/callsite"
)

// The functions of this package whose frames tell what an allocation is of.
const (
	ownPackage    = "github.com/alloctop/alloctop/alloccount"
	functionApart = ownPackage + ".apart"
	functionEdge  = ownPackage + ".atEdge"
	functionCall  = ownPackage + ".call"
	functionFirst = ownPackage + ".callFirst"
)

// caller is where a Measure was called, and what that tells of the program.
type caller struct {
	line    string // "parse.go:12"
	pkg     string // import path, of tests without _test
	main    string // import path of the program's package main, "" if unknown
	module  string // path of its main module, "" if unknown
	modules []callsite.Module
}

// callerOfMeasure returns where this package was called from.
func callerOfMeasure() caller {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	at, more := frames.Next()
	for more && strings.HasPrefix(at.Function, ownPackage+".") && !strings.HasSuffix(at.File, "_test.go") {
		at, more = frames.Next()
	}
	f := callsite.Frame{Function: callsite.Normalize(at.Function), File: at.File, Line: at.Line}
	c := caller{line: fmt.Sprintf("%s:%d", path.Base(f.File), f.Line), pkg: strings.TrimSuffix(f.Package(), "_test")}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = new(debug.BuildInfo)
	}
	c.main, c.module = info.Path, info.Main.Path
	if c.pkg == "main" && c.main != "" {
		c.pkg = strings.TrimSuffix(c.main, ".test")
	}
	c.modules = modulesOf(info, c.pkg, path.Dir(f.File))
	return c
}

// modulesOf returns the user's modules: the main one, those of the workspace,
// and of what calls from another one its package. Where the main module lies
// is known from the directory of the package if the package is in it.
func modulesOf(info *debug.BuildInfo, pkg, dir string) []callsite.Module {
	main := callsite.Module{Path: info.Main.Path}
	rest, inMain := strings.CutPrefix(pkg, main.Path)
	inMain = inMain && main.Path != "" && (rest == "" || rest[0] == '/')
	var modules []callsite.Module
	if inMain && path.IsAbs(dir) {
		if root, ok := strings.CutSuffix(dir, rest); ok {
			main.Dir = root
		}
	}
	if main.Path != "" {
		modules = append(modules, main)
	}
	if !inMain {
		modules = append(modules, callsite.Module{Path: pkg, Dir: dir})
	}
	for _, m := range info.Deps {
		if m.Version == "(devel)" && m.Replace == nil {
			modules = append(modules, callsite.Module{Path: m.Path})
		}
	}
	return modules
}
