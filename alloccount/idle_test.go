package alloccount

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestIdle: a program that imports this package and measures nothing pays for
// no goroutine and no initialization, and has no server, terminal, browser or
// part of a compiler linked in.
func TestIdle(t *testing.T) {
	program := filepath.Join(t.TempDir(), "idle")
	if out, err := exec.Command("go", "build", "-o", program, "./testdata/idle").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var stdout, trace bytes.Buffer
	cmd := exec.Command(program)
	cmd.Env = append(cmd.Environ(), "GODEBUG=inittrace=1")
	cmd.Stdout, cmd.Stderr = &stdout, &trace
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, trace.String())
	}
	if stdout.String() != "1 goroutine\n" {
		t.Errorf("it printed %q", stdout.String())
	}
	if !strings.Contains(trace.String(), "init runtime @") {
		t.Errorf("no trace of initialization:\n%s", trace.String())
	}
	if own := regexp.MustCompile(`init github\.com/alloctop/.*`).FindAllString(trace.String(), -1); own != nil {
		t.Errorf("packages of this module are initialized: %q", own)
	}
	out, err := exec.Command("go", "list", "-deps", "./testdata/idle").Output()
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range strings.Lines(string(out)) {
		pkg = strings.TrimSpace(pkg)
		first, _, _ := strings.Cut(pkg, "/")
		ours := strings.HasPrefix(pkg, "github.com/alloctop/alloctop/") || pkg == "github.com/google/pprof/profile"
		if first == "net" || first == "go" || pkg == "embed" || pkg == "os/exec" || strings.Contains(first, ".") && !ours {
			t.Errorf("%s is linked in", pkg)
		}
	}
}
