package main

import (
	"fmt"
	"io"
	"time"

	"github.com/alloctop/alloctop/internal/gorun"
)

// progress tells of the rebuild of the standard library: on a terminal in one
// line that is rewritten, elsewhere in one line when it begins to take long
// and one when it is over.
type progress struct {
	w        io.Writer
	terminal bool
	now      func() time.Time
	shown    bool
}

// How long a rebuild goes on before it is worth a word.
const (
	patienceTerminal = 700 * time.Millisecond
	patienceFile     = 3 * time.Second
)

func (p *progress) update(g gorun.Progress) {
	took := p.now().Sub(g.Start)
	what := fmt.Sprintf("building %s with the counter, once", g.Go)
	switch {
	case g.End:
		p.end(g, took)
	case p.terminal && took > patienceTerminal:
		fmt.Fprintf(p.w, "\r\x1b[Kalloctop: %s: %d of %d packages, %d s", what, g.Done, g.Of, int(took.Seconds()))
		p.shown = true
	case !p.terminal && took > patienceFile && !p.shown:
		say(p.w, "%s for these flags; it takes about a minute", what)
		p.shown = true
	}
}

func (p *progress) end(g gorun.Progress, took time.Duration) {
	if !p.shown {
		return
	}
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.shown = false
	switch { // whether all are built is for the go command to say
	case g.Done == 1:
		say(p.w, "built 1 package of %s with the counter in %d s", g.Go, int(took.Seconds()))
	case g.Done > 1:
		say(p.w, "built %d packages of %s with the counter in %d s", g.Done, g.Go, int(took.Seconds()))
	}
}
