package web

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/google/pprof/profile"
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
	// and only while a browser watches or asks, or between Watch and its stop.
	// After it returned a snapshot that has ended, it is not called again.
	Take func(context.Context) (Snapshot, error)

	// Interval is the time between snapshots, 0 is a second.
	Interval time.Duration

	// Hosts are the names by which a browser may ask for the pages, besides
	// localhost and addresses in numbers. A request for any other name is from a
	// page that made its own name point here.
	Hosts []string

	// PProf is mounted at /pprof/; nil is none. See package pprofui, which takes
	// Live.Profile for its profile.
	PProf http.Handler

	taking   sync.Mutex // held while Take runs
	nextPage time.Time  // before that no new page is made; guarded by taking

	mu       sync.Mutex // guards what follows
	watchers int
	left     chan struct{} // closed when one of them leaves, nil while nobody waits for that
	stop     func()        // ends the loop, nil while none runs
	changed  chan struct{} // closed at the next change
	now      view
	past     sums      // of the last snapshot
	taken    time.Time // when that was
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

// rest is how many times what a snapshot took must pass before the next, so that
// to look at a program takes at most a quarter of a processor from it.
const rest = 3

// patience is how many times what it took to make a page must pass before it is
// made anew, so that large reports do not keep a processor busy.
const patience = 8

// Watch has snapshots taken until stop is called, as a browser that looks has.
// Who comes late then sees what there was before.
func (l *Live) Watch() (stop func()) {
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
		if l.left != nil {
			close(l.left)
			l.left = nil
		}
		if l.watchers == 0 && l.stop != nil {
			l.stop()
			l.stop = nil
		}
	})
}

// loop takes snapshots while somebody watches and there is something to see.
func (l *Live) loop(ctx context.Context) {
	next := time.NewTimer(0)
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
		}
		start := time.Now()
		if l.update(ctx) {
			l.mu.Lock()
			l.stop = nil
			l.mu.Unlock()
			return
		}
		next.Reset(max(l.interval(), rest*time.Since(start)))
	}
}

// interval returns the time between snapshots.
func (l *Live) interval() time.Duration {
	if l.Interval <= 0 {
		return time.Second
	}
	return l.Interval
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
	l.now.trouble, l.taken = "", time.Now()
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

// current returns what is shown now. It takes a snapshot if there is none, or
// while none are taken, since nobody watches.
func (l *Live) current(ctx context.Context) (view, error) {
	v, _ := l.look()
	if v.page == nil || l.idle() {
		l.update(ctx)
		v, _ = l.look()
	}
	if v.page == nil {
		return v, errNothing(v.trouble)
	}
	return v, ctx.Err()
}

// idle reports whether what is shown is out of date and stays so by itself.
func (l *Live) idle() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stop == nil && !l.now.snapshot.Ended && time.Since(l.taken) >= l.interval()
}

// Profile returns the profile of what is shown now, nil if there is none.
func (l *Live) Profile(ctx context.Context) (*profile.Profile, error) {
	v, err := l.current(ctx)
	return v.snapshot.Profile, err
}

// End takes a last snapshot, which Take has to say has ended, and waits until
// all who watch have it, or ctx is done.
func (l *Live) End(ctx context.Context) {
	l.update(ctx)
	for {
		l.mu.Lock()
		left := l.left
		if left == nil {
			left = make(chan struct{})
			l.left = left
		}
		watchers := l.watchers
		l.mu.Unlock()
		if watchers == 0 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-left:
		}
	}
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
	Scopes  map[string]*tickScope `json:"scopes"` // by tickKey
}

// tickScope is what a process allocated, without what is zero.
type tickScope struct {
	Sizes []sizeTick `json:"sizes"`
	Lines []lineTick `json:"lines"` // the heaviest
}
