package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/web"
)

// A page is for this machine alone, unless an address of the network was named;
// then it answers by the name of the machine too.
func TestDoor(t *testing.T) {
	machine, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]struct {
		public bool
		url    string
		hosts  []string
	}{
		"127.0.0.1:0": {false, "http://127.0.0.1:", nil},
		":0":          {false, "http://127.0.0.1:", nil},
		"localhost:0": {false, "http://", []string{"localhost"}},
		"0.0.0.0:0":   {true, "http://" + machine + ":", []string{machine}},
	} {
		d, err := openDoor(address)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		var said bytes.Buffer
		(&app{stderr: &said}).warnPublic(d)
		if d.public() != want.public || !strings.HasPrefix(d.url, want.url) || !slices.Equal(d.hosts, want.hosts) {
			t.Errorf("%s: public %v, %s, hosts %q; want %+v", address, d.public(), d.url, d.hosts, want)
		}
		if strings.Contains(said.String(), "warning: whoever reaches "+d.url) != want.public {
			t.Errorf("%s: it is said: %q", address, said.String())
		}
		_, port, _ := net.SplitHostPort(d.Addr().String())
		if !strings.HasSuffix(d.url, ":"+port+"/") {
			t.Errorf("%s: the address is %s, and it listens at %s", address, d.url, d.Addr())
		}
	}
}

// program serves a profile of so many objects, or an error.
type program struct {
	*httptest.Server
	mu      sync.Mutex
	objects int64
	broken  bool
}

func newProgram(t *testing.T, objects int64) *program {
	p := &program{objects: objects}
	p.Server = httptest.NewServer(http.HandlerFunc(p.answer))
	t.Cleanup(p.Close)
	return p
}

func (p *program) set(objects int64, broken bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.objects, p.broken = objects, broken
}

func (p *program) answer(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken {
		http.Error(w, "broken", http.StatusInternalServerError)
		return
	}
	f := &profile.Function{ID: 1, Name: "example.com/app.small", Filename: "/src/app/small.go"}
	at := &profile.Location{ID: 1, Line: []profile.Line{{Function: f, Line: 10}}}
	alloccount.WriteProfile(w, &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"}},
		Sample:     []*profile.Sample{{Location: []*profile.Location{at}, Value: []int64{p.objects, 16 * p.objects}}},
		Location:   []*profile.Location{at}, Function: []*profile.Function{f},
		Mapping: []*profile.Mapping{{ID: 1, File: "/bin/app"}},
	})
}

// serveAll is alloctop serve of these programs, without its server.
func serveAll(t *testing.T, words ...string) *serving {
	t.Helper()
	s := &serving{app: &app{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard}}
	if err := s.read(t.Context(), words); err != nil {
		t.Fatal(err)
	}
	return s
}

// taken returns the names and objects of the scopes of a snapshot.
func taken(t *testing.T, s *serving) (web.Snapshot, map[string]int64) {
	t.Helper()
	shot, err := s.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]int64)
	for _, scope := range shot.Report.Scopes {
		all[scope.Name] = scope.Totals.Objects
	}
	return shot, all
}

func TestServePrograms(t *testing.T) {
	a, b := newProgram(t, 10), newProgram(t, 20)
	s := serveAll(t, a.URL, b.URL)
	nameA, nameB := "app at "+strings.TrimPrefix(a.URL, "http://"), "app at "+strings.TrimPrefix(b.URL, "http://")
	shot, got := taken(t, s)
	if len(got) != 2 || got[nameA] != 10 || got[nameB] != 20 || shot.Ended {
		t.Errorf("of two programs the page has %v, ended %v", got, shot.Ended)
	}
	a.set(15, false)
	if _, got = taken(t, s); got[nameA] != 15 || got[nameB] != 20 {
		t.Errorf("when one went on, the page has %v", got)
	}
	a.set(0, true)
	b.set(30, false)
	shot, got = taken(t, s)
	if got[nameA] != 15 || got[nameB] != 30 {
		t.Errorf("when one gives no answer, the page has %v", got)
	}
	if !slices.ContainsFunc(shot.Report.Notes, func(n string) bool { return strings.Contains(n, "500 Internal Server Error") }) {
		t.Errorf("that one gives no answer is not among the notes %q", shot.Report.Notes)
	}
	b.set(0, true)
	if shot, err := s.take(t.Context()); err == nil {
		t.Errorf("when none gives an answer, there is the snapshot %v", shot)
	}
	p, err := s.together(t.Context(), s.live(nil))
	if err == nil {
		t.Errorf("when none gives an answer, pprof has %v", p)
	}
}

// A program that ended before the first browser came is shown as it was.
func TestServeProgramThatEndedEarly(t *testing.T) {
	a := newProgram(t, 10)
	s := serveAll(t, a.URL)
	a.set(0, true)
	shot, got := taken(t, s)
	if got["app"] != 10 || len(shot.Report.Notes) == 0 {
		t.Errorf("the page has %v, and the notes %q", got, shot.Report.Notes)
	}
	if _, err := s.take(t.Context()); err == nil {
		t.Error("the next time there is no error")
	}
}

func TestServeNothingToRead(t *testing.T) {
	a := newProgram(t, 1)
	a.set(0, true)
	for word, want := range map[string]string{
		a.URL:                  "500 Internal Server Error",
		"localhost:6060":       "for the program there write http://localhost:6060",
		"http://host/?seconds": "leave it out",
	} {
		s := &serving{app: &app{}}
		if err := s.read(t.Context(), []string{word}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %q in it", word, err, want)
		}
	}
}

// What browsers are shown of a program, they may still be reading when the next
// snapshot is taken.
func TestSnapshotsShareNothing(t *testing.T) {
	a, b := newProgram(t, 10), newProgram(t, 20)
	s := serveAll(t, a.URL, b.URL)
	a.set(0, true)
	first, _ := taken(t, s)
	second, _ := taken(t, s)
	for i := range first.Report.Scopes {
		if first.Report.Scopes[i] == second.Report.Scopes[i] {
			t.Errorf("scope %d is the same in two snapshots", i)
		}
	}
}

// The pages of what others recorded have no source, whoever asks.
func TestServedPagesShowNoFile(t *testing.T) {
	a := newProgram(t, 10)
	s := serveAll(t, a.URL)
	s.source = true
	h := s.live(nil).Handler()
	for path, want := range map[string]int{"/": 200, "/pprof/top": 200, "/pprof/source?f=small": 404, "/pprof/disasm?f=small": 404, "/pprof/saveconfig?config=x": 404, "/../etc/passwd": 307} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), "GET", "http://localhost"+path, nil))
		if w.Code != want {
			t.Errorf("%s answers %d, want %d", path, w.Code, want)
		}
	}
}

// pprof cannot show profiles of different kinds together, and says so.
func TestServedTogether(t *testing.T) {
	a, b := newProgram(t, 10), newProgram(t, 20)
	s := serveAll(t, a.URL, b.URL)
	l := s.live(nil)
	p, err := s.together(t.Context(), l)
	if err != nil || len(p.Sample) != 1 || p.Sample[0].Value[0] != 30 {
		t.Errorf("together they are %v, %v; want one line with 30 objects", p, err)
	}
	s.sources[1].profile = &profile.Profile{SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}}}
	s.sources[1].address = nil
	if p, err := s.together(t.Context(), l); err == nil || !strings.Contains(err.Error(), "serve each by itself") {
		t.Errorf("of different kinds they are %v, %v", p, err)
	}
}
