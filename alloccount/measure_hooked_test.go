//go:build !race

package alloccount

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alloctop/alloctop/callsite"
	"github.com/alloctop/alloctop/internal/counterfile"
	"github.com/alloctop/alloctop/internal/hook"
)

// hookedTests builds the tests of this package with the counting hook.
func hookedTests(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	overlay, err := hook.Overlay(strings.TrimSpace(string(out)), dir)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "alloccount.test")
	if out, err := exec.Command("go", "test", "-c", "-vet=off", "-p=2", "-overlay", overlay, "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// runTests runs tests in a program that hookedTests has built.
func runTests(t *testing.T, program, pattern string, env ...string) {
	t.Helper()
	cmd := exec.Command(program, "-test.run", pattern, "-test.v")
	if testing.Short() {
		cmd.Args = append(cmd.Args, "-test.short")
	}
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("\n--- PASS: ")) || bytes.Contains(out, []byte("\n--- SKIP: ")) {
		t.Errorf("%s: %v\n%s", pattern, err, out)
	}
}

// TestHooked runs what is tested here in a program that has the counting hook:
// there every number is exact.
func TestHooked(t *testing.T) {
	if hooked() {
		return // in that very program
	}
	program := hookedTests(t)
	runTests(t, program, "^Test(Measure|Constructs|Benchmark|PerRecord)", hook.EnvDir+"=")

	// Under alloctop, which counts the process as a whole, Measures are scopes
	// of its report.
	dir := t.TempDir()
	runTests(t, program, "^Test(Measure|Constructs|Benchmark|PerRecord)", hook.EnvDir+"="+dir)
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("counter files %q, %v", files, err)
	}
	c, err := counterfile.Read(files[0])
	if err != nil {
		t.Fatal(err)
	}
	r := mustReport(t, mustProfile(t, ScopeOptions{Rules: callsite.Rules{Modules: callerOfMeasure().modules}}, c), ReportOptions{})
	for _, want := range []struct {
		name             string
		objects, records int64
	}{
		{"several", 220, 200}, // of TestMeasureForCommand
		{"around", 22 + 110, 20},
		{"within", 110, 100},
	} {
		found := 0
		for _, s := range r.Scopes {
			if s.Name != want.name {
				continue
			}
			found++
			if s.Kind != KindMeasure || s.Package != ownPackage || ownObjects(s) != want.objects || s.Records != want.records || s.Attributed != 1 {
				t.Errorf("%s: %d objects, %d records, %v attributed", s.Name, ownObjects(s), s.Records, s.Attributed)
			}
		}
		if found != 1 {
			t.Errorf("%d scopes of the name %s", found, want.name)
		}
	}
}

// TestMeasureForCommand makes the Measures that TestHooked looks for.
func TestMeasureForCommand(t *testing.T) {
	for range 2 {
		mustMeasure(t, MeasureOptions{Label: "several"}, func() (int, error) { return parse(100) })
	}
	mustMeasure(t, MeasureOptions{Label: "around"}, func() (int, error) {
		mustMeasureQuietly(MeasureOptions{Label: "within"}, func() (int, error) { return parse(100) })
		return parse(20)
	})
}
