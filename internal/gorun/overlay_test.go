package gorun

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func writeFile(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMergeOverlays(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	ours := writeFile(t, filepath.Join(dir, "ours.json"), `{"Replace": {"/go/src/runtime/malloc.go": "/cache/malloc.go"}}`)
	writeFile(t, filepath.Join(dir, "mod", "theirs.json"), `{"Replace": {"a.go": "b.go", "/x/gone.go": "", "/x/c.go": "sub/c.go"}}`)
	merged, err := mergeOverlays(ours, "theirs.json", filepath.Join(dir, "mod"), out)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(merged)
	if err != nil {
		t.Fatal(err)
	}
	var got overlayFile
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"/go/src/runtime/malloc.go":       "/cache/malloc.go",
		filepath.Join(dir, "mod", "a.go"): filepath.Join(dir, "mod", "b.go"),
		"/x/gone.go":                      "",
		"/x/c.go":                         filepath.Join(dir, "mod", "sub", "c.go"),
	}
	if diff := cmp.Diff(want, got.Replace); diff != "" {
		t.Error(diff)
	}
}

// The same file under two names is the same file.
func TestMergeOverlaysSeesCollisionThroughLink(t *testing.T) {
	dir := t.TempDir()
	tree := filepath.Join(dir, "tree")
	writeFile(t, filepath.Join(tree, "malloc.go"), "")
	if err := os.Symlink(tree, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	ours := writeFile(t, filepath.Join(dir, "ours.json"), `{"Replace": {"`+dir+`/link/malloc.go": "/cache/malloc.go"}}`)
	theirs := writeFile(t, filepath.Join(dir, "theirs.json"), `{"Replace": {"tree/malloc.go": "mine.go"}}`)
	_, err := mergeOverlays(ours, theirs, dir, dir)
	var c collisionError
	if !errors.As(err, &c) {
		t.Fatalf("got %v, want a collision", err)
	}
	if diff := cmp.Diff([]string{filepath.Join(tree, "malloc.go")}, c.files); diff != "" {
		t.Error(diff)
	}
}

// An alloctop around this one has put the same hook into GOFLAGS.
func TestMergeOverlaysTakesTheSameTwice(t *testing.T) {
	dir := t.TempDir()
	ours := writeFile(t, filepath.Join(dir, "ours.json"), `{"Replace": {"/go/src/runtime/malloc.go": "/cache/malloc.go"}}`)
	if _, err := mergeOverlays(ours, ours, dir, dir); err != nil {
		t.Error(err)
	}
}

func TestMergeOverlaysRefusesWhatTheGoToolRefuses(t *testing.T) {
	dir := t.TempDir()
	ours := writeFile(t, filepath.Join(dir, "ours.json"), `{"Replace": {}}`)
	for name, text := range map[string]string{"empty.json": "", "broken.json": `{"Replace": `} {
		theirs := writeFile(t, filepath.Join(dir, name), text)
		if path, err := mergeOverlays(ours, theirs, dir, dir); err == nil {
			t.Errorf("%s was merged into %s", name, path)
		}
	}
	if path, err := mergeOverlays(ours, "not-there.json", dir, dir); err == nil {
		t.Errorf("a missing overlay was merged into %s", path)
	}
}
