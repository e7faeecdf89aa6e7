package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/alloctop/alloctop/internal/gorun"
)

// watch shows the progress of a build that has compiled one more package each
// second, for the given number of seconds.
func watch(terminal bool, seconds int) string {
	var out bytes.Buffer
	start := time.Unix(0, 0)
	now := start
	p := &progress{w: &out, terminal: terminal, now: func() time.Time { return now }}
	for i := range seconds + 1 {
		now = start.Add(time.Duration(i) * time.Second)
		p.update(gorun.Progress{Go: "go1.26.8", Done: i, Of: 60, Start: start, End: i == seconds})
	}
	return out.String()
}

func TestProgressInAFileIsTwoLines(t *testing.T) {
	want := "alloctop: building go1.26.8 with the counter, once for these flags; it takes about a minute\n" +
		"alloctop: built 12 packages of go1.26.8 with the counter in 12 s\n"
	if got := watch(false, 12); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := watch(false, 2); got != "" {
		t.Errorf("a short build said %q", got)
	}
}

func TestProgressOfAFailedBuildClaimsNothing(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		var out bytes.Buffer
		start := time.Unix(0, 0)
		now := start.Add(5 * time.Second)
		p := &progress{w: &out, terminal: terminal, now: func() time.Time { return now }}
		p.update(gorun.Progress{Go: "go1.26.8", Of: 60, Start: start})
		p.update(gorun.Progress{Go: "go1.26.8", Of: 60, Start: start, End: true})
		if strings.Contains(out.String(), "built") {
			t.Errorf("nothing was built, and it says %q", out.String())
		}
	}
}

func TestProgressOnATerminalIsOneLineRewritten(t *testing.T) {
	got := watch(true, 12)
	if lines := strings.Count(got, "\n"); lines != 1 || !strings.HasSuffix(got, "built 12 packages of go1.26.8 with the counter in 12 s\n") {
		t.Errorf("%d lines, want one at the end:\n%q", lines, got)
	}
	if !strings.Contains(got, "\r\x1b[Kalloctop: building go1.26.8 with the counter, once: 7 of 60 packages, 7 s") {
		t.Errorf("the seventh second is not shown:\n%q", got)
	}
	for line := range strings.SplitSeq(got, "\r\x1b[K") {
		if len(line) > 80 {
			t.Errorf("wider than a terminal, so that it cannot be rewritten: %q", line)
		}
	}
}
