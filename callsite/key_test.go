package callsite_test

import (
	"testing"

	"github.com/alloctop/alloctop/callsite"
)

func TestKeyOutlivesLinesAbove(t *testing.T) {
	before := callsite.Frame{Function: "example.com/app/parse.(*P).Next", File: "/home/u/app/parse/p.go", Line: 45, StartLine: 40}
	after := callsite.Frame{Function: "example.com/app/parse.(*P).Next", File: "/build/parse/p.go", Line: 52, StartLine: 47}
	want := callsite.Key{Package: "example.com/app/parse", Function: "example.com/app/parse.(*P).Next", Line: 5, Size: 24, Type: "parse.Node"}
	if got := callsite.KeyOf(before, 24, "parse.Node"); got != want {
		t.Errorf("KeyOf = %+v, want %+v", got, want)
	}
	if got := callsite.KeyOf(after, 24, "parse.Node"); got != want {
		t.Errorf("KeyOf seven lines further down = %+v, want %+v", got, want)
	}
	after.Line++
	if callsite.KeyOf(after, 24, "parse.Node") == want || callsite.KeyOf(before, 16, "parse.Node") == want || callsite.KeyOf(before, 24, "") == want {
		t.Error("another line, size or type has the same key")
	}
}
