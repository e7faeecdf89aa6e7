package stock

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"

	"github.com/alloctop/alloctop/internal/wholefile"
)

// EnvTotals names the environment variable by which a test is told the file
// for the runtime's totals: Mallocs and TotalAlloc of runtime.MemStats, in
// decimal.
const EnvTotals = "ALLOCTOP_TOTALS"

// The statement stands on the first line of the function, so that no line
// moves, and needs no import that package testing does not have.
const writeTotals = ` if name := os.Getenv("` + EnvTotals + `"); name != "" { var m runtime.MemStats; runtime.ReadMemStats(&m);` +
	` os.WriteFile(name, fmt.Appendf(nil, "%d %d\n", m.Mallocs, m.TotalAlloc), 0o666) };`

// Overlay makes the overlay by which the tests of the Go tree at goroot write
// the runtime's totals just before their profiles, below cacheDir, and returns
// the path of its file. It fails when the tree's package testing has no such
// place.
func Overlay(goroot, cacheDir string) (overlayFile string, err error) {
	name := filepath.Join(goroot, "src", "testing", "testing.go")
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	at, err := profileWriter(name, text)
	if err != nil {
		return "", err
	}
	patched := bytes.Join([][]byte{text[:at], text[at:]}, []byte(writeTotals))
	sum := sha256.Sum256(append([]byte(name+"\n"), patched...))
	dir := filepath.Join(cacheDir, fmt.Sprintf("stock-%x", sum[:8]))
	overlayFile = filepath.Join(dir, "overlay.json")
	if _, err := os.Stat(overlayFile); err == nil {
		return overlayFile, nil
	}
	file := filepath.Join(dir, "testing.go")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{name: file}})
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	if err := write(file, patched); err != nil {
		return "", err
	}
	return overlayFile, write(overlayFile, overlay)
}

// profileWriter returns the offset behind the opening brace of the method of
// testing.M that writes the profiles (testing/testing.go, Go 1.26).
func profileWriter(name string, text []byte) (int, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return 0, err
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == "writeProfiles" {
			return fset.Position(f.Body.Lbrace).Offset + 1, nil
		}
	}
	return 0, fmt.Errorf("%s has no method that writes the profiles", name)
}

func write(path string, data []byte) error {
	return wholefile.Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
