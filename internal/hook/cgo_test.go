package hook

import (
	"encoding/gob"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// On a thread that C made, the chain of frame pointers ends at the call from C.
// The tables add a goexit below, which nobody called.
var rootOfC = regexp.MustCompile(`(runtime\.cgocallback:\d+) < runtime\.goexit:\d+$`)

// Go functions that C calls, on threads of Go and of C, are counted to the
// object. Their stacks are the runtime's own, whatever C has in the frame
// pointer's register.
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
			got, _ := markedStacks(t, counters, "main.mark")
			reportDifference(t, fromC(whole), fromC(got))
		})
	}
}

func fromC(stacks map[string]int64) map[string]int64 {
	m := map[string]int64{}
	for stack, n := range stacks {
		m[rootOfC.ReplaceAllString(stack, "$1")] += n
	}
	return m
}
