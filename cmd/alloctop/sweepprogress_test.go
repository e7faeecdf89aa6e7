package main

import (
	"strings"
	"testing"
	"time"

	"github.com/alloctop/alloctop/internal/sweep"
)

// In a file each turn has one line, and the time left is there once it is known.
func TestSweepProgress(t *testing.T) {
	var b strings.Builder
	p := &sweepProgress{w: &b, turn: -1}
	for i := range 6 {
		p.update(sweep.Progress{Done: i, Of: 6, Turn: i / 2, Turns: 2, Left: time.Duration(6-i) * time.Minute, Known: i > 0})
	}
	p.end()
	want := `alloctop: a first turn, which is not timed: 0 of 6 runs done
alloctop: turn 1 of 2: 2 of 6 runs done, about 4 min left
alloctop: turn 2 of 2: 4 of 6 runs done, about 2 min left
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestRoughly(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "1 s", 70 * time.Second: "70 s", 100 * time.Second: "2 min", 95 * time.Minute: "95 min", 130 * time.Minute: "2 h 10 min",
	} {
		if got := roughly(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}
