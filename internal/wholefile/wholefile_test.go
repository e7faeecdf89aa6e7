package wholefile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// only checks that dir holds the one file, with the text.
func only(t *testing.T, dir, name, want string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name() != name {
		t.Errorf("the directory holds %v, want %s only", entries, name)
	}
	if got, err := os.ReadFile(filepath.Join(dir, name)); string(got) != want || err != nil {
		t.Errorf("%s holds %q, %v, want %q", name, got, err, want)
	}
}

func TestWriteMakesAndReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	for _, s := range []string{"first", "second", strings.Repeat("long", 10000)} {
		if err := Write(path, text(s)); err != nil {
			t.Fatal(err)
		}
		only(t, dir, "f", s)
	}
}

func TestWriteKeepsWhatWasThereAfterAnError(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := Write(path, text("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := Write(path, func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("half", 10000))
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want the writer's error", err)
	}
	only(t, dir, "f", "old")
}

func TestWriteKeepsPermissionsAndLinks(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	target, link := filepath.Join(dir, "f"), filepath.Join(other, "link")
	if err := os.WriteFile(target, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, text("new")); err != nil {
		t.Fatal(err)
	}
	only(t, dir, "f", "new")
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v, %v, want 0600", info.Mode(), err)
	}
	if to, err := os.Readlink(link); to != target || err != nil {
		t.Errorf("the link is %q, %v", to, err)
	}
}

func TestWriteNamesTheFileInItsError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "f")
	if err := Write(path, text("x")); err == nil || !strings.Contains(err.Error(), path+":") {
		t.Errorf("got %v, want an error that names %s", err, path)
	}
}
