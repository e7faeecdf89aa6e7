package gorun

import (
	"testing"

	"github.com/alloctop/alloctop/internal/environ"
)

func TestRestoreGOFLAGS(t *testing.T) {
	text := func(s string) *string { return &s }
	set := "-buildvcs=false -count=1 -overlay=/cache/o/overlay.json"
	for name, c := range map[string]struct {
		before, now, want *string
	}{
		"as it was set":        {before: text("-buildvcs=false"), now: &set, want: text("-buildvcs=false")},
		"it was not set":       {before: nil, now: &set, want: nil},
		"a script added":       {before: nil, now: text(set + " -race"), want: text("-buildvcs=false -count=1 -race")},
		"a script replaced":    {before: nil, now: text("-mod=mod"), want: text("-mod=mod")},
		"a script unset":       {before: text("-v"), now: nil, want: nil},
		"the user's overlay":   {before: nil, now: text("-overlay=/cached/o.json"), want: text("-overlay=/cached/o.json")},
		"of the run directory": {before: nil, now: text("-overlay=/run/overlay-1.json '-exec=/run/alloctop-exec 0'"), want: text("")},
		"cannot be read":       {before: nil, now: text("'-v"), want: text("'-v")},
	} {
		s := settings{Cache: "/cache", run: "/run", GOFLAGS: set, Before: c.before}
		env := setOrNot([]string{"A=b"}, "GOFLAGS", c.now)
		got, ok := environ.Get(s.restoreGOFLAGS(env), "GOFLAGS")
		if ok != (c.want != nil) || c.want != nil && got != *c.want {
			t.Errorf("%s: got %q, %v", name, got, ok)
		}
	}
}
