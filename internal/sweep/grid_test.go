package sweep

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func axis(t *testing.T, name, list string) Axis {
	t.Helper()
	a, err := ParseAxis(name, list)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestParseAxis(t *testing.T) {
	for _, c := range []struct{ name, list, want string }{
		{CPU, "1, 2,8,default", ""},
		{GOGC, "50,off,default", ""},
		{MemLimit, "512MiB,off,1024,2GiB", ""},
		{Experiment, "default,nogreenteagc,jsonv2+nogreenteagc", ""},
		{GODEBUG, "default,madvdontneed=1,a=1+b=2", ""},
		{CPU, "1,,2", "a value is empty; write them with commas between"},
		{CPU, "", "a value is empty; write them with commas between"},
		{CPU, "0", "0: it takes numbers of threads, 1 or more"},
		{CPU, "2,2", "2 is in it twice"},
		{GOGC, "100 %", "100 %: it takes percentages, or off"}, // Go would take it for no setting
		{GOGC, "-1", "-1: it takes percentages, or off"},
		{MemLimit, "512MB", "512MB: it takes sizes like 512MiB, or off"},
		{Experiment, "no-tea", "no-tea: it takes names of experiments, several at once as a+b, or default"},
		{GODEBUG, "a=b c", "a=b c: it takes settings like madvdontneed=1, several at once as a=1+b=2, or default"},
		{GODEBUG, "madvdontneed", "madvdontneed: it takes settings like madvdontneed=1, several at once as a=1+b=2, or default"},
	} {
		_, err := ParseAxis(c.name, c.list)
		if got := errorText(err); got != c.want {
			t.Errorf("--%s %s: %q, want %q", c.name, c.list, got, c.want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// The first values are the first cell, whatever the order of the flags.
func TestCells(t *testing.T) {
	g := NewGrid([]Axis{axis(t, GOGC, "100,off"), axis(t, CPU, "1,2")})
	var labels []string
	for _, c := range g.Cells() {
		labels = append(labels, g.Label(c))
	}
	want := []string{"cpu=1 gogc=100", "cpu=1 gogc=off", "cpu=2 gogc=100", "cpu=2 gogc=off"}
	if d := cmp.Diff(want, labels); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if cells := Grid(nil).Cells(); len(cells) != 1 || len(cells[0]) != 0 {
		t.Errorf("without settings: %v", cells)
	}
}

func TestEnviron(t *testing.T) {
	g := NewGrid([]Axis{axis(t, CPU, "4"), axis(t, MemLimit, "off"), axis(t, Experiment, "a+b"), axis(t, GODEBUG, "x=1+y=2"), axis(t, GOGC, "default")})
	env := g.Environ(g.Cells()[0], []string{"GOGC=7", "GOMAXPROCS=3", "GODEBUG=z=0", "HOME=/h"})
	want := []string{"GOGC=7", "HOME=/h", "GOMAXPROCS=4", "GOMEMLIMIT=off", "GOEXPERIMENT=a,b", "GODEBUG=z=0,x=1,y=2"}
	if d := cmp.Diff(want, env); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// The exact count runs with the settings of its cell, but what it compiles does
// not: without a collector a compiler takes all memory.
func TestWrapper(t *testing.T) {
	g := NewGrid([]Axis{axis(t, CPU, "4"), axis(t, GOGC, "off"), axis(t, Experiment, "a"), axis(t, GODEBUG, "x=1")})
	if got, want := g.Wrapper(g.Cells()[0], []string{"GOGC=7", "GODEBUG=z=0"}), "env GOMAXPROCS=4 GOGC=off GODEBUG=z=0,x=1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	g = NewGrid([]Axis{axis(t, GOGC, "default"), axis(t, Experiment, "a")})
	if got := g.Wrapper(g.Cells()[0], nil); got != "" {
		t.Errorf("%q without settings", got)
	}
}

func TestParseCommand(t *testing.T) {
	for _, c := range []struct{ line, with, env string }{
		{"go test -bench Parse ./...", "go test X -bench Parse ./...", "go env"},
		{"go -C dir test --bench=. .", "go -C dir test X --bench=. .", "go -C dir env"},
		{"go test -C=dir . -test.bench . -args -cpu", "go test -C=dir X . -test.bench . -args -cpu", "go -C dir env"},
		{"/opt/go/bin/go test -bench . -benchtime 1x", "/opt/go/bin/go test X -bench . -benchtime 1x", "/opt/go/bin/go env"},
	} {
		cmd, err := ParseCommand(strings.Fields(c.line))
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		if got := strings.Join(cmd.With("X"), " "); got != c.with {
			t.Errorf("%s: %s, want %s", c.line, got, c.with)
		}
		if got := strings.Join(cmd.Go("env"), " "); got != c.env {
			t.Errorf("%s: %s, want %s", c.line, got, c.env)
		}
	}
	for line, want := range map[string]string{
		"make bench":                  `a sweep runs go test, not "make bench"; `,
		"go run .":                    "a sweep runs go test, not go run .",
		"go test ./...":               "go test without -bench runs no benchmark; write for all of them: go test -bench . ./...",
		"go test -bench . -cpu 1,2 .": "go test -cpu: give the threads to the sweep, as --cpu",
		"go test -count=3 -bench . .": "go test -count: the sweep repeats by itself, -n times",
		"go test -exec x -bench . .":  "go test -exec: it does not go with a sweep",
	} {
		if _, err := ParseCommand(strings.Fields(line)); !strings.HasPrefix(errorText(err), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

// What the sweep says goes over what the go tool said, and before the words
// that are for the test.
func TestArguments(t *testing.T) {
	k := kept{Args: strings.Fields("-test.paniconexit0 -test.timeout=10m0s -test.testlogfile=/gone -test.bench=. -test.benchtime=1x -own x -test.bench=mine")}
	got := k.arguments("-test.bench=^BenchmarkA$")
	want := strings.Fields("-test.paniconexit0 -test.timeout=10m0s -test.bench=. -test.benchtime=1x -test.bench=^BenchmarkA$ -own x -test.bench=mine")
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestPattern(t *testing.T) {
	if got, want := pattern("BenchmarkB/s_[1]#01/x.y"), `^BenchmarkB$/^s_\[1\]#01$/^x\.y$`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for printed, want := range map[string]bool{"B/x": true, "B/x-8": true, "B/x-8-2": false, "B/xy": false, "B/x-a": false, "A": false} {
		if got := isResultOf(printed, "B/x"); got != want {
			t.Errorf("%s: %v", printed, got)
		}
	}
}

// A benchmark that fails once is one of the benchmarks; what fails since it does
// is none.
func TestBenchmarkNames(t *testing.T) {
	out := `goos: linux
BenchmarkA/x   	     1	     691 ns/op
BenchmarkA/y   	--- FAIL: BenchmarkA/y
    a_test.go:3: no
--- FAIL: BenchmarkA/y
--- FAIL: BenchmarkA
--- FAIL: BenchmarkZ
--- SKIP: BenchmarkS
FAIL
`
	p := &process{}
	p.out.Write([]byte(out))
	got := strings.Join(benchmarkNames(p.results(), out), " ")
	if want := "BenchmarkA/x BenchmarkA/y BenchmarkZ"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// The lines are what Go 1.26 prints.
func TestReadTrace(t *testing.T) {
	text := `gc 14 @0.048s 11%: 0.051+0.18+0.039 ms clock, 0.10+0.022/0.058/0+0.079 ms cpu, 2->2->0 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P
a line of the program
gc 15 @1.049s 11%: 0.5+0.32+0.5 ms clock, 0.087+1/2/4+0.068 ms cpu, 2->3->0 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P
gc 16 @1.050s 11%: 9+9+9 ms clock, 9+9/9/9+9 ms cpu, 2->3->0 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P (forced)
`
	cycles, seconds := readTrace(text, 0)
	if want := (0.051 + 0.039 + 0.022 + 0.058 + 0.5 + 0.5 + 1 + 2 + 4) / 1000; cycles != 2 || seconds-want > 1e-12 || want-seconds > 1e-12 {
		t.Errorf("%d cycles, %g s; want 2, %g s", cycles, seconds, want)
	}
	if cycles, _ := readTrace(text, time.Second); cycles != 1 {
		t.Errorf("%d cycles from the first second on, want 1", cycles)
	}
}

// Processor time is that between two times, whenever the process was looked at.
func TestUsedBetween(t *testing.T) {
	const ms = time.Millisecond
	usages := []usage{{20 * ms, 10 * ms}, {40 * ms, 50 * ms}, {60 * ms, 50 * ms}, {100 * ms, 130 * ms}}
	for _, c := range []struct{ from, to, want time.Duration }{
		{0, 100 * ms, 130 * ms}, {20 * ms, 40 * ms, 40 * ms}, {10 * ms, 30 * ms, 25 * ms}, {40 * ms, 60 * ms, 0},
		{50 * ms, 80 * ms, 40 * ms}, {0, 200 * ms, 130 * ms}, {200 * ms, 300 * ms, 0},
	} {
		if got := usedBetween(usages, c.from, c.to); got != c.want {
			t.Errorf("%v to %v: %v, want %v", c.from, c.to, got, c.want)
		}
	}
	if got := usedBetween(nil, 0, ms); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
