package hook

import (
	"testing"
)

// What holds in the plain builds of both releases holds in all others: each
// combination compiles the standard library once more.
func TestMatrix(t *testing.T) {
	needMatrix(t)
	for _, c := range []config{
		{name: "1.26 specialised", release: "1.26", env: []string{"GOEXPERIMENT=sizespecializedmalloc"}},
		{name: "1.27 not specialised", release: "1.27", env: []string{"GOEXPERIMENT=nosizespecializedmalloc"}},
		{name: "1.26 without green tea", release: "1.26", env: []string{"GOEXPERIMENT=nogreenteagc"}},
		{name: "1.27 without green tea", release: "1.27", env: []string{"GOEXPERIMENT=nogreenteagc"}},
		{name: "1.26 position independent", release: "1.26", flags: []string{"-buildmode=pie"}},
		{name: "1.27 position independent", release: "1.27", flags: []string{"-buildmode=pie"}},
		{name: "1.26 stripped", release: "1.26", flags: []string{"-ldflags=-s -w"}},
		{name: "1.27 stripped", release: "1.27", flags: []string{"-ldflags=-s -w"}},
		{name: "1.26 trimmed", release: "1.26", flags: []string{"-trimpath"}},
		{name: "1.27 trimmed", release: "1.27", flags: []string{"-trimpath"}},
		{name: "1.26 external", release: "1.26", flags: []string{"-ldflags=-linkmode=external"}},
		{name: "1.26 without cgo", release: "1.26", env: []string{"CGO_ENABLED=0"}},
		{name: "1.26 cover", release: "1.26", flags: []string{"-cover"}, env: []string{"GOCOVERDIR=."}},
		{name: "1.26 not optimised", release: "1.26", flags: []string{"-gcflags=all=-N -l"}},
		{name: "1.27 not optimised", release: "1.27", flags: []string{"-gcflags=all=-N -l"}},
		{name: "1.26 race", release: "1.26", flags: []string{"-race"}},
		{name: "1.27 race", release: "1.27", flags: []string{"-race"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Run("tiny", func(t *testing.T) {
				counters, _ := run{env: c.env}.ok(t, program(t, c, "tiny"))
				checkTiny(t, counters)
			})
			t.Run("busy", func(t *testing.T) {
				counters, _ := run{env: c.env}.ok(t, program(t, c, "busy"))
				reconcile(t, counters)
			})
			t.Run("kill", func(t *testing.T) {
				checkWork(t, run{args: []string{"kill"}, env: c.env}.of(t, program(t, c, "death")).counters(t))
			})
			t.Run("stacks", func(t *testing.T) {
				counters, o := run{env: c.env}.ok(t, program(t, c, "stacks"))
				reconcile(t, counters)
				checkStacks(t, counters, o.stdout)
			})
			t.Run("tear", func(t *testing.T) {
				args := []string{"-test.run=^$", "-test.bench=BenchmarkTear$", "-test.benchtime=1x"}
				counters, _ := run{args: args, env: c.env}.ok(t, program(t, c, "windows"))
				checkTear(t, counters, 20_000)
			})
		})
	}
}
