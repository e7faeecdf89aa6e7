// Package pprofui serves the pages of pprof (github.com/google/pprof/driver)
// for a profile that is at hand: its graph, its flame graph, its tables.
//
// pprof as a program may do what a server must not do for whoever wrote a
// profile. So these pages read no file that a profile names, neither source nor
// binaries, unless that was asked for; they run no tool but Graphviz's dot for
// the graph, and save nothing.
package pprofui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/google/pprof/driver"
	"github.com/google/pprof/profile"
)

// Pages serves the pages of the newest profile. Requests for the index fetch it
// anew; the pages that it links to are of the same one.
type Pages struct {
	// Profile returns the profile as it is now.
	Profile func(context.Context) (*profile.Profile, error)

	// Source mounts the page that shows source code. It shows any file that the
	// profile names to any browser that can reach the server, so it is for
	// profiles that this machine recorded, and for those who ask for it.
	Source bool

	mu       sync.Mutex
	handlers map[string]http.Handler
}

// policy lets pprof's pages run their own scripts, which are in the pages, and
// ask for nothing elsewhere.
const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServeHTTP serves the page that the request's path names, the index at "/". To
// mount the pages elsewhere, strip the prefix and keep the slash behind it.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	h, err := p.handler(r.Context(), r.URL.Path)
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	case h == nil:
		http.NotFound(w, r)
	default:
		w.Header().Set("Content-Security-Policy", policy)
		h.ServeHTTP(w, r)
	}
}

// handler returns the handler of one page, nil if there is no such page.
func (p *Pages) handler(ctx context.Context, path string) (http.Handler, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.handlers == nil || path == "/" {
		now, err := p.Profile(ctx)
		if err != nil {
			return nil, err
		}
		if now == nil {
			return nil, errors.New("there is no profile to show")
		}
		handlers, err := build(now.Copy(), p.Source)
		if err != nil {
			return nil, err
		}
		p.handlers = handlers
	}
	return p.handlers[path], nil
}

// building is held while pprof makes its handlers, which it does by way of
// variables of its own that are the same for all.
var building sync.Mutex

// build returns pprof's handlers by path.
func build(p *profile.Profile, source bool) (map[string]http.Handler, error) {
	building.Lock()
	defer building.Unlock()
	var handlers map[string]http.Handler
	err := driver.PProf(&driver.Options{
		Flagset: newFlags("-http=localhost:0", "-no_browser", "-symbolize=none", "profile"),
		Fetch:   fetched{p}, Sym: nothing{}, Obj: nothing{}, UI: silent{}, Writer: unwritten{},
		HTTPServer: func(args *driver.HTTPServerArgs) error {
			handlers = args.Handlers
			return nil
		},
	})
	if err != nil {
		return nil, fmt.Errorf("making pprof's pages: %w", err)
	}
	for _, path := range []string{"/saveconfig", "/deleteconfig", "/disasm"} { // write files, run tools
		delete(handlers, path)
	}
	if !source {
		delete(handlers, "/source")
	}
	return handlers, nil
}

// fetched is a profile that needs no fetching. Since its source is nowhere,
// pprof keeps no copy on disk.
type fetched struct{ p *profile.Profile }

func (f fetched) Fetch(string, time.Duration, time.Duration) (*profile.Profile, string, error) {
	return f.p, "", nil
}

// nothing is what pprof is given in place of tools that read binaries, look up
// symbols and write files.
type nothing struct{}

var errNothing = errors.New("not in these pages")

func (nothing) Symbolize(string, driver.MappingSources, *profile.Profile) error { return nil }

func (nothing) Open(string, uint64, uint64, uint64, string) (driver.ObjFile, error) {
	return nil, errNothing
}

func (nothing) Disasm(string, uint64, uint64, bool) ([]driver.Inst, error) { return nil, errNothing }

// unwritten is a place for files where none can be made.
type unwritten struct{}

func (unwritten) Open(string) (io.WriteCloser, error) { return nil, errNothing }

// silent is a terminal that nobody sees.
type silent struct{}

func (silent) ReadLine(string) (string, error)     { return "", io.EOF }
func (silent) Print(...any)                        {}
func (silent) PrintErr(...any)                     {}
func (silent) IsTerminal() bool                    { return false }
func (silent) WantBrowser() bool                   { return false }
func (silent) SetAutoComplete(func(string) string) {}
