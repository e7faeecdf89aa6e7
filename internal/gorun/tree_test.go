package gorun

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The go tool refuses overlays of what lies in the module cache.
func TestTreeInModuleCacheIsReachedByALink(t *testing.T) {
	cache, modcache := t.TempDir(), t.TempDir()
	root := filepath.Join(modcache, "golang.org", "toolchain@v0.0.1-go1.27.4.linux-amd64")
	writeFile(t, filepath.Join(root, "VERSION"), "go1.27.4")
	for range 2 {
		got, err := findTree(goEnv{GOROOT: root, GOMODCACHE: modcache, GOVERSION: "go1.27.4"}, cache)
		if err != nil {
			t.Fatal(err)
		}
		if got.root != root || filepath.Dir(filepath.Dir(got.path())) != cache {
			t.Errorf("got %+v, want a path in %s", got, cache)
		}
		if data, err := os.ReadFile(filepath.Join(got.path(), "VERSION")); string(data) != "go1.27.4" || err != nil {
			t.Errorf("the link leads to %q, %v", data, err)
		}
	}
	for _, elsewhere := range []string{"/usr/local/go", modcache + "-not"} {
		if got, err := findTree(goEnv{GOROOT: elsewhere, GOMODCACHE: modcache}, cache); got.path() != elsewhere || err != nil {
			t.Errorf("%s is reached by %s, %v", elsewhere, got.path(), err)
		}
	}
}

func TestRealGoPassesOverShims(t *testing.T) {
	shim, empty, real := t.TempDir(), t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(shim, shimMark), "")
	for _, dir := range []string{shim, real} {
		if err := os.Chmod(writeFile(t, filepath.Join(dir, "go"), ""), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, filepath.Join(empty, "go"), "") // may not be executed
	got, err := realGo(shim + ":" + empty + ":" + real)
	if want := filepath.Join(real, "go"); got != want || err != nil {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if got, err := realGo(shim + ":" + empty); err == nil {
		t.Errorf("found %s where there is none", got)
	}
}

func TestMainModules(t *testing.T) {
	dir := t.TempDir()
	mod := writeFile(t, filepath.Join(dir, "a", "go.mod"), "module example.com/a // a comment\ngo 1.26\n")
	writeFile(t, filepath.Join(dir, "b", "go.mod"), "module \"example.com/b\"\n")
	work := writeFile(t, filepath.Join(dir, "go.work"), "go 1.26\nuse ./a\nuse (\n\t./b\n\t./missing\n)\n")
	a, b := Module{"example.com/a", filepath.Join(dir, "a")}, Module{"example.com/b", filepath.Join(dir, "b")}
	for name, c := range map[string]struct {
		env  goEnv
		want []Module
	}{
		"module":       {goEnv{GOMOD: mod}, []Module{a}},
		"workspace":    {goEnv{GOMOD: mod, GOWORK: work}, []Module{a, b}},
		"workspaceOff": {goEnv{GOMOD: mod, GOWORK: "off"}, []Module{a}},
		"no module":    {goEnv{GOMOD: os.DevNull}, nil},
		"GOPATH":       {goEnv{}, nil},
	} {
		if diff := cmp.Diff(c.want, c.env.mainModules()); diff != "" {
			t.Errorf("%s\n%s", name, diff)
		}
	}
}
