package browsertest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/alloctop/alloctop/alloccount"
)

// scrolls goes through the page in sixty steps, and returns the longest and the
// median time between two frames, in milliseconds.
const scrolls = `new Promise((done) => {
	const gaps = [], height = document.documentElement.scrollHeight - innerHeight;
	let last = 0;
	requestAnimationFrame(function step(now) {
		if (last) gaps.push(now - last);
		last = now;
		if (gaps.length === 60) {
			gaps.sort((a, b) => a - b);
			return done([gaps[59], gaps[30]]);
		}
		scrollTo(0, height * gaps.length / 59);
		requestAnimationFrame(step);
	});
})`

// Reports of any size open, and can be scrolled through with many rows of the
// table. The times are for docs/pages.md; none is held to anything here.
func TestLargeReportsOpen(t *testing.T) {
	const rows = 1000
	for _, sites := range []int{100, 10_000, 100_000} {
		page := manySites(t, sites)
		file := write(t, page)
		info, err := os.Stat(strings.TrimPrefix(file, "file://"))
		if err != nil {
			t.Fatal(err)
		}
		b := newTab(t, 1280, false)
		b.open(file)
		ready := eval[float64](b, `performance.getEntriesByName("ready")[0].startTime`)
		if got, want := b.text(".known"), fmt.Sprintf("%s allocations have a line", grouped(page.Report.Totals.Objects)); !strings.HasPrefix(got, want) {
			t.Errorf("%d sites: the page says %q, want %q", sites, got, want)
		}
		asOpened := evalAsync[[]float64](b, scrolls)
		b.show(fmt.Sprint("rows=", rows))
		if got, want := eval[int](b, `document.querySelectorAll("tr[data-line]").length`), min(sites, rows); got != want {
			t.Errorf("%d sites: the table has %d rows, want %d", sites, got, want)
		}
		unfolded := evalAsync[[]float64](b, scrolls)
		t.Logf("%d sites: %d bytes, %.0f ms from opening to the last chart; between frames of scrolling %.0f ms, at most %.0f; with %d rows %.0f, at most %.0f",
			sites, info.Size(), ready, asOpened[1], asOpened[0], min(sites, rows), unfolded[1], unfolded[0])
	}
}

// grouped prints a number as the page does: "4,800,886".
func grouped(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// What is no allocation at all, as a profile, gives a page that says so.
func TestEmptyProfile(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open(write(t, pageOf(t, newProfile().p, alloccount.ReportOptions{})))
	if got, want := b.text("h1"), "No allocations"; got != want {
		t.Errorf("the headline is %q, want %q", got, want)
	}
	for _, id := range plots {
		if !eval[bool](b, fmt.Sprintf(`!document.getElementById(%q).checkVisibility()`, id)) {
			t.Errorf("%s shows something", id)
		}
	}
}
