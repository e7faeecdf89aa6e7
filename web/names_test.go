package web

import (
	"slices"
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

// A page names types as the text does.
func TestTypesAreNamedAsInTheText(t *testing.T) {
	names := newTable()
	flat := flatTypes([]alloccount.TypeCount{{Name: "runtime.stringInterfacePtr", Objects: 7}, {Name: "", Objects: 2}, {Name: "app.T", Objects: 1}}, names)
	want := []int64{int64(names.index("string")), 7, 0, 2, int64(names.index("app.T")), 1}
	if !slices.Equal(flat, want) {
		t.Errorf("types are %d of %q, want %d", flat, names.list, want)
	}
}
