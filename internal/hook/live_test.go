package hook

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// The file can be read at any moment of the process's life: every reading is
// whole, and no count is ever less than in the reading before.
func TestReadWhileItRuns(t *testing.T) {
	for _, c := range []config{go126, go127} {
		t.Run(c.name, func(t *testing.T) { readWhileItRuns(t, program(t, c, "endless")) })
	}
}

func readWhileItRuns(t *testing.T, bin string) {
	dir := t.TempDir()
	cmd := exec.Command(bin)
	cmd.Env = environ(EnvDir + "=" + dir)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stdout strings.Builder
	cmd.Stdout = &stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	name := onlyFile(t, dir)
	for { // the file is there before there is a head in it
		if _, err := counterfile.Read(name); err == nil {
			break
		} else if !errors.Is(err, counterfile.ErrNotBegun) && !errors.Is(err, counterfile.ErrNotCounters) {
			t.Fatal(err)
		}
	}
	before, entries, readings := map[string]int64{}, 0, 0
	for entries < 2<<14 || readings < 20 {
		c := readFile(t, name)
		if c.PID != cmd.Process.Pid || c.Exit.State != counterfile.ExitNone || !c.Process.Open {
			t.Fatalf("process %d, exit %+v, open %v", c.PID, c.Exit, c.Process.Open)
		}
		now := liveCounts(t, c)
		for key, n := range before {
			if now[key] < n {
				t.Fatalf("reading %d: %d objects, %d in the reading before: %s", readings, now[key], n, key)
			}
		}
		before, entries = now, len(c.Entries)
		readings++
	}
	if err := stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	c := readFile(t, name)
	reconcile(t, c)
	var a, b int64
	if _, err := fmt.Sscan(stdout.String(), &a, &b); err != nil {
		t.Fatal(err)
	}
	if got := countAt(c, "main.path"); got.Objects != a+b || got.Bytes != 48*(a+b) {
		t.Errorf("counted %+v, the program made %d objects of 48 bytes", got, a+b)
	}
	t.Logf("%d readings, %d entries, %d objects", readings, entries, a+b)
}

// liveCounts gives the objects by all that tells entries apart.
func liveCounts(t *testing.T, c *counterfile.Counters) map[string]int64 {
	t.Helper()
	m := map[string]int64{}
	for _, e := range c.Entries {
		stack := e.Stack.Expand()
		if len(stack) == 0 || stack[0].Function == "" || stack[0].Line == 0 {
			t.Fatalf("an entry of %d objects of %d bytes without a site: %v", e.Objects, e.Size, stack)
		}
		if last := stack[len(stack)-1].Function; last != "runtime.goexit" && site(stack).Function == "main.path" {
			t.Fatalf("a stack that ends in %q", last)
		}
		var key strings.Builder
		fmt.Fprint(&key, e.Size, e.Type, e.Tiny, e.Segment)
		for _, f := range stack {
			fmt.Fprint(&key, " ", f.Function, ":", f.Line)
		}
		m[key.String()] += e.Objects
	}
	return m
}

// onlyFile waits for the one file in a directory to hold a counter file's head.
func onlyFile(t *testing.T, dir string) string {
	t.Helper()
	for range 10_000 {
		names, err := filepath.Glob(filepath.Join(dir, "*.allocs"))
		if err != nil {
			t.Fatal(err)
		}
		if len(names) == 1 {
			if _, err := counterfile.Read(names[0]); err == nil {
				return names[0]
			}
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("no counter file")
	return ""
}
