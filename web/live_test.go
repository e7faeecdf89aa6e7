package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alloctop/alloctop/alloccount"
)

// program is something that allocates: one line small objects, another large.
type program struct {
	t      *testing.T
	mu     sync.Mutex
	small  int64
	large  int64
	ended  bool
	broken error
	takes  atomic.Int64
	clock  time.Time
}

func newProgram(t *testing.T) *program {
	return &program{t: t, small: 1, clock: time.Unix(1_000_000, 0)}
}

// step lets the program allocate, and a second pass.
func (p *program) step(small, large int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.small += small
	p.large += large
	p.clock = p.clock.Add(time.Second)
}

func (p *program) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
}

func (p *program) take(ctx context.Context) (Snapshot, error) {
	p.takes.Add(1)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken != nil {
		return Snapshot{}, p.broken
	}
	b := newProfile()
	b.add(p.small, 8, 16, "", call{"example.com/app.small", "/src/app/small.go", 10})
	b.add(p.large, 4000, 4096, "", call{"example.com/app.large", "/src/app/large.go", 20})
	return Snapshot{Page: b.page(p.t), Time: p.clock, Ended: p.ended}, nil
}

// serve serves l.
func serve(t *testing.T, l *Live) *httptest.Server {
	s := httptest.NewServer(l.Handler())
	t.Cleanup(s.Close)
	return s
}

// event is a server-sent event.
type event struct{ name, data string }

// watcher reads the events of a server.
type watcher struct {
	t     *testing.T
	body  io.Closer
	lines *bufio.Scanner
}

func watch(t *testing.T, s *httptest.Server) *watcher {
	t.Helper()
	r, err := http.Get(s.URL + "/events")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Body.Close() })
	if got := r.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Fatalf("the events are %s", got)
	}
	lines := bufio.NewScanner(r.Body)
	lines.Buffer(nil, 1<<24)
	return &watcher{t, r.Body, lines}
}

// next returns the next event, or none where the stream ends.
func (w *watcher) next() event {
	w.t.Helper()
	var e event
	for w.lines.Scan() {
		switch name, value, _ := strings.Cut(w.lines.Text(), ": "); {
		case name == "event":
			e.name = value
		case name == "data":
			e.data = value
		case e.name != "":
			return e
		}
	}
	return event{}
}

// until returns the events up to the first of a name.
func (w *watcher) until(name string) (all []event) {
	w.t.Helper()
	for {
		e := w.next()
		if e.name == "" {
			w.t.Fatalf("the stream ended before %q; there were %q", name, all)
		}
		all = append(all, e)
		if e.name == name {
			return all
		}
	}
}

// grew adds up what a tick says of objects.
func grew(t *testing.T, data string) (objects int64) {
	t.Helper()
	var tick struct {
		Scopes map[string]struct{ Sizes [][]*int64 }
	}
	if err := json.Unmarshal([]byte(data), &tick); err != nil {
		t.Fatal(err)
	}
	for _, s := range tick.Scopes {
		for _, row := range s.Sizes {
			objects += *row[1]
		}
	}
	return objects
}

func TestEventsFollowTheProgram(t *testing.T) {
	p := newProgram(t)
	w := watch(t, serve(t, &Live{Take: p.take, Interval: time.Millisecond}))
	first := w.until("page")
	if first[0] != (event{"ticks", "[]"}) {
		t.Errorf("the first event is %q, want no ticks yet", first[0])
	}
	var sum int64
	for i := range int64(5) {
		p.step(100+i, 7)
		all := w.until("tick")
		sum += grew(t, all[len(all)-1].data)
	}
	if want := int64(5*100 + 10 + 5*7); sum != want {
		t.Errorf("the ticks add up to %d objects, want %d", sum, want)
	}
	p.end()
	w.until("end")
	if e := w.next(); e.name != "" {
		t.Errorf("after the end comes %q", e)
	}
}

func TestTickNamesSizesAndLines(t *testing.T) {
	p := newProgram(t)
	before, _ := p.take(t.Context())
	p.step(5, 2)
	after, _ := p.take(t.Context())
	got, err := json.Marshal(newTick(after.Time, 1, sumsOf(before.Report), sumsOf(after.Report)))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"time":1000001000,"seconds":1,"scopes":{"profile":{"sizes":[[8,5,80,40],[4096,2,8192,8000]],` +
		`"lines":[["example.com/app/small.go:10",5,80,40],["example.com/app/large.go:20",2,8192,8000]]}}}`
	if string(got) != want {
		t.Errorf("the tick is\n%s\nwant\n%s", got, want)
	}
}

// Who comes late sees what there was before.
func TestHistoryIsKept(t *testing.T) {
	p := newProgram(t)
	s := serve(t, &Live{Take: p.take, Interval: time.Millisecond})
	early := watch(t, s)
	early.until("page")
	for range 3 {
		p.step(10, 0)
		early.until("tick")
	}
	var ticks []json.RawMessage
	if err := json.Unmarshal([]byte(watch(t, s).until("ticks")[0].data), &ticks); err != nil {
		t.Fatal(err)
	}
	if len(ticks) != 3 {
		t.Errorf("who comes late sees %d ticks, want 3", len(ticks))
	}
}

func TestNobodyWatchesNothingIsTaken(t *testing.T) {
	p := newProgram(t)
	l := &Live{Take: p.take, Interval: time.Millisecond}
	s := serve(t, l)
	if n := p.takes.Load(); n != 0 {
		t.Errorf("%d snapshots before anybody came", n)
	}
	w := watch(t, s)
	w.until("page")
	w.body.Close()
	stopped := func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.watchers == 0 && l.stop == nil
	}
	for !stopped() {
		time.Sleep(time.Millisecond)
	}
	taken := func() int64 { // when none is under way
		l.taking.Lock()
		defer l.taking.Unlock()
		return p.takes.Load()
	}
	n := taken()
	time.Sleep(20 * time.Millisecond)
	if again := taken(); again > n+1 {
		t.Errorf("%d snapshots after the browser had left", again-n)
	}
	watch(t, s).until("ticks") // and who comes back sees it again
}

func TestAfterTheEndNothingIsTaken(t *testing.T) {
	p := newProgram(t)
	p.end()
	s := serve(t, &Live{Take: p.take, Interval: time.Millisecond})
	watch(t, s).until("end")
	n := p.takes.Load()
	for range 3 {
		watch(t, s).until("end")
	}
	if again := p.takes.Load(); again != n || n != 1 {
		t.Errorf("%d snapshots of a program that had ended, and %d later; want 1 in all", n, again-n)
	}
}

func TestTroubleIsSaidAndEnds(t *testing.T) {
	p := newProgram(t)
	s := serve(t, &Live{Take: p.take, Interval: time.Millisecond})
	w := watch(t, s)
	w.until("page")
	p.mu.Lock()
	p.broken = errors.New("the counter file is gone")
	p.mu.Unlock()
	all := w.until("trouble")
	if got := all[len(all)-1].data; got != `"the counter file is gone"` {
		t.Errorf("the trouble is %s", got)
	}
	if r, err := http.Get(s.URL); err != nil || r.StatusCode != http.StatusOK {
		t.Errorf("with an old snapshot the page answers %v, %v", r, err)
	}
	p.mu.Lock()
	p.broken = nil
	p.mu.Unlock()
	all = w.until("trouble")
	if got := all[len(all)-1].data; got != `""` {
		t.Errorf("when the trouble is over, it is %s", got)
	}
}

func TestNothingToShow(t *testing.T) {
	for name, take := range map[string]func(context.Context) (Snapshot, error){
		"an error":  func(context.Context) (Snapshot, error) { return Snapshot{}, errors.New("no such process") },
		"no report": func(context.Context) (Snapshot, error) { return Snapshot{}, nil },
	} {
		s := serve(t, &Live{Take: take})
		for _, path := range []string{"/", "/report.json", "/profile.pb.gz"} {
			r, err := http.Get(s.URL + path)
			if err != nil {
				t.Fatal(err)
			}
			r.Body.Close()
			if r.StatusCode != http.StatusServiceUnavailable {
				t.Errorf("%s: %s answers %d, want 503", name, path, r.StatusCode)
			}
		}
	}
}

func TestServedPage(t *testing.T) {
	p := newProgram(t)
	s := serve(t, &Live{Take: p.take})
	r, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	policy := r.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'"} {
		if !slices.Contains(strings.Split(policy, "; "), want) {
			t.Errorf("the policy lacks %s: %s", want, policy)
		}
	}
	for _, script := range scriptElement.FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains(script[1], "json") && !strings.Contains(policy, sourceHash(script[2])) {
			t.Error("the policy forbids a script of the page")
		}
	}
	if policyElement.Match(text) {
		t.Error("the page has a policy of its own, which would forbid it to listen")
	}
	if d := dataOf(t, string(text)); d.Scopes[0].Totals[0] != 1 {
		t.Errorf("the page has %d objects, want 1", d.Scopes[0].Totals[0])
	}
}

func TestServedReportAndProfile(t *testing.T) {
	p := newProgram(t)
	s := serve(t, &Live{Take: p.take})
	r, err := http.Get(s.URL + "/report.json")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if report, err := alloccount.ReadReport(r.Body); err != nil || report.Totals.Objects != 1 {
		t.Errorf("the report is %v, %v", report, err)
	}
	r, err = http.Get(s.URL + "/profile.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if profile, err := alloccount.ReadProfile(r.Body); err != nil || len(profile.Sample) == 0 {
		t.Errorf("the profile is %v, %v", profile, err)
	}
}

func TestGuard(t *testing.T) {
	h := Guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "inside") }), "build.example.com")
	for _, c := range []struct {
		method, host string
		want         int
	}{
		{"GET", "127.0.0.1:8080", 200}, {"GET", "localhost:8080", 200}, {"GET", "LOCALHOST", 200}, {"GET", "[::1]:8080", 200}, {"GET", "[::1]", 200},
		{"GET", "192.168.1.7", 200}, {"HEAD", "localhost", 200}, {"GET", "build.example.com:80", 200}, {"GET", "Build.Example.Com.", 200}, {"GET", "me.localhost:1", 200},
		{"GET", "evil.example.com", 421}, {"GET", "evil.example.com:8080", 421}, {"GET", "localhost.evil.example.com", 421}, {"GET", "127.0.0.1.evil.example.com", 421},
		{"GET", "", 421}, {"GET", "evillocalhost", 421}, {"GET", "build.example.com.evil.com", 421},
		{"POST", "localhost", 405}, {"PUT", "localhost", 405}, {"DELETE", "localhost", 405}, {"OPTIONS", "localhost", 405}, {"POST", "evil.example.com", 421},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(c.method, "http://localhost/", nil)
		r.Host = c.host
		h.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s for %q answers %d, want %d", c.method, c.host, w.Code, c.want)
		}
		if w.Code != 200 && strings.Contains(w.Body.String(), "inside") {
			t.Errorf("%s for %q came through", c.method, c.host)
		}
	}
}

func TestListenIsLocalUnlessToldOtherwise(t *testing.T) {
	for address, local := range map[string]bool{":0": true, "127.0.0.1:0": true, "localhost:0": true, "0.0.0.0:0": false} {
		l, err := Listen(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Addr().(*net.TCPAddr).IP.IsLoopback(); got != local {
			t.Errorf("%s listens at %s", address, l.Addr())
		}
		if second, err := Listen(l.Addr().String()); err == nil {
			second.Close()
			t.Errorf("two listen at %s", l.Addr())
		} else if !strings.Contains(err.Error(), "port 0") {
			t.Errorf("the error does not say what to do: %v", err)
		}
		l.Close()
	}
	for _, bad := range []string{"", "8080", "localhost", "a:b:c"} {
		if l, err := Listen(bad); err == nil {
			l.Close()
			t.Errorf("%q is an address", bad)
		}
	}
}

// Serve ends with its context, though a browser still listens.
func TestServeEnds(t *testing.T) {
	l, err := Listen(":0")
	if err != nil {
		t.Fatal(err)
	}
	p := newProgram(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, l, (&Live{Take: p.take, Interval: time.Millisecond}).Handler()) }()
	r, err := http.Get("http://" + l.Addr().String() + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	cancel()
	if err := <-done; err != nil {
		t.Errorf("Serve ends with %v", err)
	}
	if _, err := io.Copy(io.Discard, r.Body); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Logf("the stream ended with %v", err)
	}
	if _, err := http.Get("http://" + l.Addr().String()); err == nil {
		t.Error("it still answers")
	}
}
