package stock

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// Lines in stack traces of package testing are those of the tree.
func TestOverlayMovesNoLine(t *testing.T) {
	root, cache := goroot(t), t.TempDir()
	file, err := Overlay(root, cache)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var overlay struct{ Replace map[string]string }
	if err := json.Unmarshal(data, &overlay); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(root, "src", "testing", "testing.go")
	old, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	patched, err := os.ReadFile(overlay.Replace[name])
	if err != nil {
		t.Fatal(err)
	}
	if rest := bytes.Replace(patched, []byte(writeTotals), nil, 1); !bytes.Equal(rest, old) || bytes.Equal(patched, old) {
		t.Error("the patched file is not the tree's with one statement more")
	}
	if strings.Contains(writeTotals, "\n") {
		t.Error("the statement has more than one line")
	}
	if again, err := Overlay(root, cache); again != file || err != nil {
		t.Errorf("the second call made %s, %v, the first %s", again, err, file)
	}
}

func TestOverlayRefusesOtherTrees(t *testing.T) {
	root := t.TempDir()
	if file, err := Overlay(root, t.TempDir()); err == nil {
		t.Errorf("an empty tree has the overlay %s", file)
	}
	dir := filepath.Join(root, "src", "testing")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "testing.go"), []byte("package testing\n\nfunc writeProfiles() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if file, err := Overlay(root, t.TempDir()); err == nil {
		t.Errorf("a tree without the method has the overlay %s", file)
	}
}

func TestReadTotals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "totals")
	write := func(s string) {
		if err := os.WriteFile(path, []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("3880898 99235872\n")
	if objects, bytes, err := ReadTotals(path); objects != 3880898 || bytes != 99235872 || err != nil {
		t.Errorf("got %d, %d, %v", objects, bytes, err)
	}
	for _, cut := range []string{"", "388", "388 ", "388 99"} { // without its end, the last number may be cut
		write(cut)
		if objects, bytes, err := ReadTotals(path); err == nil {
			t.Errorf("%q was read as %d, %d", cut, objects, bytes)
		}
	}
}
