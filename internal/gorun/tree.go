package gorun

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// shimMark is a file beside a go command that is alloctop's own, so that the
// real one can be told from it, also when one alloctop runs inside another.
const shimMark = ".alloctop"

// realGo finds the go tool in a PATH, passing over alloctop's own.
func realGo(path string) (string, error) {
	for _, dir := range filepath.SplitList(path) {
		if dir == "" {
			dir = "."
		}
		file := filepath.Join(dir, "go")
		info, err := os.Stat(file)
		if err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, shimMark)); err == nil {
			continue
		}
		return filepath.Abs(file)
	}
	return "", errors.New("there is no go command in PATH; install Go, or add its bin directory")
}

// goEnv is what the go tool says of a directory.
type goEnv struct {
	GOROOT, GOVERSION, GOMODCACHE, GOFLAGS, GOCACHE      string
	GOOS, GOARCH, GOEXPERIMENT, GOAMD64, CGO_ENABLED     string
	GOMOD, GOWORK                                        string
	CC, CGO_CFLAGS, CGO_CPPFLAGS, CGO_LDFLAGS, GOFIPS140 string
}

var goEnvNames = strings.Fields("GOROOT GOVERSION GOMODCACHE GOFLAGS GOCACHE GOOS GOARCH GOEXPERIMENT GOAMD64 CGO_ENABLED" +
	" GOMOD GOWORK CC CGO_CFLAGS CGO_CPPFLAGS CGO_LDFLAGS GOFIPS140")

// readGoEnv asks the go tool for the environment of the directory: toolchain
// lines and GOTOOLCHAIN choose the tree that answers.
func readGoEnv(goTool, dir string, env []string) (goEnv, error) {
	cmd := exec.Command(goTool, append([]string{"env", "-json"}, goEnvNames...)...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && len(exit.Stderr) > 0 {
			err = errors.New(firstLine(string(exit.Stderr)))
		}
		return goEnv{}, fmt.Errorf("%s env: %w", goTool, err)
	}
	var e goEnv
	if err := json.Unmarshal(out, &e); err != nil {
		return goEnv{}, fmt.Errorf("%s env: %w", goTool, err)
	}
	return e, nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// tree is a Go tree as a build is to use it.
type tree struct {
	root   string // GOROOT
	mirror string // another path to the same tree, "" if root will do
}

// path returns the path that builds use.
func (t tree) path() string {
	if t.mirror != "" {
		return t.mirror
	}
	return t.root
}

// findTree returns the tree of the environment. The go tool refuses overlays
// of files in the module cache, where trees that a toolchain line chose lie:
// those are reached by a link in alloctop's cache.
func findTree(e goEnv, cacheDir string) (tree, error) {
	t := tree{root: e.GOROOT}
	if rel, err := filepath.Rel(e.GOMODCACHE, e.GOROOT); err != nil || e.GOMODCACHE == "" || !filepath.IsLocal(rel) {
		return t, nil
	}
	sum := sha256.Sum256([]byte(t.root))
	t.mirror = filepath.Join(cacheDir, "trees", fmt.Sprintf("%s-%x", e.GOVERSION, sum[:4]))
	return t, link(t.root, t.mirror)
}

// link makes a symbolic link, replacing one that points elsewhere.
func link(target, path string) error {
	if old, err := os.Readlink(path); err == nil && old == target {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	tmp := fmt.Sprintf("%s.%d", path, os.Getpid())
	if err := os.Symlink(target, tmp); err != nil {
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		os.Remove(tmp)
		return err
	}
	return nil
}
