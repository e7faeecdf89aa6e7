package web

import (
	"testing"

	"github.com/alloctop/alloctop/alloccount"
)

// A Measure of its own goroutines is no repeat of one of all.
func TestOwnGoroutinesAreToldApart(t *testing.T) {
	measure := func(own bool, run int) *alloccount.Scope {
		return &alloccount.Scope{Kind: alloccount.KindMeasure, Name: "load", Procs: 2, Run: run, Own: own}
	}
	scopes := []*alloccount.Scope{measure(false, 0), measure(true, 0), measure(true, 1)}
	n := newNamer(scopes)
	for i, want := range []string{"", "run 1 of 2, own goroutines", "run 2 of 2, own goroutines"} {
		if name, detail := n.name(scopes[i]); name != "load" || detail != want {
			t.Errorf("scope %d is %q, %q, want load, %q", i, name, detail, want)
		}
	}
}
