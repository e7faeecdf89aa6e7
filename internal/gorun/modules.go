package gorun

import (
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
)

// Module is one of the user's own modules: a main module of a directory that
// a go command ran in.
type Module struct {
	Path string
	Dir  string // absolute
}

// mainModules returns the main modules of the environment: the one of go.mod,
// or those of the workspace. What cannot be read is left out.
func (e goEnv) mainModules() []Module {
	if e.GOWORK == "" || e.GOWORK == "off" {
		return appendModule(nil, e.GOMOD)
	}
	data, err := os.ReadFile(e.GOWORK)
	if err != nil {
		return nil
	}
	work, err := modfile.ParseWork(e.GOWORK, data, nil)
	if err != nil {
		return nil
	}
	var mods []Module
	for _, use := range work.Use {
		dir := absIn(filepath.Dir(e.GOWORK), filepath.FromSlash(use.Path))
		mods = appendModule(mods, filepath.Join(dir, "go.mod"))
	}
	return mods
}

func appendModule(mods []Module, file string) []Module {
	if file == "" || file == os.DevNull {
		return mods
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return mods
	}
	if path := modfile.ModulePath(data); path != "" {
		mods = append(mods, Module{Path: path, Dir: filepath.Dir(file)})
	}
	return mods
}
