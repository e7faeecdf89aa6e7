package hook

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The overlay names files that exist, for files of the tree or beside them,
// and the tree stays as it is.
func TestOverlay(t *testing.T) {
	for _, release := range []string{"1.26", "1.27"} {
		t.Run(release, func(t *testing.T) {
			root := goTree(t, release).root
			before := stamps(t, root)
			file, err := Overlay(root, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			replace := readOverlay(t, file)
			for from, to := range replace {
				if !strings.HasPrefix(from, filepath.Join(root, "src")+"/") || filepath.Dir(to) != filepath.Dir(file) {
					t.Errorf("%s is replaced by %s", from, to)
				}
				if _, err := os.Stat(to); err != nil {
					t.Error(err)
				}
				checkLines(t, from, to)
			}
			if replace[filepath.Join(root, "src/runtime/malloc.go")] == "" || replace[filepath.Join(root, "src/testing/benchmark.go")] == "" {
				t.Errorf("malloc.go or benchmark.go is not replaced: %v", replace)
			}
			if d := cmp.Diff(before, stamps(t, root)); d != "" {
				t.Errorf("the Go tree changed (-before +after):\n%s", d)
			}
		})
	}
}

// checkLines sees that every function of a patched file, and the copy of one,
// begins and ends in the line where it does in the original, so that positions
// in stack traces stay true.
func checkLines(t *testing.T, from, to string) {
	t.Helper()
	if _, err := os.Stat(from); os.IsNotExist(err) {
		return // added
	}
	old, patched := functionLines(t, from), functionLines(t, to)
	for name, lines := range patched {
		original := strings.TrimSuffix(name, copySuffix)
		if old[original] != lines {
			t.Errorf("%s: %s is in lines %v, %s was in %v", from, name, lines, original, old[original])
		}
	}
	for name := range old {
		if patched[name] == [2]int{} {
			t.Errorf("%s: %s is gone", from, name)
		}
	}
}

// functionLines returns the first and the last line of each function.
func functionLines(t *testing.T, file string) map[string][2]int {
	t.Helper()
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string][2]int{}
	for _, d := range tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name != "_" && f.Name.Name != "init" {
			name := f.Name.Name
			if f.Recv != nil {
				name = receiver(f) + "." + name
			}
			lines[name] = [2]int{fset.Position(f.Pos()).Line, fset.Position(f.End()).Line}
		}
	}
	return lines
}

// stamps are the sizes and times of the files that the overlay is made from.
func stamps(t *testing.T, root string) map[string]string {
	t.Helper()
	m := map[string]string{}
	for _, dir := range []string{"src/runtime", "src/testing"} {
		err := filepath.WalkDir(filepath.Join(root, dir)+"/", func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			m[name] = fmt.Sprint(info.Size(), info.ModTime(), info.Mode())
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func readOverlay(t *testing.T, file string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var overlay struct{ Replace map[string]string }
	if err := json.Unmarshal(data, &overlay); err != nil {
		t.Fatal(err)
	}
	return overlay.Replace
}

// Many at once make one overlay, and a second call finds it.
func TestOverlayAtOnce(t *testing.T) {
	root, cache := goTree(t, "1.26").root, t.TempDir()
	files := make([]string, 8)
	var wg sync.WaitGroup
	for i := range files {
		wg.Go(func() {
			file, err := Overlay(root, cache)
			if err != nil {
				t.Error(err)
				return
			}
			for _, to := range readOverlay(t, file) {
				if _, err := os.Stat(to); err != nil {
					t.Error(err)
				}
			}
			files[i] = file
		})
	}
	wg.Wait()
	for _, f := range files {
		if f != files[0] {
			t.Errorf("overlays %s and %s of one tree", files[0], f)
		}
	}
	entries, err := os.ReadDir(cache)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 {
		t.Errorf("the cache holds %v, want one overlay", entries)
	}
	info, err := os.Stat(files[0])
	if err != nil {
		t.Fatal(err)
	}
	again, err := Overlay(root, cache)
	if err != nil || again != files[0] {
		t.Errorf("again: %s, %v", again, err)
	}
	if now, err := os.Stat(files[0]); err != nil || !now.ModTime().Equal(info.ModTime()) {
		t.Errorf("written again: %v", err)
	}
}

// A tree without one of the places is refused, and the error names it: an
// allocation path that is not counted would make every number wrong.
func TestOverlayOfAnUnknownTree(t *testing.T) {
	for _, c := range []struct {
		name, file, old, new string
		want                 []string
	}{
		{"allocator renamed", "runtime/malloc.go", "func mallocgcLarge(", "func allocLarge(", []string{"unknown allocator function allocLarge"}},
		{"allocator gone", "runtime/malloc.go", "func mallocgcLarge(", "func mallocgcHuge(", []string{"no allocator function mallocgcLarge"}},
		{"a new one that does not say its slot", "runtime/malloc.go", "func mallocgcLarge(", "func mallocgcNew(mp *m, size uintptr) {\n\tmp.mallocing = 0\n}\n\nfunc mallocgcLarge(", []string{"mallocgcNew", "does not say what it allocates"}},
		{"another that allocates", "runtime/malloc.go", "func mallocgcLarge(", "func otherAlloc(mp *m) {\n\tmp.mallocing = 0\n}\n\nfunc mallocgcLarge(", []string{"unknown allocator function otherAlloc"}},
		{"a new one in a new file", "runtime/malloc_new.go", "", "package runtime\n\nfunc newAlloc(mp *m) {\n\tmp.mallocing = 0\n}\n", []string{"malloc_new.go", "unknown allocator function newAlloc"}},
		{"no exit hooks", "runtime/proc.go", "func runExitHooks(", "func runHooks(", []string{"runExitHooks"}},
		{"no exec", "runtime/proc.go", "func syscall_runtime_BeforeExec(", "func beforeExec(", []string{"syscall_runtime_BeforeExec"}},
		{"no P", "runtime/runtime2.go", "type p struct {", "type proc struct {", []string{"no struct type p"}},
		{"no StartTimer", "testing/benchmark.go", "func (b *B) StartTimer(", "func (b *B) Start(", []string{"StartTimer"}},
		{"no reading in StopTimer", "testing/benchmark.go", "b.duration += highPrecisionTimeSince(b.start)\n\t\truntime.ReadMemStats(&memStats)", "b.duration += highPrecisionTimeSince(b.start)", []string{"runtime.ReadMemStats(&memStats)"}},
		{"no tRunner", "testing/testing.go", "func tRunner(", "func runT(", []string{"tRunner"}},
		{"no Go", "runtime/malloc.go", "package runtime", "packge runtime", []string{"malloc.go"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, cache := copyTree(t, goTree(t, "1.26").root), t.TempDir()
			name := filepath.Join(root, "src", c.file)
			data, err := os.ReadFile(name)
			if err != nil && c.old != "" {
				t.Fatal(err)
			}
			text := strings.Replace(string(data), c.old, c.new, 1)
			if text == string(data) {
				t.Fatalf("%s has no %q", name, c.old)
			}
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			file, err := Overlay(root, cache)
			if err == nil {
				t.Fatalf("made %s", file)
			}
			for _, want := range append(c.want, "no counting hook for the Go tree "+root) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
			if left, _ := os.ReadDir(cache); len(left) != 0 {
				t.Errorf("left %v", left)
			}
		})
	}
	if _, err := Overlay(t.TempDir(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "no counting hook for the Go tree") {
		t.Errorf("an empty tree: %v", err)
	}
}

// copyTree copies the packages of a Go tree that are patched.
func copyTree(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	for _, dir := range []string{"src/runtime", "src/testing"} {
		names, err := filepath.Glob(filepath.Join(from, dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(to, dir), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err == nil {
				err = os.WriteFile(filepath.Join(to, dir, filepath.Base(name)), data, 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return to
}

// Where there is no counter, the patched runtime compiles all the same.
func TestOtherSystemsCompile(t *testing.T) {
	needMatrix(t)
	for _, release := range []string{"1.26", "1.27"} {
		for _, system := range []string{"linux/arm64", "darwin/arm64", "windows/amd64", "linux/386"} {
			t.Run(release+"/"+strings.ReplaceAll(system, "/", "-"), func(t *testing.T) {
				tr := goTree(t, release)
				file, err := Overlay(tr.root, t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				goos, goarch, _ := strings.Cut(system, "/")
				cmd := exec.Command(filepath.Join(tr.root, "bin", "go"), "build", "-p", "2", "-overlay", file, "-o", filepath.Join(t.TempDir(), "guest"), "./recursive")
				cmd.Dir = "testdata/prog"
				cmd.Env = append(tr.env, "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}
