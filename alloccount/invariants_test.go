package alloccount

import (
	"math"
	"testing"

	"github.com/alloctop/alloctop/sizeclass"
)

// checkInvariants fails the test unless everything holds that a reader of any
// report may rely on.
func checkInvariants(t testing.TB, r *Report) {
	t.Helper()
	if r.Schema != Schema {
		t.Errorf("schema %q", r.Schema)
	}
	if r.Scope == nil || len(r.Scopes) > 0 && r.Scope != r.Scopes[0] {
		t.Errorf("the embedded scope is not the first")
	}
	for _, s := range r.Scopes {
		checkScope(t, s)
	}
}

func checkScope(t testing.TB, s *Scope) {
	t.Helper()
	var sites Totals
	for _, x := range s.Sites {
		sites.Objects += x.Objects
		sites.Bytes += x.Bytes
		sites.Requested += x.Requested
	}
	sites.Tiny = s.Totals.Tiny
	if sites != s.Totals {
		t.Errorf("%s: the sites sum to %+v, the totals are %+v", s.Name, sites, s.Totals)
	}
	checkClasses(t, s.Name, s.SizeClasses, s.Totals)
	want := 0.0 // nobody knows
	if s.Runtime != nil {
		want = 1
		if s.Runtime.Objects != 0 {
			want = float64(s.Totals.Objects) / float64(s.Runtime.Objects)
		}
	}
	if s.Attributed != want {
		t.Errorf("%s: attributed %v, want %v", s.Name, s.Attributed, want)
	}
	var running int64
	for i, x := range s.Sites {
		running += x.Objects
		if i > 0 && s.Sites[i-1].Objects < x.Objects {
			t.Errorf("%s: site %d has more objects than the one before", s.Name, i)
		}
		checkSite(t, s, x, running)
	}
}

func checkSite(t testing.TB, s *Scope, x *Site, running int64) {
	t.Helper()
	if x.Function == "" || (x.File == "") != (x.Line == 0) && x.File == "" {
		t.Errorf("%s: site %q at %q:%d", s.Name, x.Function, x.File, x.Line)
	}
	checkClasses(t, x.Function, x.SizeClasses, Totals{Objects: x.Objects, Bytes: x.Bytes, Requested: x.Requested})
	var typed int64
	for _, c := range x.Types {
		typed += c.Objects
	}
	if typed != x.Objects {
		t.Errorf("%s: types sum to %d of %d objects", x.Function, typed, x.Objects)
	}
	if x.UserObjects > x.Objects || (x.UserObjects > 0) != (x.UserLines > 0) {
		t.Errorf("%s: %d of %d objects come from %d lines of the user's", x.Function, x.UserObjects, x.Objects, x.UserLines)
	}
	near := func(name string, got, a, b float64) {
		want := 0.0
		if b != 0 {
			want = a / b
		}
		if math.Abs(got-want) > 1e-9*math.Max(1, want) {
			t.Errorf("%s: %s is %v, want %v", x.Function, name, got, want)
		}
	}
	near("share", x.Share, float64(x.Objects), float64(s.Totals.Objects))
	near("cumulative share", x.CumulativeShare, float64(running), float64(s.Totals.Objects))
	near("per record", x.PerRecord, float64(x.Objects), float64(s.Records))
}

func checkClasses(t testing.TB, name string, classes []sizeclass.Bucket, want Totals) {
	t.Helper()
	var sum Totals
	for i, c := range classes {
		sum.Objects += c.Objects
		sum.Bytes += c.Bytes
		sum.Requested += c.Requested
		if i > 0 && classes[i-1].Max >= c.Max {
			t.Errorf("%s: size classes are not in order", name)
		}
		if c.Max != sizeclass.Large && sizeclass.Of(int64(c.Max)) != c.Max {
			t.Errorf("%s: %d is no size class", name, c.Max)
		}
	}
	want.Tiny = 0
	if sum != want {
		t.Errorf("%s: size classes sum to %+v, want %+v", name, sum, want)
	}
}
