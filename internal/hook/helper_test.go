package hook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alloctop/alloctop/internal/counterfile"
	"github.com/alloctop/alloctop/internal/testneed"
)

// What the tests build, once for all of them. It lies in one directory that
// TestMain removes; what was compiled stays in the go command's own cache.
var shared = struct {
	sync.Mutex
	dir   string
	trees map[string]tree
	built map[string]*building
}{trees: map[string]tree{}, built: map[string]*building{}}

type building struct {
	sync.Once
	file string
	err  error
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "hook-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	shared.dir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// need skips a test for what is missing, and how to get it.
func need(t testing.TB, have bool, missing string) {
	t.Helper()
	if !have {
		testneed.Missing(t, missing)
	}
}

// needMatrix skips what builds the standard library once more.
func needMatrix(t testing.TB) {
	t.Helper()
	if os.Getenv("ALLOCTOP_MATRIX") != "1" {
		t.Skip("one of many builds of the standard library: set ALLOCTOP_MATRIX=1 to test them all")
	}
}

// tree is a Go tree and how to run its go command.
type tree struct {
	root string
	env  []string
}

// releases are the Go versions that the hook is tested with.
var releases = map[string]string{"1.26": "go1.26.8", "1.27": "go1.27.4"}

// goTree returns the tree of a release: the running one, or a toolchain that
// the go command downloads into the module cache, where overlays are refused;
// it is reached by a symbolic link.
func goTree(t testing.TB, release string) tree {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if tr, ok := shared.trees[release]; ok {
		return tr
	}
	ask := func(toolchain string) string {
		cmd := exec.Command("go", "env", "GOROOT", "GOVERSION")
		cmd.Dir = shared.dir
		cmd.Env = environ("GOTOOLCHAIN=" + toolchain)
		out, err := cmd.Output()
		root, version, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		need(t, err == nil, fmt.Sprintf("no Go %s here (%v): GOTOOLCHAIN=%s go version downloads it", release, err, toolchain))
		if version != "go"+release && !strings.HasPrefix(version, "go"+release+".") {
			return ""
		}
		return root
	}
	root := ask("local")
	if root == "" {
		root = filepath.Join(shared.dir, releases[release])
		if err := os.Symlink(ask(releases[release]), root); err != nil {
			t.Fatal(err)
		}
	}
	tr := tree{root, environ("GOROOT="+root, "GOTOOLCHAIN=local")}
	shared.trees[release] = tr
	return tr
}

// environ is the environment without what would change a build or a run,
// and with the given settings.
func environ(set ...string) []string {
	drop := []string{"ALLOCTOP_COUNTERS=", "GOFLAGS=", "GOWORK=", "GOROOT=", "GOTOOLCHAIN=", "GODEBUG=", "GOGC=",
		"GOMEMLIMIT=", "GOMAXPROCS=", "GOEXPERIMENT=", "GOTRACEBACK=", "GOOS=", "GOARCH=", "CGO_ENABLED="}
	var env []string
	for _, kv := range os.Environ() {
		keep := true
		for _, d := range drop {
			keep = keep && !strings.HasPrefix(kv, d)
		}
		if keep {
			env = append(env, kv)
		}
	}
	return append(append(env, "GOWORK=off", "GOFLAGS=-buildvcs=false"), set...)
}

// config is a way to build a program.
type config struct {
	name    string
	release string
	flags   []string
	env     []string
	plain   bool // without the hook
}

var (
	go126 = config{name: "go1.26", release: "1.26"}
	go127 = config{name: "go1.27", release: "1.27"}
	race  = config{name: "race", release: "1.26", flags: []string{"-race"}}
	plain = config{name: "plain", release: "1.26", plain: true}
)

// program builds testdata/prog/NAME, with its tests if it has any, and returns
// the executable.
func program(t testing.TB, c config, name string) string {
	t.Helper()
	tr := goTree(t, c.release)
	key := c.name + " " + name
	shared.Lock()
	b := shared.built[key]
	if b == nil {
		b = &building{}
		shared.built[key] = b
	}
	shared.Unlock()
	b.Do(func() {
		dir, err := filepath.Abs("testdata/prog")
		if err != nil {
			b.err = err
			return
		}
		b.file = filepath.Join(shared.dir, strings.ReplaceAll(key, " ", "-"))
		args := []string{"build"}
		if tests, _ := filepath.Glob(filepath.Join(dir, name, "*_test.go")); len(tests) > 0 {
			args = []string{"test", "-c", "-vet=off"}
		}
		if !c.plain {
			file, err := Overlay(tr.root, filepath.Join(shared.dir, "overlays"))
			if err != nil {
				b.err = err
				return
			}
			args = append(args, "-overlay", file)
		}
		args = append(append(args, c.flags...), "-p", "2", "-o", b.file, "./"+name)
		cmd := exec.Command(filepath.Join(tr.root, "bin", "go"), args...)
		cmd.Dir, cmd.Env = dir, append(tr.env, c.env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.err = fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
		}
	})
	if b.err != nil {
		t.Fatal(b.err)
	}
	return b.file
}

// run is one execution of a program under the counter.
type run struct {
	args    []string
	env     []string
	stdin   string
	dir     string                // for the counter file, a temporary one if ""
	off     bool                  // do not count
	wrap    []string              // a command to start the program with
	started func(*exec.Cmd) error // called while it runs
}

type outcome struct {
	stdout, stderr string
	state          *os.ProcessState
	files          []string // counter files
}

func (r run) of(t testing.TB, program string) outcome {
	t.Helper()
	if r.dir == "" {
		r.dir = t.TempDir()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // a hang is a bug: say where
	defer cancel()
	argv := append(append(r.wrap[:len(r.wrap):len(r.wrap)], program), r.args...)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = environ(r.env...)
	if !r.off {
		cmd.Env = append(cmd.Env, EnvDir+"="+r.dir)
	}
	cmd.Dir = shared.dir
	cmd.Stdin = strings.NewReader(r.stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if r.started != nil {
		if err := r.started(cmd); err != nil {
			cmd.Process.Kill()
			t.Error(err)
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatalf("%v did not end: %v\n%s%s", argv, ctx.Err(), stdout.String(), stderr.String())
	}
	files, err := filepath.Glob(filepath.Join(r.dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState, files}
}

// ok is of for a program that must succeed and leave one file.
func (r run) ok(t testing.TB, program string) (*counterfile.Counters, outcome) {
	t.Helper()
	o := r.of(t, program)
	if !o.state.Success() {
		t.Fatalf("%s %v: %v\n%s%s", filepath.Base(program), r.args, o.state, o.stdout, o.stderr)
	}
	return o.counters(t), o
}

func (o outcome) counters(t testing.TB) *counterfile.Counters {
	t.Helper()
	if len(o.files) != 1 {
		t.Fatalf("%d counter files, want 1: %v\n%s", len(o.files), o.files, o.stderr)
	}
	return readFile(t, o.files[0])
}

func readFile(t testing.TB, name string) *counterfile.Counters {
	t.Helper()
	c, err := counterfile.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// sum adds up entries and what no entry holds.
func sum(c *counterfile.Counters) counterfile.Totals {
	all := c.Missed
	for _, e := range c.Entries {
		addTo(&all, e)
	}
	return all
}

func addTo(s *counterfile.Totals, e counterfile.Entry) {
	s.Objects += e.Objects
	s.Bytes += e.Bytes
	s.Requested += e.Objects * e.Size
	if e.Tiny {
		s.Tiny += e.Objects
	}
}

// reconcile compares the whole process with the runtime's own count.
func reconcile(t testing.TB, c *counterfile.Counters) {
	t.Helper()
	got := sum(c)
	if c.Process.Open || c.Process.Objects == 0 || got.Objects != c.Process.Objects || got.Bytes != c.Process.Bytes {
		t.Errorf("process: hook counted %d objects, %d bytes (missed %+v, folded %d); the runtime %d objects, %d bytes, open %v",
			got.Objects, got.Bytes, c.Missed, c.Folded, c.Process.Objects, c.Process.Bytes, c.Process.Open)
	}
}

// reconcileWindows compares every closed window with the runtime's own count.
func reconcileWindows(t testing.TB, c *counterfile.Counters) {
	t.Helper()
	bySegment := totalsBySegment(c)
	bad := 0
	for _, w := range c.Windows {
		got := bySegment.of(w)
		if w.Open || got.Objects != w.Objects || got.Bytes != w.Bytes {
			if bad++; bad <= 5 {
				t.Errorf("window %s: hook counted %d objects, %d bytes; the runtime %d objects, %d bytes, open %v",
					w.Name, got.Objects, got.Bytes, w.Objects, w.Bytes, w.Open)
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d windows differ (missed %+v)", bad, len(c.Windows), c.Missed)
	}
}

// segments are the totals of each segment.
type segments map[uint32]counterfile.Totals

func totalsBySegment(c *counterfile.Counters) segments {
	m := segments{}
	for _, e := range c.Entries {
		s := m[e.Segment]
		addTo(&s, e)
		m[e.Segment] = s
	}
	return m
}

func (m segments) of(w counterfile.Window) (s counterfile.Totals) {
	for _, id := range w.Segments {
		s.Objects += m[id].Objects
		s.Bytes += m[id].Bytes
	}
	return s
}

// site is the first frame outside of the runtime.
func site(stack []counterfile.Frame) counterfile.Frame {
	for _, f := range stack {
		if !inRuntime(f.Function) {
			return f
		}
	}
	return counterfile.Frame{}
}

// ofAllocator reports whether the allocator itself made an object while it made
// another: a g for a worker of the garbage collector, a sudog to wait with.
func ofAllocator(stack []counterfile.Frame) bool {
	other := false
	for _, f := range stack {
		if !strings.HasPrefix(f.Function, "runtime.mallocgc") {
			other = true
		} else if other {
			return true
		}
	}
	return false
}

func inRuntime(function string) bool {
	return strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "internal/runtime/")
}

// countAt adds up the entries whose site is in a function, without those that
// the allocator made for itself.
func countAt(c *counterfile.Counters, function string) (s counterfile.Totals) {
	for _, e := range c.Entries {
		if stack := e.Stack.Expand(); site(stack).Function == function && !ofAllocator(stack) {
			addTo(&s, e)
		}
	}
	return s
}
