package pprofui

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// hostile is a profile of a stranger: it names a file of this machine, and
// functions that are markup.
func hostile(file string) *profile.Profile {
	fn := &profile.Function{ID: 1, Name: "</script><img src=x onerror=alert(1)>", SystemName: "main.f", Filename: file}
	m := &profile.Mapping{ID: 1, Start: 0x1000, Limit: 0x2000, File: file, HasFunctions: true}
	at := &profile.Location{ID: 1, Mapping: m, Address: 0x1100, Line: []profile.Line{{Function: fn, Line: 1}}}
	return &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}},
		Sample:     []*profile.Sample{{Location: []*profile.Location{at}, Value: []int64{7}}},
		Location:   []*profile.Location{at}, Function: []*profile.Function{fn}, Mapping: []*profile.Mapping{m},
	}
}

// get asks for a page under a prefix, as a server mounts it.
func get(p *Pages, method, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	http.StripPrefix("/pprof", p).ServeHTTP(w, httptest.NewRequest(method, "/pprof"+path, nil))
	return w
}

func of(p *profile.Profile) func(context.Context) (*profile.Profile, error) {
	return func(context.Context) (*profile.Profile, error) { return p, nil }
}

func TestPages(t *testing.T) {
	pages := &Pages{Profile: of(hostile("/src/f.go"))}
	if w := get(pages, "GET", "/"); w.Code != http.StatusMovedPermanently || w.Header().Get("Location") != "flamegraph" {
		t.Errorf("the index answers %d to %q, want a relative way to the flame graph", w.Code, w.Header().Get("Location"))
	}
	for _, path := range []string{"/flamegraph", "/top", "/peek", "/download"} {
		w := get(pages, "GET", path)
		if w.Code != http.StatusOK {
			t.Errorf("%s answers %d: %s", path, w.Code, w.Body)
		}
		if strings.Contains(w.Body.String(), "<img src=x") {
			t.Errorf("%s has a name that became markup", path)
		}
		if w.Header().Get("Content-Security-Policy") != policy {
			t.Errorf("%s has the policy %q", path, w.Header().Get("Content-Security-Policy"))
		}
	}
}

func TestPagesThatWriteOrRunAreGone(t *testing.T) {
	pages := &Pages{Profile: of(hostile("/src/f.go"))}
	for _, path := range []string{"/saveconfig?config=x", "/deleteconfig?config=x", "/disasm?f=.", "/source?f=.", "/none", ""} {
		if w := get(pages, "GET", path); w.Code != http.StatusNotFound {
			t.Errorf("%s answers %d, want 404", path, w.Code)
		}
	}
	if w := get(pages, "POST", "/top"); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST answers %d, want 405", w.Code)
	}
}

func TestSourceOnlyWhenAskedFor(t *testing.T) {
	const secret = "a secret of this machine"
	file := filepath.Join(t.TempDir(), "secret.go")
	if err := os.WriteFile(file, []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, asked := range []bool{false, true} {
		pages := &Pages{Profile: of(hostile(file)), Source: asked}
		for _, path := range []string{"/", "/flamegraph", "/top", "/peek?f=.", "/source?f=.", "/disasm?f=.", "/download"} {
			shown := strings.Contains(get(pages, "GET", path).Body.String(), secret)
			if shown != (asked && path == "/source?f=.") {
				t.Errorf("source asked for: %v, but %s shows it: %v", asked, path, shown)
			}
		}
	}
}

// The index shows what is there now; the others keep to that until it is asked
// for again. What pprof does to a profile is not done to ours.
func TestProfileIsFetchedByTheIndex(t *testing.T) {
	calls := 0
	p := hostile("/src/f.go")
	before := p.String()
	pages := &Pages{Profile: func(context.Context) (*profile.Profile, error) { calls++; return p, nil }}
	for _, path := range []string{"/top", "/flamegraph", "/", "/top"} {
		get(pages, "GET", path)
	}
	if calls != 2 {
		t.Errorf("the profile was fetched %d times, want 2", calls)
	}
	if p.String() != before {
		t.Error("the profile was changed")
	}
}

func TestNoProfile(t *testing.T) {
	for name, f := range map[string]func(context.Context) (*profile.Profile, error){
		"an error": func(context.Context) (*profile.Profile, error) { return nil, errors.New("gone") },
		"none":     of(nil),
	} {
		if w := get(&Pages{Profile: f}, "GET", "/"); w.Code != http.StatusServiceUnavailable {
			t.Errorf("%s: %d, want 503", name, w.Code)
		}
	}
}
