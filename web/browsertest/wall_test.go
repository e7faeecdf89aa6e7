package browsertest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/alloccount/offcpu"
	"github.com/alloctop/alloctop/web"
)

// walled adds a wall-clock profile of eight workers to a page.
func walled(t testing.TB, page web.Page) web.Page {
	t.Helper()
	f, err := os.Open("../testdata/wall.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := alloccount.ReadProfile(f)
	if err != nil {
		t.Fatal(err)
	}
	if page.Wall, err = offcpu.Summarize(p); err != nil {
		t.Fatal(err)
	}
	return page
}

func TestWhoWorksAndWhoWaits(t *testing.T) {
	for _, dark := range []bool{false, true} {
		b := newTab(t, 1280, dark)
		b.open(write(t, walled(t, standard(t))))
		if got := b.text("#wall-finding"); !strings.HasPrefix(got, "8.0 goroutines of main.work.func1: 0.4 on a processor") || !strings.Contains(got, "for a lock at workers/main.go:77") {
			t.Errorf("the finding is %q", got)
		}
		for color, least := range map[string]int{"--c0": 30, "--rest": 1000} {
			if got := eval[int](b, fmt.Sprintf(drawn, "wall-plot", color)); got < least {
				t.Errorf("dark=%v: %d pixels in %s, want at least %d", dark, got, color, least)
			}
		}
		b.click("#wall summary")
		if got, want := b.text("#wall-table tbody tr"), "6.3\t<0.1\t0.0\t6.3"; !strings.HasSuffix(got, want) || !strings.Contains(got, "for a lock") {
			t.Errorf("the first row is %q, want %q at its end", got, want)
		}
		if got := eval[[]string](b, fmt.Sprintf(overlaps, "wall-plot")); len(got) > 0 {
			t.Errorf("labels over each other: %q", got)
		}
	}
}

// The bars add up to the goroutines that there were.
func TestWallBarsAddUp(t *testing.T) {
	page := walled(t, standard(t))
	b := newTab(t, 1280, false)
	b.open(write(t, page))
	got := eval[float64](b, `echarts.getInstanceByDom(document.getElementById("wall-plot")).getOption().series.reduce((n, s) => n + s.data.reduce((n, d) => n + d.value, 0), 0)`)
	var want int64
	for _, l := range page.Wall.Lines[:min(14, len(page.Wall.Lines))] {
		if page.Wall.Goroutines(l.All()) >= 0.05 {
			want += l.All()
		}
	}
	if n := page.Wall.Goroutines(want); got < n*.999999 || got > n*1.000001 {
		t.Errorf("the bars add up to %v goroutines, want %v", got, n)
	}
}

func TestNoWall(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open(write(t, standard(t)))
	if !eval[bool](b, `document.getElementById("wall").hidden`) {
		t.Error("a page without a wall-clock profile shows who waits")
	}
	page := standard(t)
	page.Wall = &offcpu.Summary{Seconds: 1, Samples: 99}
	b.open(write(t, page))
	if got, want := b.text("#wall-finding"), "no goroutine was seen"; got != want {
		t.Errorf("of an empty profile the page says %q, want %q", got, want)
	}
}
