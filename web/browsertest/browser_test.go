package browsertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/alloctop/alloctop/internal/testneed"
	"github.com/alloctop/alloctop/web"
)

// patience is how long a page may take on a machine that does other things.
const patience = 4 * time.Minute

// browser is the one that all tests share, each with a tab of its own.
var browser struct {
	once   sync.Once
	ctx    context.Context
	cancel func()
	err    error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if browser.cancel != nil {
		browser.cancel()
	}
	os.Exit(code)
}

// errNoBrowser says what to do about it.
var errNoBrowser = errors.New("no Chromium or Chrome in PATH; on Debian and Ubuntu: apt-get install chromium")

// startBrowser starts the browser as it runs anywhere: without a sandbox, which
// needs rights that containers lack, and without calls home.
func startBrowser() error {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		return errNoBrowser
	}
	flags := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU}
	for _, f := range []string{"disable-quic", "disable-component-update", "disable-domain-reliability"} {
		flags = append(flags, chromedp.Flag(f, true))
	}
	browser.ctx, browser.cancel = chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(flags...))
	return chromedp.Do(browser.ctx)
}

// tab is a page in the browser, and what it did that a page must not do.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	requests []string // addresses, data: and the page's own aside
	errors   []string // messages on the console, exceptions, violations of the policy
	forgiven bool     // from now on there may be errors
}

// newTab opens an empty tab of the given width. At the end of the test it fails
// if the page had an error or, from disk, asked for anything.
func newTab(t *testing.T, width int64, dark bool) *tab {
	t.Helper()
	browser.once.Do(func() { browser.err = startBrowser() })
	if errors.Is(browser.err, errNoBrowser) {
		testneed.Missing(t, browser.err.Error())
	}
	if browser.err != nil {
		t.Fatal(browser.err)
	}
	ctx, cancel := chromedp.NewContext(browser.ctx)
	ctx, stop := context.WithTimeout(ctx, patience)
	t.Cleanup(func() { stop(); cancel() })
	b := &tab{t: t, ctx: ctx}
	b.must(chromedp.Listen(ctx, b.note))
	b.call(func() error { _, err := chromedp.Call(ctx, log.Enable, cdp.Empty{}); return err })
	b.call(func() error {
		_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
		return err
	})
	b.theme(dark)
	b.size(width)
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, e := range b.errors {
			t.Errorf("the page: %s", e)
		}
	})
	return b
}

// note keeps what the page did.
func (b *tab) note(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, "data:") && !strings.HasPrefix(e.Request.URL, "about:") {
			b.requests = append(b.requests, e.Request.URL)
		}
	case *runtime.EventConsoleAPICalled:
		b.errors = append(b.errors, fmt.Sprintf("console.%s", e.Type))
	case *runtime.EventExceptionThrown:
		b.errors = append(b.errors, "exception: "+e.ExceptionDetails.Text+exception(e.ExceptionDetails.Exception))
	case *log.EventEntryAdded:
		if b.forgiven {
			return
		}
		b.errors = append(b.errors, fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
	}
}

// forgive lets the network fail from now on.
func (b *tab) forgive() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forgiven = true
}

func exception(o *runtime.RemoteObject) string {
	if o == nil {
		return ""
	}
	return " " + o.Description
}

func (b *tab) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) call(f func() error) {
	b.t.Helper()
	b.must(f())
}

// do runs actions one after the other.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	b.must(chromedp.Do(b.ctx, steps...))
}

// size makes the tab that wide.
func (b *tab) size(width int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, 900))
}

// theme makes the system dark or light.
func (b *tab) theme(dark bool) {
	b.t.Helper()
	value := "light"
	if dark {
		value = "dark"
	}
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}},
	})
	b.must(err)
}

// offline cuts the network off.
func (b *tab) offline() {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Offline: true, DownloadThroughput: -1, UploadThroughput: -1}},
	})
	b.must(err)
}

// open opens an address and waits until the page has drawn itself.
func (b *tab) open(address string) {
	b.t.Helper()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	ctx, stop := context.WithTimeout(b.ctx, patience/4)
	defer stop()
	if err := chromedp.Do(ctx, chromedp.WaitReady(chromedp.CSS("html[data-ready]"))); err != nil {
		b.t.Fatalf("the page did not draw itself: %v", err)
	}
}

// show goes to a view of the page that is open.
func (b *tab) show(fragment string) {
	b.t.Helper()
	b.do(eval0(fmt.Sprintf("location.hash = %q", fragment)))
	b.settle()
}

// click presses the mouse on an element.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.do(chromedp.ScrollIntoView(chromedp.CSS(selector)), chromedp.Click(chromedp.CSS(selector)))
	b.settle()
}

// settle waits until the page answered to what was done to it.
func (b *tab) settle() {
	b.t.Helper()
	_, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(true)), 60))`, chromedp.EvalAwaitPromise))
	b.must(err)
}

// eval returns what an expression is in the page.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// text returns the visible text of an element.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf("document.querySelector(%q).innerText", selector))
}

// write writes the page to a file and returns its address.
func write(t testing.TB, p web.Page) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.WriteHTML(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// evalAsync returns what an expression promises in the page.
func evalAsync[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}
