package web

import (
	"os"
	"strings"
	"testing"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/alloccount/offcpu"
)

// walled adds the recorded wall-clock profile to a page.
func walled(t testing.TB, p Page) Page {
	t.Helper()
	f, err := os.Open("testdata/wall.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	wall, err := alloccount.ReadProfile(f)
	if err != nil {
		t.Fatal(err)
	}
	if p.Wall, err = offcpu.Summarize(wall); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWallAddsUp(t *testing.T) {
	page := walled(t, recorded(t))
	d := dataOf(t, write(t, page)).Wall
	if d == nil {
		t.Fatal("the page has no wall-clock profile")
	}
	sum := d.Rest
	for _, l := range d.Lines {
		for i, n := range l.Time {
			sum[i] += n
		}
	}
	if want := timeOf(page.Wall.Total); sum != want || d.Total != want {
		t.Errorf("lines add up to %v, the total is %v, want %v", sum, d.Total, want)
	}
	if !strings.Contains(d.Finding, "8.0 goroutines of main.work.func1") || !strings.Contains(d.Finding, "for a lock at workers/main.go:77") {
		t.Errorf("the finding is %q", d.Finding)
	}
	if text := page.fallback(); !strings.Contains(text, "where the time goes: 8.0 goroutines of main.work.func1") {
		t.Errorf("without scripts the page does not say who waits:\n%s", text)
	}
	if d := dataOf(t, write(t, recorded(t))).Wall; d != nil {
		t.Errorf("a page without a wall-clock profile has %+v", d)
	}
}

// Lines beyond those that a page shows are counted.
func TestManyWallLines(t *testing.T) {
	s := &offcpu.Summary{Seconds: 1, Samples: 10}
	for i := range mostWallLines + 50 {
		time := offcpu.Time{CPU: 3, System: 2, Waiting: int64(i)}
		s.Lines = append(s.Lines, offcpu.Line{Function: hostile[i%len(hostile)], File: "/src/" + hostile[0], Line: i, Time: time})
	}
	page := recorded(t)
	page.Wall = s
	d := dataOf(t, write(t, page)).Wall
	if len(d.Lines) != mostWallLines || d.More != 50 || d.Rest != (wallTime{150, 100, 50*mostWallLines + 50*49/2}) {
		t.Errorf("%d lines, %d more with %v", len(d.Lines), d.More, d.Rest)
	}
	for _, l := range d.Lines {
		if strings.ContainsAny(l.Function, "\u202e\x00\x1b") {
			t.Errorf("%q can hide what it is", l.Function)
		}
	}
}
