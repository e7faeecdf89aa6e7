package offcpu

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/felixge/fgprof"
)

// Read takes what a program serves, be it by this package's handler or by
// fgprof's own, and what has been kept in a file.
func TestReadWhatIsServed(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/debug/fgprof", Handler())
	mux.Handle("/theirs", fgprof.Handler())
	server := httptest.NewServer(mux)
	defer server.Close()
	for path, ours := range map[string]bool{"/debug/fgprof?seconds=1": true, "/theirs?seconds=1": false} {
		p, err := Read(t.Context(), server.URL+path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Summarize(p)
		if err != nil {
			t.Fatal(err)
		}
		if s.Samples < 10 || s.Total.All() < s.Samples {
			t.Errorf("%s: %d samples, of goroutines %d", path, s.Samples, s.Total.All())
		}
		for _, l := range s.Lines {
			if ours && !strings.Contains(l.File, "_test.go") && strings.HasPrefix(l.Function, here) && l.Function != here+"fetch" {
				t.Errorf("%s: %s is in the profile, %s", path, l.At(), l.Function)
			}
		}
	}
}

func TestReadFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "wall.pb.gz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := wall(locked).Write(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	p, err := Read(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := Summarize(p); err != nil || s.Total.Waiting != 100 {
		t.Errorf("read %+v, %v", s, err)
	}
	if _, err := Read(t.Context(), name+"?"); err == nil || err.Error() != name+"?: no such file or directory" {
		t.Errorf("a file that is not there: %v", err)
	}
}

// A reader who gives up ends the sampling, in the program too.
func TestGivingUp(t *testing.T) {
	began := make(chan bool, 1)
	handler := Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began <- true
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-began; time.Sleep(30 * time.Millisecond); cancel() }()
	_, err := Read(ctx, server.URL+"/debug/fgprof?seconds=3600")
	if !errors.Is(err, context.Canceled) || strings.Count(err.Error(), server.URL) != 1 {
		t.Errorf("the error is %v", err)
	}
	wantNoSampler(t)
}

func TestReadFails(t *testing.T) {
	server := httptest.NewServer(Handler())
	address := server.URL
	for _, c := range []struct{ from, want string }{
		{address + "?seconds=0", "400 Bad Request"},
		{address + "?seconds=x", "seconds is a number from 1 to 3600"},
		{"http://%zz", "not an address"},
	} {
		if _, err := Read(t.Context(), c.from); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), c.from+": ") {
			t.Errorf("%s: %v, want %s", c.from, err, c.want)
		}
	}
	secret := strings.Replace(address, "//", "//me:secret@", 1) + "?seconds=0"
	if _, err := Read(t.Context(), secret); err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "//me:xxxxx@") {
		t.Errorf("an address with a password: %v", err)
	}
	server.Close()
	if _, err := Read(t.Context(), address+"?seconds=1"); err == nil || !strings.Contains(err.Error(), "no profile was got: ") {
		t.Errorf("a server that is gone: %v", err)
	}
}

// What never ends is not read for ever.
func TestReadEndless(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for zeros := make([]byte, 1<<20); ; {
			if _, err := w.Write(zeros); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	_, err := Read(t.Context(), server.URL)
	if want := server.URL + ": the profile is larger than 128 MiB"; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
