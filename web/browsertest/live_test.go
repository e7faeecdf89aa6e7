package browsertest

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/web"
	"github.com/alloctop/alloctop/web/pprofui"
)

// program is something that allocates as it is told to.
type program struct {
	t            *testing.T
	mu           sync.Mutex
	small, large int64
	clock        time.Time
	ended        bool
	broken       error
}

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

// fail makes the program give no answer until it is told nil.
func (p *program) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.broken = err
}

func (p *program) page() web.Page {
	b := newProfile()
	b.add(p.small, 8, "example.com/app.small", "/src/app/small.go", 10, "")
	b.add(p.large, 4000, "example.com/app.large", "/src/app/large.go", 20, "app.Large")
	return pageOf(p.t, b.p, alloccount.ReportOptions{})
}

func (p *program) take(context.Context) (web.Snapshot, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return web.Snapshot{Page: p.page(), Time: p.clock, Ended: p.ended}, p.broken
}

func (p *program) profile(context.Context) (*profile.Profile, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.page().Profile, nil
}

// run serves a program that allocates until the test ends.
func run(t *testing.T) (*program, *httptest.Server) {
	p := &program{t: t, small: 100, large: 3, clock: time.Unix(1_800_000_000, 0)}
	live := &web.Live{Take: p.take, Interval: 10 * time.Millisecond, PProf: &pprofui.Pages{Profile: p.profile}}
	s := httptest.NewServer(live.Handler())
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return p, s
}

// waitFor waits until an expression is true in the page.
func (b *tab) waitFor(expression string) {
	b.t.Helper()
	for range 400 {
		if eval[bool](b, expression) {
			return
		}
		b.settle()
	}
	b.t.Fatalf("it never came to %s; the page has %s", expression, eval[string](b, `document.body.innerText.slice(0, 600)`))
}

func TestLivePageFollowsTheProgram(t *testing.T) {
	p, s := run(t)
	b := newTab(t, 1280, false)
	b.open(s.URL)
	if got, want := b.text("h1"), "1 line makes 97 % of 103 allocations"; got != want {
		t.Errorf("the headline is %q, want %q", got, want)
	}
	for i := range int64(6) {
		p.step(1000+100*i, 50)
		b.waitFor(fmt.Sprintf(`Number(document.body.dataset.ticks || 0) === %d`, i+1))
	}
	b.waitFor(`document.querySelector("h1").innerText === "1 line makes 96 % of 7,903 allocations"`)
	if got, want := b.text("#rates-sub"), "1,550 allocations a second; the most in the last 5 seconds were 1,550"; got != want {
		t.Errorf("the rate is %q, want %q", got, want)
	}
	for _, c := range []struct{ plot, color string }{{"rate-plot", "--c0"}, {"rate-heat-plot", "--h4"}, {"sizes-plot", "--c0"}} {
		if got := eval[int](b, fmt.Sprintf(drawn, c.plot, c.color)); got < 100 {
			t.Errorf("%s has %d pixels in %s", c.plot, got, c.color)
		}
	}

	b.click("#live")
	if got := b.text("#live"); got != "paused" {
		t.Errorf("a click on the sign gives %q", got)
	}
	p.step(5000, 0)
	b.settle()
	b.settle()
	if got := b.text("h1"); !strings.HasSuffix(got, "7,903 allocations") {
		t.Errorf("while paused the headline became %q", got)
	}
	b.click("#live")
	b.waitFor(`document.querySelector("h1").innerText.endsWith("12,903 allocations")`)

	p.end()
	b.waitFor(`document.getElementById("live").innerText === "ended"`)
	if got, want := b.text("#rates-title"), "What did it do over time?"; got != want {
		t.Errorf("after the end the title is %q, want %q", got, want)
	}
	for _, address := range b.requests {
		if address != s.URL+"/" && !strings.HasPrefix(address, s.URL+"/events?page=") {
			t.Errorf("the page asked for %s", address)
		}
	}
}

// A filter, the place and the keyboard stay as they are when new numbers come.
func TestLivePageLeavesTheReaderAlone(t *testing.T) {
	p, s := run(t)
	b := newTab(t, 1280, false)
	b.open(s.URL)
	b.click(".top-line")
	b.do(typing("#lines-search", "sma"))
	p.step(1000, 0)
	b.waitFor(`document.querySelector("h1").innerText.endsWith("1,103 allocations")`)
	if got := eval[string](b, `document.activeElement.id + " " + document.activeElement.value`); got != "lines-search sma" {
		t.Errorf("the keyboard is at %q", got)
	}
	if got := eval[string](b, `[...document.querySelectorAll("#chips .chip")].map((e) => e.innerText).join("|")`); got != "app/small.go:10|“sma”" && !strings.HasSuffix(got, "small.go:10|“sma”") {
		t.Errorf("the filters are %q", got)
	}
}

func TestServerGoesAway(t *testing.T) {
	_, s := run(t)
	b := newTab(t, 1280, false)
	b.open(s.URL)
	b.waitFor(`document.getElementById("live").innerText === "live"`)
	b.forgive() // the console says that the connection is refused
	s.CloseClientConnections()
	s.Close()
	b.waitFor(`document.getElementById("live-trouble")?.innerText === "alloctop does not answer any more; trying again"`)
	if got := b.text("h1"); got != "1 line makes 97 % of 103 allocations" {
		t.Errorf("the page shows %q", got)
	}
}

func TestPprofPages(t *testing.T) {
	_, s := run(t)
	b := newTab(t, 1280, false)
	b.open(s.URL)
	b.do(eval0(`location.href = document.querySelector('#about a[href="pprof/"]').href`))
	b.do(chromedp.WaitReady(chromedp.CSS("#stack-holder")))
	b.waitFor(`document.body.innerText.includes("app.small")`)
	if got, want := eval[string](b, `location.pathname`), "/pprof/flamegraph"; got != want {
		t.Errorf("pprof's pages begin at %s, want %s", got, want)
	}
}
