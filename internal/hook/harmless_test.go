package hook

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A program cannot tell whether it is counted: descriptors, goroutines,
// signals, faults, arguments, streams and exit status are what they are in a
// plain build.
func TestHarmless(t *testing.T) {
	type seen struct {
		Stdout, Stderr string
		Status         int
	}
	look := func(t *testing.T, r run, bin string) seen {
		t.Helper()
		r.args, r.stdin = []string{"a", "b c"}, strings.Repeat("in\x00put\n", 10_000)
		o := r.of(t, bin)
		if counted := !r.off; counted {
			c := o.counters(t)
			if !slices.Contains(r.env, "GODEBUG=asyncpreemptoff=1") { // without a last reading, which would stop the world
				reconcile(t, c)
			}
			if d := cmp.Diff([]string{bin, "a", "b c"}, c.Args); d != "" {
				t.Errorf("arguments (-want +got):\n%s", d)
			}
			if c.Main != "prog/guest" || c.Module != "prog" || c.PID != o.state.Pid() || c.Parent != os.Getpid() {
				t.Errorf("main %q, module %q, process %d of %d", c.Main, c.Module, c.PID, c.Parent)
			}
		} else if len(o.files) != 0 {
			t.Errorf("a dormant hook left %v", o.files)
		}
		return seen{strings.Replace(o.stdout, "environment true", "environment false", 1), o.stderr, o.state.ExitCode()}
	}
	want := look(t, run{off: true}, program(t, plain, "guest"))
	if want.Status != 5 || !strings.Contains(want.Stdout, "nil pointer dereference") {
		t.Fatalf("the plain program: %+v", want)
	}
	for _, c := range []config{go126, go127} {
		for name, r := range map[string]run{
			"counting":      {},
			"dormant":       {off: true},
			"one processor": {env: []string{"GOMAXPROCS=1"}},
			"collecting":    {env: []string{"GOGC=1"}},
			"no preemption": {env: []string{"GODEBUG=asyncpreemptoff=1"}},
			"stacks kept":   {env: []string{"GODEBUG=gcshrinkstackoff=1"}},
		} {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				bin := program(t, c, "guest")
				if d := cmp.Diff(want, look(t, r, bin)); d != "" {
					t.Errorf("(-plain +hooked):\n%s", d)
				}
			})
		}
	}
}

// The marker tells hooked programs from plain ones, by their bytes alone.
func TestMarker(t *testing.T) {
	for _, c := range []config{plain, go126, go127} {
		data, err := os.ReadFile(program(t, c, "guest"))
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Contains(data, []byte(Marker)); got == c.plain {
			t.Errorf("%s: marker %v", c.name, got)
		}
	}
}

// The file is named as documented, and only its owner may read it.
func TestFileName(t *testing.T) {
	dir := t.TempDir()
	c, o := run{dir: dir, args: []string{"2", "1"}}.ok(t, program(t, go126, "recursive"))
	var pid, nanotime int
	if _, err := fmt.Sscanf(filepath.Base(o.files[0]), "%d.%d.allocs", &pid, &nanotime); err != nil || pid != c.PID {
		t.Errorf("name %s of process %d", o.files[0], c.PID)
	}
	info, err := os.Stat(o.files[0])
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}
