package hook

import (
	"encoding/gob"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

var callFromC = regexp.MustCompile(`^.*?runtime\.cgocallback:\d+|^.*runtime\.goexit:\d+`)

// Go functions that C calls, on threads of Go and of C, are counted to the
// object. Their stacks are the runtime's own up to the innermost call from C,
// whatever C has in the frame pointer's register.
func TestCallbacksFromC(t *testing.T) {
	_, err := exec.LookPath("gcc")
	need(t, err == nil, "no C compiler: install gcc")
	for _, c := range []config{go126, go127} {
		t.Run(c.name, func(t *testing.T) {
			counters, o := run{}.ok(t, program(t, c, "callbacks"))
			reconcile(t, counters)
			var whole map[string]int64
			if err := gob.NewDecoder(strings.NewReader(o.stdout)).Decode(&whole); err != nil {
				t.Fatal(err)
			}
			want := map[string]int64{}
			for stack, n := range whole {
				want[callFromC.FindString(stack)] += n
			}
			got, _ := markedStacks(t, counters, "main.mark")
			reportDifference(t, want, got)
		})
	}
}
