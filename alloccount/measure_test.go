package alloccount

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"runtime"
	"strings"
	"testing"

	"github.com/alloctop/alloctop/sizeclass"
)

// mustMeasure measures f, which must not fail.
func mustMeasure(t testing.TB, o MeasureOptions, f func() (int, error)) *Report {
	t.Helper()
	r, err := o.Measure(f)
	if err != nil {
		t.Fatal(err)
	}
	checkMeasured(t, r)
	return r
}

// checkMeasured holds what is so in every report of a Measure.
func checkMeasured(t testing.TB, r *Report) {
	t.Helper()
	checkInvariants(t, r)
	want := Sampled
	if hooked() {
		want = Exact
	}
	if r.Engine != want {
		t.Errorf("engine %q, want %q", r.Engine, want)
	}
	for _, s := range r.Scopes {
		if s.Kind != KindMeasure || s.Package != ownPackage || s.Process.PID != os.Getpid() || !s.Process.Own {
			t.Errorf("scope %q: kind %q of %q in process %+v", s.Name, s.Kind, s.Package, s.Process)
		}
		if s.Runtime == nil || s.Runtime.Objects != s.Totals.Objects || s.Runtime.Bytes != s.Totals.Bytes {
			t.Errorf("scope %q: totals %+v, the runtime counted %+v", s.Name, s.Totals, s.Runtime)
		}
	}
}

// text is what a reader at a terminal sees of r.
func text(t testing.TB, r *Report) string {
	t.Helper()
	var b strings.Builder
	if err := r.WriteText(&b, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// ofRuntime reports whether the runtime made the objects of x for itself: they
// may come at any time.
func ofRuntime(x *Site) bool {
	switch x.Cause {
	case "garbage collection", "thread start", "type assertion": // the last is remembered at random (runtime/iface.go, typeAssert)
		return true
	}
	return x.UserFile == "" && x.Function != noLine
}

// ownObjects returns how many objects of s are not the runtime's own.
func ownObjects(s *Scope) (n int64) {
	for _, x := range s.Sites {
		if !ofRuntime(x) {
			n += x.Objects
		}
	}
	return n
}

// atMarker returns the objects that s has at the line of this file that ends
// in a comment.
func atMarker(t testing.TB, s *Scope, marker string) (n int64) {
	t.Helper()
	source, err := os.ReadFile("measure_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(source), "\n") {
		if !strings.HasSuffix(line, "// "+marker) {
			continue
		}
		for _, x := range s.Sites {
			if path.Base(x.UserFile) == "measure_test.go" && x.UserLine == i+1 && !ofRuntime(x) {
				n += x.Objects
			}
		}
		return n
	}
	t.Fatalf("no line ends in %q", marker)
	return 0
}

// none makes a size one that the compiler does not know, so that the object is
// on the heap.
var none int

// parse stands for a parser: each record takes an object of 40 bytes, and each
// tenth one more of 200.
func parse(records int) (int, error) {
	for i := range records {
		runtime.KeepAlive(make([]byte, 40+none)) // each
		if i%10 == 0 {
			runtime.KeepAlive(make([]byte, 200+none)) // tenth
		}
	}
	return records, nil
}

func TestMeasure(t *testing.T) {
	r := mustMeasure(t, MeasureOptions{}, func() (int, error) { return parse(1000) })
	if n := ownObjects(r.Scope); n != 1100 || r.Records != 1000 || r.Iterations != 1 {
		t.Errorf("%d objects, %d records, %d calls:\n%s", n, r.Records, r.Iterations, text(t, r))
	}
	if each, tenth := atMarker(t, r.Scope, "each"), atMarker(t, r.Scope, "tenth"); each != 1000 || tenth != 100 {
		t.Errorf("%d and %d objects:\n%s", each, tenth, text(t, r))
	}
	if !strings.HasPrefix(r.Name, "measure_test.go:") || r.Go != runtime.Version() || len(r.Command) == 0 {
		t.Errorf("name %q, %s, command %q", r.Name, r.Go, r.Command)
	}
	if x := r.Sites[0]; x.Function != ownPackage+".parse" || x.PerRecord != 1 || x.SizeClasses[0].Max != 48 {
		t.Errorf("first site %+v", x)
	}
	if hooked() && r.Sites[0].Requested != 40_000 {
		t.Errorf("%d bytes requested", r.Sites[0].Requested)
	}
	again, err := NewReport(r.Profile, ReportOptions{})
	if err != nil || again.Totals != r.Totals {
		t.Errorf("the profile makes a report of %+v, %v; want %+v", again, err, r.Totals)
	}
}

// TestMeasureNothing: what Measure does itself is not counted.
func TestMeasureNothing(t *testing.T) {
	zero := 0
	for range 20 {
		r := mustMeasure(t, MeasureOptions{}, func() (int, error) { return 0, nil })
		if n := ownObjects(r.Scope); n != 0 {
			t.Fatalf("%d objects:\n%s", n, text(t, r))
		}
		if r.Totals.Objects == 0 {
			zero++
		}
	}
	if zero == 0 {
		t.Error("the runtime made objects each time")
	}
}

func TestMeasureRuns(t *testing.T) {
	calls := 0
	r := mustMeasure(t, MeasureOptions{Label: "list", WarmUp: 2, Runs: 3}, func() (int, error) {
		calls++
		return parse(100 * calls)
	})
	if len(r.Scopes) != 2 || r.Scopes[0].Name != "list/steady" || r.Scopes[1].Name != "list/first" {
		t.Fatalf("scopes:\n%s", text(t, r))
	}
	if s := r.Scopes[1]; ownObjects(s) != 330 || s.Records != 300 || s.Iterations != 2 || atMarker(t, s, "tenth") != 30 {
		t.Errorf("first:\n%s", text(t, r))
	}
	if s := r.Scope; ownObjects(s) != 1320 || s.Records != 1200 || s.Iterations != 3 || atMarker(t, s, "tenth") != 120 {
		t.Errorf("steady:\n%s", text(t, r))
	}
	if r.Runs == nil || r.Runs.Calls != 3 || r.Runs.PerRecord.Min > 1.1 || r.Runs.PerRecord.Median != 1.1 {
		t.Errorf("runs %+v", r.Runs)
	}
	if calls != 5 {
		t.Errorf("%d calls", calls)
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   Spread
	}{
		{nil, Spread{}},
		{[]float64{2}, Spread{2, 2, 2}},
		{[]float64{4, 1}, Spread{1, 2.5, 4}},
		{[]float64{9, 1, 2}, Spread{1, 2, 9}},
	} {
		if got := spreadOf(c.values); got != c.want {
			t.Errorf("spread of %v: %+v, want %+v", c.values, got, c.want)
		}
	}
}

func TestMeasureError(t *testing.T) {
	wrong := errors.New("line 7 is wrong")
	calls := 0
	r, err := MeasureOptions{Label: "list", Runs: 3}.Measure(func() (int, error) {
		if calls++; calls == 2 {
			_, _ = parse(50)
			return 49, wrong
		}
		return parse(100)
	})
	if !errors.Is(err, wrong) || !strings.HasPrefix(err.Error(), "alloccount: list, after 2 calls and ") {
		t.Errorf("error %v", err)
	}
	checkMeasured(t, r)
	if ownObjects(r.Scope) != 165 || r.Records != 149 || r.Iterations != 2 || calls != 2 {
		t.Errorf("%d calls:\n%s", calls, text(t, r))
	}
	mustBeIdle(t)
}

// mustBeIdle fails the test unless Measure left everything as it found it.
func mustBeIdle(t testing.TB) {
	t.Helper()
	if n := len(underway.list); n != 0 {
		t.Errorf("%d Measures are under way", n)
	}
	if p := &profileRate; p.users != 0 || p.open != 0 {
		t.Errorf("%d users of the profile, %d open", p.users, p.open)
	}
	if r := mustMeasure(t, MeasureOptions{}, func() (int, error) { return parse(10) }); ownObjects(r.Scope) != 11 {
		t.Errorf("then %d objects, want 11:\n%s", ownObjects(r.Scope), text(t, r))
	}
}

func TestMeasurePanic(t *testing.T) {
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 12345
	goroutines := runtime.NumGoroutine()
	for calls, o := range []MeasureOptions{{}, {WarmUp: 1}, {Runs: 2, Timed: true}, {Runs: 2, Timed: true}} {
		func() {
			defer func() {
				if p := recover(); p != "a fault" {
					t.Errorf("recovered %v", p)
				}
			}()
			_, err := o.Measure(func() (int, error) {
				if calls--; calls < 0 { // in the first call, or after that, at last in one that is timed
					panic("a fault")
				}
				return parse(10)
			})
			t.Errorf("returned %v", err)
		}()
		if runtime.MemProfileRate != 12345 {
			t.Errorf("the rate is %d", runtime.MemProfileRate)
		}
		mustBeIdle(t)
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("%d goroutines, before %d", n, goroutines)
	}
}

// TestMeasureGoexit: a test that ends in the middle, as by t.FailNow.
func TestMeasureGoexit(t *testing.T) {
	ended := make(chan bool)
	go func() {
		defer close(ended)
		_, err := Measure(func() (int, error) { runtime.Goexit(); return 0, nil })
		t.Errorf("returned %v", err)
	}()
	<-ended
	mustBeIdle(t)
}

func TestMeasureContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	r, err := MeasureOptions{Context: ctx, Runs: 100}.Measure(func() (int, error) {
		if calls++; calls == 3 {
			cancel()
		}
		return parse(10)
	})
	if !errors.Is(err, context.Canceled) || calls != 3 {
		t.Errorf("%d calls, error %v", calls, err)
	}
	if ownObjects(r.Scope) != 33 || r.Records != 30 {
		t.Errorf("report:\n%s", text(t, r))
	}
}

func TestMeasureOptionErrors(t *testing.T) {
	for _, c := range []struct {
		o    MeasureOptions
		want string
	}{
		{MeasureOptions{Sizes: []sizeclass.Bound{33}}, "alloccount: MeasureOptions.Sizes: 33 bytes is not a size class of Go: use 32 or 48"},
		{MeasureOptions{Runs: -1}, "alloccount: MeasureOptions: 0 warm-up calls and -1 runs: neither can be less than 0"},
		{MeasureOptions{WarmUp: -2}, "alloccount: MeasureOptions: -2 warm-up calls and 0 runs: neither can be less than 0"},
	} {
		r, err := c.o.Measure(func() (int, error) { t.Error("called"); return 0, nil })
		if r != nil || err == nil || err.Error() != c.want {
			t.Errorf("report %v, error %v, want %s", r, err, c.want)
		}
	}
	mustBeIdle(t)
}

func TestMeasureSizes(t *testing.T) {
	r := mustMeasure(t, MeasureOptions{Sizes: []sizeclass.Bound{64, 16}, DropPaths: true}, func() (int, error) { return parse(100) })
	if len(r.SizeSteps) != 3 || r.SizeSteps[1].Max != 64 || r.SizeSteps[1].Objects != 100 || r.SizeSteps[2].Objects < 10 {
		t.Errorf("steps %+v", r.SizeSteps)
	}
	if s := text(t, r); !strings.Contains(s, "≤ 64 B          100") || !strings.Contains(s, "> 64 B           10") {
		t.Errorf("report:\n%s", text(t, r))
	}
	if r.Profile != nil || atMarker(t, r.Scope, "each") != 100 {
		t.Errorf("profile %v:\n%s", r.Profile, text(t, r))
	}
}

func TestMeasureTimed(t *testing.T) {
	calls := 0
	r := mustMeasure(t, MeasureOptions{WarmUp: 1, Runs: 2, Timed: true}, func() (int, error) {
		if calls++; calls > 3 {
			runtime.GC()
		}
		return parse(20_000)
	})
	c := r.Cost
	if calls != 5 || c == nil || c.Records != 40_000 || c.GCCycles < 2 || ownObjects(r.Scope) != 44_000 {
		t.Fatalf("%d calls, cost %+v:\n%s", calls, c, text(t, r))
	}
	if c.WallSeconds <= 0 || c.CPUSeconds <= 0 || c.PauseSeconds <= 0 || c.PeakHeapBytes < 10_000 || c.GCCPUSeconds < 0 {
		t.Errorf("cost %+v", c)
	}
	if s := text(t, r); !strings.Contains(s, "busy") || !strings.Contains(s, "heap up to") {
		t.Errorf("report:\n%s", s)
	}
	whole := hooked() && os.Getenv("ALLOCTOP_COUNTERS") != ""
	if c.Uncounted == whole {
		t.Errorf("uncounted is %v", c.Uncounted)
	}
	// Without being asked for, times are those of the exact engine.
	if r := mustMeasure(t, MeasureOptions{}, func() (int, error) { return parse(10) }); (r.Cost != nil) != hooked() {
		t.Errorf("cost %+v", r.Cost)
	}
}

// TestMeasureNested: the inner one is in the outer one's counts, its own work
// is in none.
func TestMeasureNested(t *testing.T) {
	var inner *Report
	outer := mustMeasure(t, MeasureOptions{Label: "outer"}, func() (int, error) {
		inner = mustMeasureQuietly(MeasureOptions{Label: "inner", Runs: 3}, func() (int, error) { return parse(100) })
		return parse(10)
	})
	checkMeasured(t, inner)
	if ownObjects(inner.Scope) != 330 {
		t.Errorf("inner:\n%s", text(t, inner))
	}
	if ownObjects(outer.Scope) != 341 || atMarker(t, outer.Scope, "tenth") != 31 {
		t.Errorf("outer:\n%s", text(t, outer))
	}
	if len(inner.Scope.Notes) != 0 || len(outer.Scope.Notes) != 1 || !strings.HasPrefix(outer.Scope.Notes[0], "Measure inner ran inside") {
		t.Errorf("notes: inner %q, outer %q", inner.Scope.Notes, outer.Scope.Notes)
	}
	mustBeIdle(t)
}

// mustMeasureQuietly allocates nothing outside of Measure.
func mustMeasureQuietly(o MeasureOptions, f func() (int, error)) *Report {
	r, err := o.Measure(f)
	if err != nil {
		panic(err)
	}
	return r
}

// TestMeasureConcurrent: each one says that it saw the other's allocations.
func TestMeasureConcurrent(t *testing.T) {
	begun, done := make(chan bool), make(chan *Report)
	go func() {
		<-begun
		done <- mustMeasureQuietly(MeasureOptions{Label: "second"}, func() (int, error) { return parse(1000) })
	}()
	var second *Report
	first := mustMeasure(t, MeasureOptions{Label: "first"}, func() (int, error) {
		begun <- true
		second = <-done
		return parse(10)
	})
	checkMeasured(t, second)
	if n := atMarker(t, first.Scope, "each"); n != 1010 {
		t.Errorf("first has %d objects:\n%s", n, text(t, first))
	}
	if n := atMarker(t, second.Scope, "each"); n != 1000 {
		t.Errorf("second has %d objects:\n%s", n, text(t, second))
	}
	for _, c := range []struct {
		r     *Report
		other string
	}{{first, "second"}, {second, "first"}} {
		if n := c.r.Scope.Notes; len(n) != 1 || !strings.HasPrefix(n[0], fmt.Sprintf("Measure %s ran in another goroutine at the same time", c.other)) {
			t.Errorf("notes of the one beside %s: %q", c.other, n)
		}
	}
	if hooked() {
		for _, x := range first.Sites {
			if strings.HasPrefix(path.Base(x.UserFile), "measure") && path.Base(x.UserFile) != "measure_test.go" {
				t.Errorf("the work of the other Measure: %+v", x)
			}
		}
	}
	mustBeIdle(t)
}

// TestMeasureGoroutines: what goroutines allocate that the function starts is
// counted, too.
func TestMeasureGoroutines(t *testing.T) {
	r := mustMeasure(t, MeasureOptions{}, func() (int, error) {
		done := make(chan int, 4)
		for range 4 {
			go func() { n, _ := parse(100); done <- n }()
		}
		records := 0
		for range 4 {
			records += <-done
		}
		return records, nil
	})
	if each, tenth := atMarker(t, r.Scope, "each"), atMarker(t, r.Scope, "tenth"); each != 400 || tenth != 40 || r.Records != 400 {
		t.Errorf("report:\n%s", text(t, r))
	}
}

func TestMeasureInBenchmark(t *testing.T) {
	setBenchtime(t, "3x")
	var reports []*Report
	testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			reports = append(reports, mustMeasureQuietly(MeasureOptions{Label: "list"}, func() (int, error) { return parse(100) }))
		}
	})
	if len(reports) != 3 {
		t.Errorf("%d reports", len(reports))
	}
	for _, r := range reports {
		checkMeasured(t, r)
		if ownObjects(r.Scope) != 110 {
			t.Errorf("report:\n%s", text(t, r))
		}
	}
}
