package hook

import (
	"testing"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// Over a whole process, what the hook counted is what the runtime counted: 50
// goroutines, GOMAXPROCS that changes, types made by reflect, large objects,
// finalizers, timers, maps, JSON.
func TestProcessReconciles(t *testing.T) {
	for _, c := range []config{go126, go127} {
		for _, env := range []string{"GOGC=100", "GOGC=1", "GOGC=off", "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=0"} {
			t.Run(c.name+"/"+env, func(t *testing.T) {
				counters, _ := run{env: []string{env}}.ok(t, program(t, c, "busy"))
				reconcile(t, counters)
				if counters.Folded != 0 || counters.Missed != (counterfile.Totals{}) || counters.GrowErr != 0 {
					t.Errorf("folded %d, missed %v, errno %d", counters.Folded, counters.Missed, counters.GrowErr)
				}
				for _, e := range counters.Entries {
					if e.Stack == nil || e.Objects <= 0 {
						t.Errorf("entry without a stack or a count: %+v", e)
					}
				}
			})
		}
	}
}

// Even a process whose allocations never cease ends with equal totals: the
// last reading and the end of counting are one moment.
func TestExitAmidAllocations(t *testing.T) {
	for range 20 {
		counters, _ := run{args: []string{"exit-busy"}}.ok(t, program(t, go126, "death"))
		reconcile(t, counters)
	}
}
