package main

import (
	"fmt"
	"io"
	"time"

	"github.com/alloctop/alloctop/internal/sweep"
	"github.com/alloctop/alloctop/internal/texttab"
)

// sweepProgress tells how far a sweep is: on a terminal in one line that is
// rewritten, elsewhere in a line for each turn.
type sweepProgress struct {
	w        io.Writer
	terminal bool
	turn     int // that was told of, -1 for none
	shown    bool
}

func (p *sweepProgress) update(s sweep.Progress) {
	left := ""
	if s.Known {
		left = ", about " + roughly(s.Left) + " left"
	}
	turn := fmt.Sprintf("turn %d of %d", s.Turn, s.Turns)
	if s.Turn == 0 {
		turn = "a first turn, which is not timed"
	}
	text := fmt.Sprintf("%s: %d of %d runs done%s", turn, s.Done, s.Of, left)
	switch {
	case p.terminal:
		text = fmt.Sprintf("alloctop: %s: %s %s", text, s.Next.Benchmark.Name, s.Label)
		fmt.Fprint(p.w, "\r\x1b[K"+texttab.CutRight(texttab.Clean(text), max(columns(p.w)-1, 20)))
		p.shown = true
	case s.Turn != p.turn:
		say(p.w, "%s", text)
	}
	p.turn = s.Turn
}

func (p *sweepProgress) end() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// roughly prints how long something takes, to about a tenth.
func roughly(d time.Duration) string {
	switch s := int(d.Seconds() + 0.5); {
	case s < 100:
		return fmt.Sprintf("%d s", max(s, 1))
	case s < 6000:
		return fmt.Sprintf("%d min", (s+30)/60)
	default:
		return fmt.Sprintf("%d h %d min", s/3600, s%3600/60)
	}
}
