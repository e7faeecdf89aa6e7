package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// focus moves the keyboard to an element.
func (b *tab) focus(selector string) {
	b.t.Helper()
	b.do(chromedp.Focus(chromedp.CSS(selector)))
}

// press presses keys, one after the other.
func (b *tab) press(all ...string) {
	b.t.Helper()
	for _, k := range all {
		b.do(keys(k))
		b.settle()
	}
}

func TestTabReachesEverything(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open(write(t, standard(t)))
	missing := map[string]bool{
		"skip": true, "theme": true, "measure": true, "per": true, "scopes": true, "headline": true, "sizes-classes": true, "sizes-scale": true, "sizes-legend": true,
		"lines-search": true, "lines-cause": true, "lines-table": true, "flame-search": true, "flame-direction": true, "flame-plot": true,
	}
	for range 120 {
		b.do(keys(kb.Tab))
		for _, id := range eval[[]string](b, `(() => { const ids = []; for (let e = document.activeElement; e; e = e.parentElement) if (e.id) ids.push(e.id); return ids; })()`) {
			delete(missing, id)
		}
		if len(missing) == 0 {
			break
		}
	}
	for id := range missing {
		t.Errorf("the tab key does not reach #%s", id)
	}
}

func TestKeyboardChooses(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open(write(t, standard(t)) + "#scope=encoding/csv.BenchmarkRead-2")
	b.focus("#measure [aria-checked=true]")
	b.press(kb.ArrowRight)
	if got := eval[string](b, "location.hash"); got != "#scope=encoding/csv.BenchmarkRead-2&m=bytes" {
		t.Errorf("the right arrow gives %q, want the next measure", got)
	}
	b.press(kb.ArrowLeft)
	b.focus(".top-line")
	b.press(kb.Enter)
	if got := b.text("#chips .chip"); got != "encoding/csv/reader.go:444" {
		t.Errorf("Enter on the heaviest line filters by %q", got)
	}
	if got := eval[string](b, "document.activeElement.className"); got != "top-line" {
		t.Errorf("after Enter the keyboard is on %q, want where it was", got)
	}
	b.press(kb.Escape)
	b.press("/")
	if got := eval[string](b, "document.activeElement.id"); got != "lines-search" {
		t.Errorf("the slash goes to %q, want the search", got)
	}
}

func TestArrowsWalkTheFlameGraph(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open(write(t, standard(t)) + "#scope=encoding/csv.BenchmarkRead-2")
	b.focus("#flame-plot")
	for _, c := range []struct{ key, says string }{
		{kb.ArrowDown, "testing.(*B).doBench.gowrap1, 100.0 %"},
		{kb.ArrowDown, "testing.(*B).launch, 100.0 %"},
		{kb.ArrowUp, "testing.(*B).doBench.gowrap1, 100.0 %"},
	} {
		b.press(c.key)
		if got := eval[string](b, `document.getElementById("flame-says").textContent`); got != c.says {
			t.Errorf("the arrows come to %q, want %q", got, c.says)
		}
	}
	b.press(kb.Enter)
	if got := b.text("#chips .chip"); got != "calls through testing.(*B).doBench.gowrap1" {
		t.Errorf("Enter filters by %q", got)
	}
}
