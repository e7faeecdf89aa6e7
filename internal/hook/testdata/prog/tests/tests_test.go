// Package tests has tests that run alone, in parallel, and in all ways that end
// one. Every function makes objects of a type of its own.
package tests

import (
	"testing"
	"time"
)

type (
	alone       [3]*int
	before      [3]*int
	together    [3]*int
	sub         [3]*int
	subParallel [3]*int
	cleanup     [3]*int
	skipped     [3]*int
	later       [3]*int
)

var sink struct {
	alone       *alone
	before      *before
	together    *together
	sub         *sub
	subParallel *subParallel
	cleanup     *cleanup
	skipped     *skipped
	later       *later
}

func TestAlone(t *testing.T) {
	for range 100 {
		sink.alone = new(alone)
	}
}

func TestFirstParallel(t *testing.T) {
	for range 10 {
		sink.before = new(before)
	}
	t.Parallel()
	for range 30 {
		sink.together = new(together)
	}
}

func TestSubs(t *testing.T) {
	t.Cleanup(func() { sink.cleanup = new(cleanup) })
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			for range 7 {
				sink.sub = new(sub)
			}
			t.Run("deeper", func(t *testing.T) { sink.sub = new(sub) })
		})
	}
	for _, name := range []string{"c", "d", "e"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 5 {
				sink.subParallel = new(subParallel)
			}
		})
	}
}

func TestSecondParallel(t *testing.T) {
	for range 10 {
		sink.before = new(before)
	}
	t.Parallel()
	for range 40 {
		sink.together = new(together)
		time.Sleep(10 * time.Microsecond)
	}
	t.Run("sub", func(t *testing.T) { sink.together = new(together) })
}

func TestSkipped(t *testing.T) {
	sink.skipped = new(skipped)
	t.Skip("on purpose")
}

func TestThirdParallel(t *testing.T) {
	t.Parallel()
	sink.together = new(together)
	if !testing.Verbose() {
		t.Skip("in the middle of it")
	}
}

func TestLater(t *testing.T) { sink.later = new(later) }

func TestNothing(t *testing.T) {}

func TestFails(t *testing.T) {
	sink.later = new(later)
	t.FailNow()
}

func FuzzSeeds(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(t *testing.T, n int) {})
}

func Example() {
	println()
	// Output:
}
