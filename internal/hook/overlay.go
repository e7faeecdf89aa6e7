package hook

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// EnvDir names the environment variable that starts the counter of a hooked
// program: an absolute directory, in which it leaves PID.NANOTIME.allocs.
const EnvDir = "ALLOCTOP_COUNTERS"

// Marker is in the bytes of every program that was built with the hook.
const Marker = "alloctop counting hook 1"

//go:embed _runtime/*.go _testing/*.go
var added embed.FS

// Overlay makes the overlay that puts the hook into the Go tree at goroot and
// returns the path of the file for go build's -overlay flag. It lies in a
// directory below cacheDir that is named by its content, so that a tree is
// patched once; several processes may do so at the same time. The tree itself
// is only read.
//
// The error says what the tree lacks when it is not one that the hook knows:
// Go 1.26 and 1.27 are.
func Overlay(goroot, cacheDir string) (overlayFile string, err error) {
	goroot, err = filepath.Abs(goroot)
	if err != nil {
		return "", err
	}
	cacheDir, err = filepath.Abs(cacheDir)
	if err != nil {
		return "", err
	}
	files, err := patched(goroot)
	if err != nil {
		return "", fmt.Errorf("no counting hook for the Go tree %s: %w", goroot, err)
	}
	sum := sha256.New()
	fmt.Fprintln(sum, goroot)
	for _, f := range files {
		fmt.Fprintln(sum, f.name, len(f.text))
		sum.Write(f.text)
	}
	dir := filepath.Join(cacheDir, "overlay-"+hex.EncodeToString(sum.Sum(nil))[:16])
	overlayFile = filepath.Join(dir, "overlay.json")
	if _, err := os.Stat(overlayFile); err == nil {
		return overlayFile, nil
	}
	return overlayFile, write(dir, goroot, files)
}

// treeFile is a file that replaces one of a Go tree, or is added to it.
type treeFile struct {
	name string // below src, with slashes
	text []byte
}

// patched returns the edited and added files for a tree.
func patched(goroot string) ([]treeFile, error) {
	files, err := patchAllocator(goroot)
	if err != nil {
		return nil, err
	}
	for _, p := range patches {
		s, err := readSource(filepath.Join(goroot, "src", filepath.FromSlash(p.file)))
		if err != nil {
			return nil, err
		}
		if err := p.edit(s); err != nil {
			return nil, err
		}
		files = append(files, treeFile{p.file, s.bytes()})
	}
	err = fs.WalkDir(added, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := added.ReadFile(name)
		files = append(files, treeFile{strings.TrimPrefix(name, "_"), text})
		return err
	})
	return files, err
}

// patchAllocator hooks the allocator functions in all files of package
// runtime.
func patchAllocator(goroot string) (files []treeFile, err error) {
	names, err := filepath.Glob(filepath.Join(goroot, "src", "runtime", "*.go"))
	if err != nil {
		return nil, err
	}
	hooked := map[string]bool{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(name, "_test.go") || !bytes.Contains(text, []byte("mp.mallocing = 0")) || bytes.Contains(text, []byte("\n//go:build ignore\n")) {
			continue
		}
		s, err := readSource(name)
		if err != nil {
			return nil, err
		}
		if s.tree.Name.Name != "runtime" {
			continue
		}
		functions, err := allocatorFunctions(s)
		if err != nil {
			return nil, err
		}
		for _, f := range functions {
			hooked[f] = true
		}
		files = append(files, treeFile{path.Join("runtime", filepath.Base(name)), s.bytes()})
	}
	return files, checkAllocators(goroot, hooked)
}

// write makes the directory beside its place and renames it: it is whole or
// not there.
func write(dir, goroot string, files []treeFile) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	replace := map[string]string{}
	for _, f := range files {
		flat := strings.ReplaceAll(f.name, "/", "_")
		if err := os.WriteFile(filepath.Join(tmp, flat), f.text, 0o666); err != nil {
			return err
		}
		replace[filepath.Join(goroot, "src", filepath.FromSlash(f.name))] = filepath.Join(dir, flat)
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(tmp, "overlay.json"), text, 0o666); err != nil {
		return err
	}
	if err := os.Chmod(tmp, 0o777); err != nil {
		return err
	}
	err = os.Rename(tmp, dir)
	if _, statErr := os.Stat(filepath.Join(dir, "overlay.json")); statErr == nil {
		return nil // perhaps made by another process meanwhile: the same
	}
	return errors.Join(err)
}

func errNoPlace(s *source, what string) error {
	return fmt.Errorf("%s: no place to hook %s", s.name, what)
}
