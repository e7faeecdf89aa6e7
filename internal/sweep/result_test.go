package sweep

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/perf/benchfmt"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/internal/figure"
)

// sweepOf measures one benchmark by given times, which vary by a thousandth
// with the turn.
func sweepOf(t *testing.T, g Grid, turns int, names []string, at func(name, cell string) (ms, threads float64), counts *Counts) *Result {
	t.Helper()
	f := &fake{grid: g, run: func(j Job) Run {
		ms, threads := at(j.Benchmark.Name, g.Label(j.Cell))
		return Run{
			Seconds: ms * (1 + float64(j.Turn)/1000) / 1000, Iterations: int64(900 / ms), Allocs: 1000, Bytes: 16000,
			Wall: 1, CPU: threads, Loop: true, Peak: int64(ms) << 20, GCs: 7, GCCPU: threads / 4,
		}
	}}
	p := Plan{Grid: g, Turns: turns}
	for _, n := range names {
		p.Benchmarks = append(p.Benchmarks, Benchmark{"example.com/p", n})
	}
	m, err := p.Measure(t.Context(), Options{Runner: f, Now: func() time.Time { return time.Time{} }})
	if err != nil {
		t.Fatal(err)
	}
	return Analyze(m, Context{Command: []string{"go", "test"}, Go: "go1.26.8", Processors: 8, Counts: counts})
}

// story is the sweep of a parser that threads do not help.
func story(t *testing.T, turns int) *Result {
	g := NewGrid([]Axis{axis(t, CPU, "1,8"), axis(t, GOGC, "100,400"), axis(t, Experiment, "default,other")})
	at := func(name, cell string) (ms, threads float64) {
		ms, threads = 100, 1
		if strings.Contains(cell, "cpu=8") {
			ms, threads = 80, 1.3
		}
		if strings.Contains(cell, "gogc=400") {
			ms *= 0.88
		}
		if strings.Contains(cell, "other") {
			ms *= 1.04
		}
		if strings.HasSuffix(name, "/tuned") {
			ms *= 0.53
		}
		return ms, threads
	}
	count := func(name string, per float64) BenchmarkCount {
		return BenchmarkCount{
			Benchmark: Benchmark{"example.com/p", name}, Records: 100_000, Unit: "cells", PerRecord: []float64{per, per}, PerOp: per * 100_000,
			Bytes: 1 << 20, Exact: true, Lines: []Line{{"/src/fresh.go", 54, 0.45}, {"/src/fresh.go", 32, 0.45}},
		}
	}
	return sweepOf(t, g, turns, []string{"BenchmarkRead/naive", "BenchmarkRead/tuned"}, at,
		&Counts{Benchmarks: []BenchmarkCount{count("BenchmarkRead/naive", 20.04), count("BenchmarkRead/tuned", 9.1)}})
}

// The sentences are those that the numbers bear.
func TestWords(t *testing.T) {
	r := story(t, 10)
	want := []string{
		"allocation-bound: 8 threads use 1.3 and are 1.2 times as fast as 1; an allocation every 52.2 ns of processor time, the collector takes 25 % of it",
		"GC settings buy 12 % (gogc=400 against gogc=100 at cpu=1), with 88.0 MiB of memory at the peak in place of 100.0 MiB",
		"experiment=other costs 4.0 %",
		"two lines make 90 % of the allocations: fresh.go:54, fresh.go:32",
	}
	if d := cmp.Diff(want, r.Benchmarks[0].Words); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	want = []string{"GC settings buy 12 % (gogc=400 against gogc=100 at cpu=1), fewer allocations at cpu=8 buy 47 %: Read/tuned makes 9.1 per cell, Read/naive 20.04"}
	if d := cmp.Diff(want, r.Words); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if len(r.Notes) > 0 {
		t.Errorf("notes: %q", r.Notes)
	}
}

// With few turns nothing is claimed, and that is said.
func TestTooFewTurns(t *testing.T) {
	r := story(t, 2)
	want := []string{
		"allocation-bound: 8 threads use 1.3 and are not surely faster than 1: 2 turns are too few to tell, give a larger -n; an allocation every 52.0 ns of processor time, the collector takes 25 % of it",
		"GC settings buy nothing that is sure: 2 turns are too few to tell, give a larger -n",
		"experiment=other makes no difference that is sure: 2 turns are too few to tell, give a larger -n",
		"two lines make 90 % of the allocations: fresh.go:54, fresh.go:32",
	}
	if d := cmp.Diff(want, r.Benchmarks[0].Words); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if want := []string{"2 turns are too few for a 95 % confidence interval; give -n 6 or more"}; cmp.Diff(want, r.Notes) != "" {
		t.Errorf("notes: %q", r.Notes)
	}
}

// A benchmark that uses its threads, and one that cannot, are told apart from
// one that waits for the allocator.
func TestWordsOfThreads(t *testing.T) {
	g := NewGrid([]Axis{axis(t, CPU, "1,4")})
	for _, c := range []struct {
		ms, threads, perOp float64
		want               string
	}{
		{26, 3.9, 10, "4 threads use 3.9 and are 3.8 times as fast as 1"},
		{100, 1.0, 10, "the benchmark runs on one thread: 4 threads use 1.0 and are not surely faster than 1"},
		{160, 0.8, 5e6, "the benchmark runs on one thread: 4 threads use 0.8 and are 0.6 times as fast as 1"}, // however much it allocates
		{80, 1.3, 10, "4 threads use 1.3 and are 1.2 times as fast as 1; the others have nothing to do"},
		{50, 3.9, 5e6, "allocation-bound: 4 threads use 3.9 and are 2.0 times as fast as 1; an allocation every 39.2 ns of processor time, the collector takes 20 % of it"},
	} {
		at := func(_, cell string) (ms, threads float64) {
			if strings.Contains(cell, "cpu=4") {
				return c.ms, c.threads
			}
			return 100, 1
		}
		f := sweepOf(t, g, 10, []string{"BenchmarkA"}, at, &Counts{Benchmarks: []BenchmarkCount{{Benchmark: Benchmark{"example.com/p", "BenchmarkA"}, PerOp: c.perOp, PerRecord: []float64{1}}}})
		x := f.Benchmarks[0]
		x.Cells[1].GCShare = new(0.2)
		if got := (words{f, x}).threads(); len(got) != 1 || got[0] != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

// What the collector's settings buy is said against a cell, with its threads
// first, and never where the result is slower than the first cell.
func TestWordsOfSettings(t *testing.T) {
	g := NewGrid([]Axis{axis(t, CPU, "1,2"), axis(t, GOGC, "100,off")})
	for _, c := range []struct {
		ms   [4]float64 // cpu=1 gogc=100, cpu=1 gogc=off, cpu=2 gogc=100, cpu=2 gogc=off
		want string
	}{
		{[4]float64{100, 120, 200, 150}, "GC settings buy nothing that is sure"},
		{[4]float64{100, 120, 100, 70}, "GC settings buy 30 % (gogc=off against gogc=100 at cpu=2), with 70.0 MiB of memory at the peak in place of 100.0 MiB"},
		{[4]float64{100, 80, 100, 70}, "GC settings buy 20 % (gogc=off against gogc=100 at cpu=1), with 80.0 MiB of memory at the peak in place of 100.0 MiB"},
	} {
		at := func(_, cell string) (ms, threads float64) {
			i := 0
			if strings.Contains(cell, "cpu=2") {
				i = 2
			}
			if strings.Contains(cell, "off") {
				i++
			}
			return c.ms[i], 1
		}
		r := sweepOf(t, g, 10, []string{"BenchmarkA"}, at, nil)
		if got := (words{r, r.Benchmarks[0]}).settings(); len(got) != 1 || got[0] != c.want {
			t.Errorf("%v: got  %q\nwant %q", c.ms, got, c.want)
		}
	}
}

// Counts that vary are said to, with the reason.
func TestWordsOfCounts(t *testing.T) {
	x := &BenchmarkResult{Count: &BenchmarkCount{PerRecord: []float64{20, 20.02}}}
	for _, n := range []float64{3, 5} {
		x.Cells = append(x.Cells, CellResult{Time: &Interval{}, AllocsMin: n, AllocsMax: n})
	}
	got := words{&Result{}, x}.counts()
	if len(got) != 2 || !strings.HasPrefix(got[0], "the exact counts of 2 runs differ by 0.1 %: ") ||
		!strings.HasPrefix(got[1], "by -benchmem 3 to 5 allocations per operation over all cells: ") {
		t.Errorf("%q", got)
	}
	x.Count.PerRecord = []float64{20, 20.00001}
	if got := (words{&Result{}, x}).counts(); !strings.HasPrefix(got[0], "the exact counts of 2 runs differ by less than 0.01 %: ") {
		t.Errorf("%q", got)
	}
}

// Speed-up is against the fewest threads with all else equal, significance and
// change against the first cell.
func TestChangesAndSpeedUps(t *testing.T) {
	r := story(t, 10)
	if c := r.Benchmarks[0].Cells[0]; c.Change != nil || *c.SpeedUp != 1 || *c.Efficiency != 1 {
		t.Errorf("the first cell: %+v", c)
	}
	for i, want := range []struct {
		cell                      string
		change, speedUp, perThead float64
		sure                      bool
	}{
		{"cpu=1 gogc=100 experiment=other", 1.04, 1, 1, true},
		{"cpu=1 gogc=400 experiment=default", 0.88, 1, 1, true},
		{"cpu=1 gogc=400 experiment=other", 0.88 * 1.04, 1, 1, true},
		{"cpu=8 gogc=100 experiment=default", 0.8, 1.25, 1.25 / 8, true},
	} {
		c := r.Benchmarks[0].Cells[i+1]
		if got := r.Grid.Label(c.Settings); got != want.cell {
			t.Fatalf("cell %d is %s", i, got)
		}
		for what, pair := range map[string][2]float64{
			"change": {c.Change.Ratio, want.change}, "speed-up": {*c.SpeedUp, want.speedUp}, "efficiency": {*c.Efficiency, want.perThead},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-9 {
				t.Errorf("%s: %s is %g, want %g", want.cell, what, pair[0], pair[1])
			}
		}
		if c.Change.Sure != want.sure {
			t.Errorf("%s: p is %g", want.cell, c.Change.P)
		}
	}
}

func TestWriteText(t *testing.T) {
	want := `Read/naive: 20.04 allocations per cell, 100,000 cells in an operation, 1.0 MiB per operation
- allocation-bound: 8 threads use 1.3 and are 1.2 times as fast as 1; an allocation every 52.2 ns of
  processor time, the collector takes 25 % of it
- GC settings buy 12 % (gogc=400 against gogc=100 at cpu=1), with 88.0 MiB of memory at the peak in
  place of 100.0 MiB
- experiment=other costs 4.0 %
- two lines make 90 % of the allocations: fresh.go:54, fresh.go:32

cpu  gogc  experiment     time      ±  vs first       p  speed-up   eff.  threads    GC       peak
  1   100     default   101 ms  0.3 %                        1.00  100 %      1.0  25 %  100.0 MiB
  1   100       other   105 ms  0.3 %    +4.0 %  <0.001      1.00  100 %      1.0  25 %  104.0 MiB
`
	got := textOf(t, story(t, 10))
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for line := range strings.Lines(got) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 100 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// What is written as JSON has all numbers, also where there were too few turns
// for some of them.
func TestWriteJSON(t *testing.T) {
	for _, r := range []*Result{story(t, 10), story(t, 1), Analyze(&Measured{Plan: Plan{Benchmarks: []Benchmark{{"p", "B"}}, Turns: 3}, Series: [][]Series{{{}}}}, Context{})} {
		var b strings.Builder
		if err := r.WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
		var back Result
		if err := json.Unmarshal([]byte(b.String()), &back); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(r, &back); d != "" {
			t.Errorf("(-written +read)\n%s", d)
		}
		textOf(t, r)
	}
}

// benchfmt reads what was written, with the settings as configuration.
func TestWriteBenchmarks(t *testing.T) {
	g := NewGrid([]Axis{axis(t, CPU, "1,2"), axis(t, GOGC, "100,off")})
	f := &fake{grid: g}
	m, err := Plan{Grid: g, Benchmarks: []Benchmark{{"example.com/p", "BenchmarkA/x"}}, Turns: 2}.Measure(t.Context(), Options{Runner: f, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := m.WriteBenchmarks(&b); err != nil {
		t.Fatal(err)
	}
	var got []string
	in := benchfmt.NewReader(strings.NewReader(b.String()), "")
	for in.Scan() {
		r, ok := in.Result().(*benchfmt.Result)
		if !ok {
			t.Fatalf("%v", in.Result())
		}
		seconds, _ := r.Value("sec/op")
		threads, _ := r.Value("threads")
		x, _ := r.Value("x/op")
		got = append(got, strings.Join([]string{r.GetConfig("pkg"), r.Name.String(), r.GetConfig("gogc"), figure.Number(seconds), figure.Number(threads), figure.Number(x)}, " "))
	}
	want := strings.Split("example.com/p A/x 100 22 2 1|example.com/p A/x 100 32 2 1|example.com/p A/x off 22 2 1|example.com/p A/x off 32 2 1|"+
		"example.com/p A/x-2 100 22 2 1|example.com/p A/x-2 100 32 2 1|example.com/p A/x-2 off 22 2 1|example.com/p A/x-2 off 32 2 1", "|")
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s\n%s", d, b.String())
	}
}

func TestCountsOf(t *testing.T) {
	scope := func(run int, objects int64) *alloccount.Scope {
		return &alloccount.Scope{
			Kind: alloccount.KindBenchmark, Package: "p", Name: "BenchmarkA", Run: run, Iterations: 10, Records: 1000, Unit: "cells",
			Totals: alloccount.Totals{Objects: objects, Bytes: 1600}, Runtime: &alloccount.Counted{Objects: objects},
			Sites: []*alloccount.Site{{File: "a.go", Line: 1, Share: .3}, {File: "b.go", Line: 2, Share: .3}, {File: "a.go", Line: 1, Cause: "other", Share: .2}, {File: "c.go", Line: 1, Share: .2}},
			Cost:  &alloccount.Cost{GCCycles: 5},
		}
	}
	got := CountsOf(&alloccount.Report{Scopes: []*alloccount.Scope{scope(0, 3000), {Kind: alloccount.KindProcess}, scope(1, 3010)}})
	want := []BenchmarkCount{{
		Benchmark: Benchmark{"p", "BenchmarkA"}, Records: 100, Unit: "cells", PerRecord: []float64{3, 3.01}, PerOp: 300, Bytes: 160, GCs: 0.5, Exact: true,
		Lines: []Line{{"a.go", 1, .5}, {"b.go", 2, .3}},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// The page on sweeps gives the limits that are in use.
func TestLimitsOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/sweep.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(page)), " ")
	for _, claim := range []string{
		fmt.Sprintf("an allocation comes every %d ns of processor time or more often", boundNanoseconds),
		fmt.Sprintf("the collector takes %g %% of it", boundGC*100),
		fmt.Sprintf("less than %g %% of the threads are used, or their efficiency is below %g %%", busy*100, busy*100),
		fmt.Sprintf("no more than %g threads are busy", oneThread),
		fmt.Sprintf("the timed loop is shorter than %d ms", leastLoop.Milliseconds()),
		fmt.Sprintf("p has to be below %g divided by their number", alpha),
		fmt.Sprintf("every %d ms at last", pollLast.Milliseconds()),
		"the schema `" + Schema + "`",
	} {
		if !strings.Contains(text, claim) {
			t.Errorf("docs/sweep.md does not say, as it is: %s", claim)
		}
	}
}
