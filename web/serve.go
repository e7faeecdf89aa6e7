package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/alloctop/alloctop/alloccount"
)

// Handler serves the pages of l:
//
//	/               the page, which keeps itself up to date
//	/events         what the page listens to, server-sent events
//	/report.json    the report
//	/profile.pb.gz  the profile it is made from, if there is one
//	/pprof/         l.PProf
//
// It answers GET and HEAD, and changes nothing by it.
func (l *Live) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", l.servePage)
	mux.HandleFunc("GET /events", l.serveEvents)
	mux.HandleFunc("GET /report.json", l.serveReport)
	mux.HandleFunc("GET /profile.pb.gz", l.serveProfile)
	if l.PProf != nil {
		mux.Handle("GET /pprof/", http.StripPrefix("/pprof", l.PProf))
	}
	return Guard(mux, l.Hosts...)
}

// Guard lets only those requests through to h that a browser makes for a page
// of this server: by GET or HEAD, and for localhost, an address in numbers, or
// one of the hosts. A page on the web that made its own name point here would
// ask for that name (DNS rebinding).
func Guard(h http.Handler, hosts ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "no-referrer")
		head.Set("Cross-Origin-Resource-Policy", "same-origin")
		head.Set("Cross-Origin-Opener-Policy", "same-origin")
		head.Set("Cache-Control", "no-store")
		head.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		switch {
		case !allowedHost(r.Host, hosts):
			http.Error(w, "this server does not answer for that name; ask for localhost or its address", http.StatusMisdirectedRequest)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			head.Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		default:
			h.ServeHTTP(w, r)
		}
	})
}

// allowedHost reports whether a Host header names this server.
func allowedHost(host string, hosts []string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		return true
	}
	return slices.ContainsFunc(hosts, func(h string) bool { return strings.EqualFold(h, name) })
}

// servePage answers with the page as it is now.
func (l *Live) servePage(w http.ResponseWriter, r *http.Request) {
	v, err := l.current(r.Context())
	if err != nil {
		unavailable(w, err)
		return
	}
	a, err := loadAssets()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	d := v.snapshot.document(a, v.page)
	d.Policy, d.Live, d.Version, d.PProf = "", true, version(v.page), l.PProf != nil
	var out bytes.Buffer
	if err := d.write(&out, a.page); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Security-Policy", a.policy("'self'")+"; frame-ancestors 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(out.Bytes())
}

// version tells the data of pages apart.
func version(page []byte) string {
	sum := sha256.Sum256(page)
	return hex.EncodeToString(sum[:8])
}

// unavailable says why there is nothing to show.
func unavailable(w http.ResponseWriter, err error) {
	w.Header().Set("Retry-After", "1")
	http.Error(w, err.Error(), http.StatusServiceUnavailable)
}

// serveReport answers with the report as JSON.
func (l *Live) serveReport(w http.ResponseWriter, r *http.Request) {
	v, err := l.current(r.Context())
	if err != nil {
		unavailable(w, err)
		return
	}
	var out bytes.Buffer
	if err := v.snapshot.Report.WriteJSON(&out); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(out.Bytes())
}

// serveProfile answers with the profile as pprof reads it.
func (l *Live) serveProfile(w http.ResponseWriter, r *http.Request) {
	v, err := l.current(r.Context())
	if err != nil {
		unavailable(w, err)
		return
	}
	if v.snapshot.Profile == nil {
		http.Error(w, "there is no profile of this report", http.StatusNotFound)
		return
	}
	var out bytes.Buffer
	if err := alloccount.WriteProfile(&out, v.snapshot.Profile); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="alloctop.pb.gz"`)
	w.Write(out.Bytes())
}

// How long a browser may take for what it is sent, and how often it hears that
// the server is there.
const (
	writePatience = 30 * time.Second
	heartbeat     = 15 * time.Second
)

// serveEvents sends what changes, until the browser leaves or nothing changes
// any more: "ticks" with the rates so far, "tick" with those of one interval,
// "page" with new data, "trouble" with why there is none, and "end".
func (l *Live) serveEvents(w http.ResponseWriter, r *http.Request) {
	s := &stream{w: w, control: http.NewResponseController(w), has: r.URL.Query().Get("page")}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	if r.Method == http.MethodHead {
		return
	}
	defer l.Watch()()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		v, changed := l.look()
		if err := s.show(v); err != nil || s.ended {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-changed:
		case <-beat.C:
			if s.send("", nil) != nil {
				return
			}
		}
	}
}

// stream is what one browser has been sent.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	has     string // version of the page that it came with
	started bool
	ticks   int // how many, dropped ones included
	pages   int
	trouble string
	ended   bool
}

// show sends what is new in v.
func (s *stream) show(v view) error {
	if !s.started {
		text, err := json.Marshal(v.ticks)
		if err != nil {
			return fmt.Errorf("making an event: %w", err)
		}
		if v.ticks == nil {
			text = []byte("[]")
		}
		if err := s.send("ticks", text); err != nil {
			return err
		}
		s.started, s.ticks = true, v.dropped+len(v.ticks)
	}
	for ; s.ticks < v.dropped+len(v.ticks); s.ticks++ {
		text, err := json.Marshal(v.ticks[max(0, s.ticks-v.dropped)])
		if err == nil {
			err = s.send("tick", text)
		}
		if err != nil {
			return err
		}
	}
	if s.pages != v.pages {
		s.pages = v.pages
		if s.has != version(v.page) {
			if err := s.send("page", v.page); err != nil {
				return err
			}
		}
		s.has = ""
	}
	if s.trouble != v.trouble {
		s.trouble = v.trouble
		text, err := json.Marshal(v.trouble)
		if err == nil {
			err = s.send("trouble", text)
		}
		if err != nil {
			return err
		}
	}
	if v.snapshot.Ended {
		s.ended = true
		return s.send("end", []byte("{}"))
	}
	return nil
}

// send sends an event, or a comment that keeps the connection open. Data is
// JSON, which json.Marshal writes on one line.
func (s *stream) send(event string, data []byte) error {
	if err := s.control.SetWriteDeadline(time.Now().Add(writePatience)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	text := ":\n\n"
	if event != "" {
		text = "event: " + event + "\ndata: " + string(data) + "\n\n"
	}
	if _, err := s.w.Write([]byte(text)); err != nil {
		return err
	}
	return s.control.Flush()
}

// Listen listens at an address. Without a host it is that of this machine
// alone, so that nobody else sees the pages unless somebody wants that.
func Listen(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%q is no address: want host:port, as 127.0.0.1:8080, or 127.0.0.1:0 for any free port", address)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, fmt.Errorf("cannot listen at %s; with port 0 any that is free is taken: %w", address, err)
	}
	return l, nil
}

// Serve serves h until ctx is done, and then ends what is still open. It closes
// the listener.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	requests, cancel := context.WithCancel(ctx)
	defer cancel()
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute,
		BaseContext: func(net.Listener) context.Context { return requests },
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	select {
	case err := <-done:
		return fmt.Errorf("serving the pages: %w", err)
	case <-ctx.Done():
	}
	cancel() // ends the streams of events
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer stop()
	if err := server.Shutdown(last); err != nil {
		return server.Close()
	}
	return nil
}
