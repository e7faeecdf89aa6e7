package web

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/sizeclass"
)

// scopeOf is a scope of process 7 with n objects of 8 bytes at one line.
func scopeOf(kind alloccount.Kind, name string, procs int, n int64) *alloccount.Scope {
	return &alloccount.Scope{
		Kind: kind, Package: "example.com/app", Name: name, Procs: procs, Process: alloccount.Process{PID: 7},
		SizeClasses: []sizeclass.Bucket{{Max: 8, Objects: n, Bytes: 8 * n, Requested: 8 * n}},
		Sites:       []*alloccount.Site{{Function: "f", Package: "example.com/app", File: "/src/app/f.go", Line: 3, Objects: n, Bytes: 8 * n, Requested: 8 * n}},
	}
}

// grewBy returns the objects that a tick says of each process.
func grewBy(before, after []*alloccount.Scope) map[string]int64 {
	t := newTick(time.Unix(1, 0), 1, sumsOf(&alloccount.Report{Scopes: before}), sumsOf(&alloccount.Report{Scopes: after}))
	all := make(map[string]int64)
	for key, s := range t.Scopes {
		for _, size := range s.Sizes {
			all[key] += size.grew[0]
		}
	}
	return all
}

// Rates are of processes: a benchmark that begins its next round, or is known by
// another name at its end, takes nothing from them and adds nothing.
func TestRatesAreOfTheWholeProcess(t *testing.T) {
	type scopes = []*alloccount.Scope
	bench := func(procs int, n int64) *alloccount.Scope {
		return scopeOf(alloccount.KindBenchmark, "BenchmarkA", procs, n)
	}
	whole := func(procs int, n int64) *alloccount.Scope {
		return scopeOf(alloccount.KindProcess, "app.test", procs, n)
	}
	for name, c := range map[string]struct {
		before, after scopes
		want          map[string]int64
	}{
		"a round goes on":               {scopes{bench(0, 50), whole(0, 60)}, scopes{bench(0, 150), whole(0, 160)}, map[string]int64{"process 7": 100}},
		"the next round begins":         {scopes{bench(0, 50), whole(0, 60)}, scopes{bench(0, 10), whole(0, 160)}, map[string]int64{"process 7": 100}},
		"it ends":                       {scopes{bench(0, 50), whole(0, 60)}, scopes{bench(2, 150), whole(2, 160)}, map[string]int64{"process 7": 100}},
		"the report has no process":     {scopes{bench(0, 50), whole(0, 60)}, scopes{bench(2, 150)}, map[string]int64{}},
		"a process begins":              {nil, scopes{whole(0, 5)}, map[string]int64{"process 7": 5}},
		"two with one number, reused":   {scopes{whole(2, 60)}, scopes{whole(2, 60), whole(0, 5)}, map[string]int64{"process 7": 5}},
		"a program was started anew":    {scopes{whole(0, 60)}, scopes{whole(0, 50)}, map[string]int64{"process 7": 50}},
		"nothing happens":               {scopes{whole(0, 60)}, scopes{whole(0, 60)}, map[string]int64{}},
		"a process is there no longer":  {scopes{whole(0, 60)}, nil, map[string]int64{}},
		"a benchmark that is by itself": {nil, scopes{bench(0, 5)}, map[string]int64{}},
	} {
		if diff := cmp.Diff(c.want, grewBy(c.before, c.after)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A page that is asked for when nobody watches is of now, and not of when
// somebody watched the last time.
func TestPageIsOfNow(t *testing.T) {
	p := newProgram(t)
	s := serve(t, &Live{Take: p.take, Interval: time.Nanosecond})
	for want := int64(1); want < 50; want += 10 {
		r, err := http.Get(s.URL + "/report.json")
		if err != nil {
			t.Fatal(err)
		}
		report, err := alloccount.ReadReport(r.Body)
		r.Body.Close()
		if err != nil || report.Totals.Objects != want {
			t.Fatalf("the report has %v objects, want %d; %v", report, want, err)
		}
		p.step(10, 0)
	}
}

// Asked often, it does not take snapshots more often than it would by itself.
func TestPageIsNotTakenTooOften(t *testing.T) {
	p := newProgram(t)
	s := serve(t, &Live{Take: p.take, Interval: time.Hour})
	for range 5 {
		r, err := http.Get(s.URL + "/report.json")
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
	}
	if n := p.takes.Load(); n != 1 {
		t.Errorf("%d snapshots, want 1", n)
	}
}

// End returns when all who watch have seen the end.
func TestEndIsSeen(t *testing.T) {
	p := newProgram(t)
	l := &Live{Take: p.take, Interval: time.Hour}
	s := serve(t, l)
	var watchers []*watcher
	for range 3 {
		w := watch(t, s)
		w.until("page")
		watchers = append(watchers, w)
	}
	p.step(5, 0)
	p.end()
	l.End(t.Context())
	l.mu.Lock()
	left := l.watchers
	l.mu.Unlock()
	if left != 0 {
		t.Errorf("%d watch when End returned", left)
	}
	for _, w := range watchers {
		all := w.until("end")
		if got := grew(t, all[0].data); all[0].name != "tick" || got != 5 {
			t.Errorf("before the end comes %q with %d objects, want a tick with 5", all[0].name, got)
		}
	}
}

// A browser that never reads does not keep End waiting for ever.
func TestEndIsNotHeldUp(t *testing.T) {
	p := newProgram(t)
	l := &Live{Take: p.take, Interval: time.Hour}
	defer l.Watch()()
	p.end()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l.End(ctx)
}

func TestProfileOfNow(t *testing.T) {
	p := newProgram(t)
	l := &Live{Take: p.take}
	got, err := l.Profile(t.Context())
	if err != nil || len(got.Sample) != 2 {
		t.Errorf("the profile is %v, %v", got, err)
	}
}

// Watched from the beginning, a program has a history for who comes late, also
// when it has ended.
func TestWatchedWithoutABrowser(t *testing.T) {
	p := newProgram(t)
	l := &Live{Take: p.take, Interval: time.Millisecond}
	stop := l.Watch()
	for v, _ := l.look(); v.page == nil; v, _ = l.look() {
		time.Sleep(time.Millisecond)
	}
	for ticks := 0; ticks < 3; {
		p.step(10, 0)
		time.Sleep(time.Millisecond)
		v, _ := l.look()
		ticks = len(v.ticks)
	}
	stop()
	p.step(10, 0)
	p.end()
	l.End(t.Context())
	all := watch(t, serve(t, l)).until("end")
	if all[0].name != "ticks" {
		t.Fatalf("who comes when it has ended sees %q first", all[0])
	}
	if v, _ := l.look(); grewInAll(t, all[0].data) != v.snapshot.Report.Totals.Objects-1 {
		t.Errorf("the history adds up to %d objects, of %d and 1 at first", grewInAll(t, all[0].data), v.snapshot.Report.Totals.Objects)
	}
}

// grewInAll adds up the ticks of an event.
func grewInAll(t *testing.T, data string) (objects int64) {
	t.Helper()
	var ticks []json.RawMessage
	if err := json.Unmarshal([]byte(data), &ticks); err != nil {
		t.Fatal(err)
	}
	for _, tick := range ticks {
		objects += grew(t, string(tick))
	}
	return objects
}
