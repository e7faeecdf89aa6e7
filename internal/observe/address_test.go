package observe

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"strings"
	"testing"
	"time"

	"github.com/alloctop/alloctop/alloccount"
)

// fetch asks an address once.
func fetch(ctx context.Context, t *testing.T, text string) error {
	t.Helper()
	a, err := NewAddress(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.Fetch(ctx)
	if (err == nil) != (p != nil) {
		t.Fatalf("a profile %v and an error %v", p, err)
	}
	return err
}

func server(t *testing.T, f http.HandlerFunc) *httptest.Server {
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return s
}

// A program that imports net/http/pprof is found by its host, by the index of
// its profiles, and by the profile itself.
func TestFetchFromProgram(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	s := httptest.NewServer(mux)
	defer s.Close()
	for _, path := range []string{"", "/", "/debug/pprof", "/debug/pprof/", "/debug/pprof/allocs", "/debug/pprof/heap"} {
		a, err := NewAddress(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := a.Fetch(t.Context())
		if err != nil {
			t.Errorf("%q: %v", path, err)
			continue
		}
		if _, err := alloccount.NewReport(p, alloccount.ReportOptions{}); err != nil {
			t.Errorf("%q: %v", path, err)
		}
		if want := strings.TrimPrefix(s.URL, "http://"); a.Host() != want {
			t.Errorf("the program is called %q, want %q", a.Host(), want)
		}
	}
}

func TestIsAddress(t *testing.T) {
	for word, want := range map[string]bool{
		"http://localhost:6060": true, "HTTPS://host/x": true, "r.pb.gz": false, "localhost:6060": false, "-": false, "ftp://host/x": false, "": false,
	} {
		if got := IsAddress(word); got != want {
			t.Errorf("%q is an address: %v", word, got)
		}
	}
}

func TestBadAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"http://":           "no host",
		"http://host:port/": "invalid port",
		"http://host/debug/pprof/allocs?seconds=5":    "leave it out",
		"http://name:secret@host:bad/":                "invalid port",
		"http://%zz/":                                 "not an address",
		"http://:6060/debug/pprof/allocs":             "no host",
		"http://host/debug/pprof/allocs?gc=1&seconds": "leave it out",
	} {
		_, err := NewAddress(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %q in it", text, err, want)
		}
	}
}

func TestWhatIsNoProfile(t *testing.T) {
	other := server(t, func(w http.ResponseWriter, _ *http.Request) { t.Error("a server was asked that nobody named") })
	answers := map[string]http.HandlerFunc{
		"does the program import net/http/pprof": http.NotFound,
		"may have a name and a password":         func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
		"500 Internal Server Error":              func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"names another server":                   func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) },
		"this is a web page":                     func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html></html>") },
		"text form of a heap profile": func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "heap profile: 1: 2 [3: 4] @ heap/524288")
		},
		"the profile is empty": func(http.ResponseWriter, *http.Request) {},
		"damaged":              func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte{0x1f, 0x8b, 1, 2, 3}) },
	}
	for want, answer := range answers {
		if err := fetch(t.Context(), t, server(t, answer).URL); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q in it", err, want)
		}
	}
}

// A server that never stops sending is cut off.
func TestEndlessProfile(t *testing.T) {
	block := bytes.Repeat([]byte{0x0a}, 1<<20)
	s := server(t, func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	if err := fetch(t.Context(), t, s.URL); err == nil || !strings.Contains(err.Error(), "larger than 128 MiB") {
		t.Errorf("the error is %v", err)
	}
}

// Who gives up waiting does not wait for a server that says nothing.
func TestSilentServer(t *testing.T) {
	asked, done := make(chan struct{}), make(chan struct{})
	s := server(t, func(http.ResponseWriter, *http.Request) { close(asked); <-done })
	defer close(done)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if err := fetch(ctx, t, s.URL); err == nil {
		t.Error("there is a profile")
	}
}

// A server that takes too long is named, without the password of its address.
func TestSlowServer(t *testing.T) {
	done := make(chan struct{})
	s := server(t, func(http.ResponseWriter, *http.Request) { <-done })
	defer close(done)
	a, err := NewAddress(strings.Replace(s.URL, "://", "://name:secret@", 1))
	if err != nil {
		t.Fatal(err)
	}
	a.client.Timeout = time.Millisecond
	_, err = a.Fetch(t.Context())
	if err == nil || !strings.Contains(err.Error(), "did not answer") || strings.Contains(err.Error(), "secret") {
		t.Errorf("the error is %v", err)
	}
}

// Whether a program has ended, or was not there from the beginning, is told apart.
func TestProgramThatIsGone(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(pprof.Handler("allocs").ServeHTTP))
	a, err := NewAddress(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Fetch(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if _, err := a.Fetch(t.Context()); err == nil || !strings.Contains(err.Error(), "ended, or serves no more") {
		t.Errorf("of a program that was there, the error is %v", err)
	}
	if err := fetch(t.Context(), t, s.URL); err == nil || !strings.Contains(err.Error(), "is the program running?") {
		t.Errorf("of a program that was not there, the error is %v", err)
	}
}
