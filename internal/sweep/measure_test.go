package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fake runs nothing: a job takes a second of its clock, and its numbers follow
// from the job.
type fake struct {
	now    time.Time
	jobs   []string
	grid   Grid
	fail   string             // the cell in which B fails
	stopAt int                // after how many jobs the context ends
	cancel context.CancelFunc // ends it
	run    func(Job) Run      // nil for numbers of the job
}

func (f *fake) Run(ctx context.Context, j Job) (Run, error) {
	label := f.grid.Label(j.Cell)
	f.jobs = append(f.jobs, fmt.Sprintf("%d %s %s", j.Turn, j.Benchmark.Name, label))
	f.now = f.now.Add(time.Second)
	if len(f.jobs) == f.stopAt {
		f.cancel()
		return Run{}, ctx.Err()
	}
	if j.Benchmark.Name == "B" && label == f.fail {
		return Run{}, Failure("panic: out of luck (exit status 2)")
	}
	if f.run != nil {
		return f.run(j), nil
	}
	return Run{Seconds: float64(10*j.Turn + len(j.Benchmark.Name)), Iterations: 1, Wall: 1, CPU: 2, Metrics: map[string]float64{"x/op": 1}}, nil
}

func plan(t *testing.T) (Plan, *fake) {
	g := NewGrid([]Axis{axis(t, GOGC, "100,200,off")})
	return Plan{Grid: g, Benchmarks: []Benchmark{{"p", "A"}, {"p", "B"}}, Turns: 2}, &fake{grid: g}
}

// Cells of a benchmark follow each other, every other turn backwards.
func TestInterleaved(t *testing.T) {
	p, f := plan(t)
	var left []string
	m, err := p.Measure(t.Context(), Options{Runner: f, Now: func() time.Time { return f.now }, Progress: func(p Progress) {
		left = append(left, fmt.Sprintf("%d/%d %v %v", p.Done, p.Of, p.Known, p.Left))
	}})
	if err != nil || !m.Complete {
		t.Fatal(m.Complete, err)
	}
	want := `0 A gogc=100|0 A gogc=200|0 A gogc=off|0 B gogc=100|0 B gogc=200|0 B gogc=off|` +
		`1 A gogc=off|1 A gogc=200|1 A gogc=100|1 B gogc=off|1 B gogc=200|1 B gogc=100|` +
		`2 A gogc=100|2 A gogc=200|2 A gogc=off|2 B gogc=100|2 B gogc=200|2 B gogc=off`
	if d := cmp.Diff(strings.Split(want, "|"), f.jobs); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if left[0] != "0/18 false 0s" || left[1] != "1/18 true 17s" || left[17] != "17/18 true 1s" {
		t.Errorf("progress: %q", left)
	}
	for b := range m.Series {
		for c, s := range m.Series[b] {
			if s.First == nil || len(s.Runs) != 2 || s.Runs[0].Seconds != 11 || s.Runs[1].Seconds != 21 {
				t.Errorf("benchmark %d, cell %d: %+v", b, c, s)
			}
		}
	}
}

// A benchmark that fails in a cell takes nothing else with it, and is not run
// there again.
func TestFailureLosesNothing(t *testing.T) {
	p, f := plan(t)
	f.fail = "gogc=200"
	m, err := p.Measure(t.Context(), Options{Runner: f, Now: time.Now})
	if err != nil || !m.Complete {
		t.Fatal(m.Complete, err)
	}
	for c, s := range m.Series[1] {
		if failed := c == 1; (s.Failed != "") != failed || len(s.Runs) == 2 == failed {
			t.Errorf("cell %d: %+v", c, s)
		}
	}
	if n := len(f.jobs); n != 16 {
		t.Errorf("%d runs, want 16", n)
	}
	r := Analyze(m, Context{Processors: 2})
	if n, of := r.Failures(); n != 1 || of != 6 {
		t.Errorf("%d of %d failed", n, of)
	}
	if text := textOf(t, r); !strings.Contains(text, "gogc=200 failed: panic: out of luck (exit status 2)\n") || !strings.Contains(text, " 200   failed\n") {
		t.Errorf("the failure is not told:\n%s", text)
	}
}

func textOf(t *testing.T, r *Result) string {
	t.Helper()
	var b strings.Builder
	if err := r.WriteText(&b, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func state(t *testing.T, file string, h Head) *State {
	t.Helper()
	s, err := OpenState(file)
	if err == nil {
		err = s.Begin(h)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// However often a sweep is interrupted, it does each run once, and comes to
// what it comes to without.
func TestInterruptAndResume(t *testing.T) {
	p, f := plan(t)
	whole, err := p.Measure(t.Context(), Options{Runner: f, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	once := f.jobs
	file := filepath.Join(t.TempDir(), "state")
	var all []string
	for round := 0; ; round++ {
		ctx, cancel := context.WithCancel(t.Context())
		_, f := plan(t)
		f.stopAt, f.cancel = 5, cancel
		s := state(t, file, Head{Grid: p.Grid})
		m, err := p.Measure(ctx, Options{Runner: f, State: s, Now: time.Now})
		s.Close()
		cancel()
		if n := len(f.jobs); err != nil {
			all = append(all, f.jobs[:n-1]...) // the last was cut off
			if !errors.Is(err, context.Canceled) || m.Complete {
				t.Fatalf("round %d: %v", round, err)
			}
			Analyze(m, Context{Processors: 2}) // whatever there is
			continue
		}
		all = append(all, f.jobs...)
		if d := cmp.Diff(whole, m, cmp.AllowUnexported()); d != "" {
			t.Errorf("after interruptions (-whole +resumed)\n%s", d)
		}
		break
	}
	if d := cmp.Diff(once, all); d != "" {
		t.Errorf("runs (-once +resumed)\n%s", d)
	}
	// More turns go on from there.
	p.Turns = 3
	_, f = plan(t)
	if _, err := p.Measure(t.Context(), Options{Runner: f, State: state(t, file, Head{Grid: p.Grid}), Now: time.Now}); err != nil || len(f.jobs) != 6 {
		t.Errorf("%d runs for one more turn: %v", len(f.jobs), err)
	}
}

// What was being written when the sweep was killed is done again, and nothing
// before it.
func TestTornState(t *testing.T) {
	p, f := plan(t)
	file := filepath.Join(t.TempDir(), "state")
	s := state(t, file, Head{Grid: p.Grid})
	if _, err := p.Measure(t.Context(), Options{Runner: f, State: s, Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	if err := s.KeepCounts(&Counts{Cell: "c"}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{1, 30, 200} {
		if err := os.WriteFile(file, data[:len(data)-cut], 0o666); err != nil {
			t.Fatal(err)
		}
		_, f := plan(t)
		s := state(t, file, Head{Grid: p.Grid})
		m, err := p.Measure(t.Context(), Options{Runner: f, State: s, Now: time.Now})
		s.Close()
		if err != nil || !m.Complete || len(f.jobs) > 1 || s.Counts() != nil {
			t.Errorf("%d bytes torn off: %d runs again, %v", cut, len(f.jobs), err)
		}
	}
}

func TestStateOfAnotherSweep(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "state")
	g := NewGrid([]Axis{axis(t, CPU, "1,2")})
	head := func() Head {
		return Head{Command: []string{"go", "test"}, Dir: "/d", Grid: g, Tests: []Binary{{Package: "p", Experiment: Default, Sum: "1"}}}
	}
	state(t, file, head()).Close()
	state(t, file, head()).Close()
	for _, c := range []struct {
		change func(*Head)
		want   string
	}{
		{func(h *Head) { h.Command = []string{"go", "test", "-v"} }, "it is of the command go test"},
		{func(h *Head) { h.Dir = "/e" }, "it is of the directory /d"},
		{func(h *Head) { h.Grid = nil }, `it is of the grid "--cpu 1,2"`},
		{func(h *Head) { h.Per = []string{"3"} }, `it is of --per ""`},
		{func(h *Head) { h.Tests[0].Sum = "2" }, "the tests, or the Go version, have changed since"},
	} {
		h := head()
		c.change(&h)
		s, err := OpenState(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Begin(h); !strings.Contains(errorText(err), "is of another sweep: "+c.want+"; ") {
			t.Errorf("%v, want %s", err, c.want)
		}
		s.Close()
	}
	s := state(t, file, head())
	if _, err := OpenState(file); !strings.Contains(errorText(err), "another sweep works on it") {
		t.Errorf("two at once: %v", err)
	}
	s.Close()
	for _, text := range []string{"hello\n", "hello", "{}\n", `{"run":{}}` + "\n"} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenState(file); !strings.Contains(errorText(err), "not what a sweep writes; give another file") {
			t.Errorf("%q: %v", text, err)
		}
		if got, _ := os.ReadFile(file); string(got) != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	if _, err := OpenState(dir); errorText(err) != "state "+dir+": is a directory" {
		t.Error(err)
	}
}
