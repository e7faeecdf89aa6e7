package web

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Snapshot is what a program allocated up to a moment.
type Snapshot struct {
	Page
	Time  time.Time // of the counts
	Ended bool      // nothing will change any more
}

// Live shows what a program allocates while it runs. Its zero value is of no
// use without Take. A Live must not be copied, nor changed once it serves.
type Live struct {
	// Take returns how things are now. It is called by one goroutine at a time,
	// and only while a browser watches or asks. After it returned a snapshot that
	// has ended, it is not called again.
	Take func(context.Context) (Snapshot, error)

	// Interval is the time between snapshots, 0 is a second.
	Interval time.Duration

	// Hosts are the names by which a browser may ask for the pages, besides
	// localhost and addresses in numbers. A request for any other name is from a
	// page that made its own name point here.
	Hosts []string

	// PProf is mounted at /pprof/; nil is none. See package pprofui.
	PProf http.Handler

	taking   sync.Mutex // held while Take runs
	nextPage time.Time  // before that no new page is made; guarded by taking

	mu       sync.Mutex // guards what follows
	watchers int
	stop     func()        // ends the loop, nil while none runs
	changed  chan struct{} // closed at the next change
	now      view
	past     sums // of the last snapshot
}

// view is what all browsers are shown.
type view struct {
	snapshot Snapshot
	page     []byte // its data
	pages    int    // how many there were
	ticks    []tick // what was allocated in each interval, oldest first
	dropped  int    // ticks before those
	trouble  string // why there is nothing newer
}

// mostTicks bounds the history: ten minutes at one a second.
const mostTicks = 600

// patience is how many times what it took to make a page must pass before it is
// made anew, so that large reports do not keep a processor busy.
const patience = 8

// watch has snapshots taken until the returned function is called.
func (l *Live) watch() (unwatch func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watchers++
	if l.stop == nil && !l.now.snapshot.Ended {
		ctx, cancel := context.WithCancel(context.Background())
		l.stop = cancel
		go l.loop(ctx)
	}
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.watchers--
		if l.watchers == 0 && l.stop != nil {
			l.stop()
			l.stop = nil
		}
	})
}

// loop takes snapshots while somebody watches and there is something to see.
func (l *Live) loop(ctx context.Context) {
	interval := l.Interval
	if interval <= 0 {
		interval = time.Second
	}
	next := time.NewTimer(0)
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
		}
		if l.update(ctx) {
			l.mu.Lock()
			l.stop = nil
			l.mu.Unlock()
			return
		}
		next.Reset(interval)
	}
}

// update takes a snapshot and shows it. It reports whether it was the last.
func (l *Live) update(ctx context.Context) (ended bool) {
	l.taking.Lock()
	defer l.taking.Unlock()
	l.mu.Lock()
	last, page := l.now.snapshot, l.now.page
	l.mu.Unlock()
	if last.Ended {
		return true
	}
	s, err := l.Take(ctx)
	if ctx.Err() != nil {
		return false
	}
	if err == nil && s.Report == nil {
		err = errNothing("")
	}
	var fresh []byte
	if start := time.Now(); err == nil && (page == nil || s.Ended || start.After(l.nextPage)) {
		fresh, err = s.encode()
		l.nextPage = time.Now().Add(patience * time.Since(start))
		if bytes.Equal(fresh, page) {
			fresh = nil // a page that is drawn anew takes things from under the reader's hand
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now.trouble = ""
	if err != nil {
		l.now.trouble = err.Error()
	} else {
		l.advance(s, fresh)
	}
	l.signal()
	return s.Ended && err == nil
}

// advance makes s what is shown, with its data if they were made. The caller
// holds l.mu.
func (l *Live) advance(s Snapshot, page []byte) {
	sums := sumsOf(s.Report)
	if seconds := s.Time.Sub(l.now.snapshot.Time).Seconds(); l.past != nil && seconds > 0 {
		l.now.ticks = append(l.now.ticks, newTick(s.Time, seconds, l.past, sums))
		if n := len(l.now.ticks) - mostTicks; n > 0 {
			l.now.ticks = slices.Clone(l.now.ticks[n:])
			l.now.dropped += n
		}
	}
	l.past = sums
	l.now.snapshot = s
	if page != nil {
		l.now.page = page
		l.now.pages++
	}
}

// signal wakes all who wait for a change. The caller holds l.mu.
func (l *Live) signal() {
	if l.changed != nil {
		close(l.changed)
	}
	l.changed = make(chan struct{})
}

// look returns what is shown now, and what tells when that changes.
func (l *Live) look() (view, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.changed == nil {
		l.changed = make(chan struct{})
	}
	return l.now, l.changed
}

// current returns what is shown now, after a first snapshot if there is none.
func (l *Live) current(ctx context.Context) (view, error) {
	if v, _ := l.look(); v.page != nil {
		return v, nil
	}
	l.update(ctx)
	v, _ := l.look()
	if v.page == nil {
		return v, errNothing(v.trouble)
	}
	return v, ctx.Err()
}

// errNothing is the error of a Live that has never had a snapshot.
type errNothing string

func (e errNothing) Error() string {
	if e == "" {
		return "there is nothing to show yet"
	}
	return string(e)
}

// tick is what was allocated between two snapshots.
type tick struct {
	Time    int64                 `json:"time"` // of the later, in milliseconds since 1970
	Seconds float64               `json:"seconds"`
	Scopes  map[string]*tickScope `json:"scopes"` // by the names of scopeData
}

// tickScope is what was allocated of one scope, without what is zero.
type tickScope struct {
	Sizes []sizeTick `json:"sizes"`
	Lines []lineTick `json:"lines"` // the heaviest
}
