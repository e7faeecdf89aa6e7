package hook

import (
	"strings"
	"testing"
)

// After an exec that failed the process is what it was before.
func TestExecThatFails(t *testing.T) {
	for _, c := range []config{go126, go127} {
		o := run{args: []string{"noexec"}}.of(t, program(t, c, "death")) // and kills itself
		counters := o.counters(t)
		checkWork(t, counters)
		checkState(t, o.state, counters.Exit)
	}
}

// Windows that find no room in the file make no other wrong. What is missed, in
// no entry at all, is the only difference that a closed window may have.
func TestWindowsInAFullFile(t *testing.T) {
	args := []string{"-test.run=^$", "-test.bench=BenchmarkTear$", "-test.benchtime=1x"}
	counters, o := run{args: args, wrap: limited(2 << 10)}.ok(t, program(t, go126, "windows"))
	if counters.GrowErr != errFBig || !strings.Contains(o.stdout, "PASS") {
		t.Errorf("errno %d, want %d; output %q", counters.GrowErr, errFBig, o.stdout)
	}
	reconcile(t, counters)
	bySegment := totalsBySegment(counters)
	closed := 0
	for i, w := range counters.Windows {
		if w.Open {
			continue
		}
		closed++
		got := bySegment.of(w)
		if lack := w.Objects - got.Objects; lack < 0 || lack > counters.Missed.Objects {
			t.Errorf("window %d of %d, %s: hook counted %d objects, the runtime %d, missed %d in all",
				i, len(counters.Windows), w.Name, got.Objects, w.Objects, counters.Missed.Objects)
		}
	}
	if closed < 1000 {
		t.Errorf("%d windows were closed, want 1000 or more", closed)
	}
}
