package callsite

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alloctop/alloctop/internal/testneed"
)

func TestEachCauseIsExplained(t *testing.T) {
	explained := make(map[string]bool)
	for _, m := range means {
		if explained[m.cause] || m.text == "" {
			t.Errorf("%q is explained twice, or by nothing", m.cause)
		}
		explained[m.cause] = true
	}
	used := map[string]bool{mapInsertion: true, runtimeItself: true}
	for _, e := range append(operations[:], services[:]...) {
		used[e.cause] = true
		if Explain(e.cause) == "" {
			t.Errorf("%q, the cause for %s, is not explained", e.cause, e.prefix)
		}
		if Explain(e.cause+byReflection) == "" {
			t.Errorf("%q is not explained", e.cause+byReflection)
		}
	}
	for cause := range explained {
		if !used[cause] {
			t.Errorf("%q is explained, but is no cause", cause)
		}
	}
	if got, want := Explain("call of runtime.Stack"), "something that runtime.Stack needed"; got != want {
		t.Errorf("a call of runtime.Stack is explained by %q, want %q", got, want)
	}
	if got := Explain("weather"); got != "" {
		t.Errorf("weather is explained by %q", got)
	}
}

var linkname = regexp.MustCompile(`^//go:linkname \w+ (\S+\.\S+)$`)

// runtimeKeys returns the keys of all functions of the runtime in the Go tree
// that runs the test, and whether they call the allocator directly.
func runtimeKeys(t *testing.T) map[string]bool {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatalf("go env GOROOT: %v", err)
	}
	keys := make(map[string]bool)
	for _, pkg := range []string{"runtime", "internal/runtime/maps"} {
		dir := filepath.Join(strings.TrimSpace(string(out)), "src", pkg)
		p, err := build.ImportDir(dir, 0)
		if err != nil {
			testneed.Missing(t, fmt.Sprintf("no source of the runtime: %v; install a Go distribution that has it", err))
		}
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok {
					k := key(Frame{Function: symbol(pkg, f)})
					keys[k] = keys[k] || callsAllocator(f)
				}
			}
		}
	}
	return keys
}

// symbol returns the name that a function of pkg has in stacks.
func symbol(pkg string, f *ast.FuncDecl) string {
	if f.Doc != nil {
		for _, c := range f.Doc.List {
			if m := linkname.FindStringSubmatch(c.Text); m != nil {
				return m[1]
			}
		}
	}
	if f.Recv != nil {
		if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
			if id, ok := star.X.(*ast.Ident); ok {
				return pkg + ".(*" + id.Name + ")." + f.Name.Name
			}
		}
	}
	return pkg + "." + f.Name.Name
}

// unreflected returns key as the table of operations has it.
func unreflected(key string) string {
	return strings.TrimPrefix(strings.TrimPrefix(key, "reflect."), "internal/reflectlite.")
}

// A name that the runtime no longer has would leave its allocations without
// their cause.
func TestTablesNameFunctionsOfTheRuntime(t *testing.T) {
	keys := runtimeKeys(t)
	for _, e := range append(operations[:], services[:]...) {
		found := e.prefix == "rt0_go" // assembly
		for k := range keys {
			found = found || strings.HasPrefix(k, e.prefix) || strings.HasPrefix(unreflected(k), e.prefix)
		}
		if !found {
			t.Errorf("the runtime has no function that starts with %q", e.prefix)
		}
	}
}

// Whoever calls the allocator directly has a cause, so that a function that is
// new in a later Go does not go unnoticed.
func TestCallersOfTheAllocatorHaveCauses(t *testing.T) {
	callers := 0
	for k, calls := range runtimeKeys(t) {
		if !calls {
			continue
		}
		callers++
		if !strings.HasPrefix(k, "mallocgc") && lookup(operations[:], unreflected(k)) == "" && lookup(services[:], k) == "" {
			t.Errorf("%s allocates, and has no cause", k)
		}
	}
	if callers < 20 {
		t.Errorf("only %d functions of the runtime call the allocator: the test does not see them", callers)
	}
}

func callsAllocator(f *ast.FuncDecl) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok {
				switch id.Name {
				case "mallocgc", "newobject", "newarray":
					found = true
				}
			}
		}
		return true
	})
	return found
}
