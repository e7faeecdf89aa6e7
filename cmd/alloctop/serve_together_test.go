package main

import (
	"testing"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
)

// Profiles that do not say how they were sampled are shown together all the
// same, and beside one that does it is an error and not the end of the server.
func TestProfilesWithoutAPeriodAreServedTogether(t *testing.T) {
	source := func(period *profile.ValueType) *served {
		p := &profile.Profile{
			SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}},
			PeriodType: period,
			Function:   []*profile.Function{{ID: 1, Name: "main.f", Filename: "main.go"}},
		}
		p.Location = []*profile.Location{{ID: 1, Line: []profile.Line{{Function: p.Function[0], Line: 7}}}}
		p.Sample = []*profile.Sample{{Location: p.Location, Value: []int64{3}}}
		r, err := alloccount.NewReport(p, alloccount.ReportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return &served{report: r, profile: p}
	}
	space := &profile.ValueType{Type: "space", Unit: "bytes"}
	for _, c := range []struct {
		name    string
		sources []*served
		objects int64 // 0 if they cannot be merged
	}{
		{"none says it", []*served{source(nil), source(nil)}, 6},
		{"one says it", []*served{source(space), source(nil)}, 0},
	} {
		s := &serving{app: &app{}, sources: c.sources}
		p, err := s.together(t.Context(), s.live(nil))
		if (err != nil) != (c.objects == 0) {
			t.Errorf("%s: error %v", c.name, err)
		}
		if err == nil && (len(p.Sample) != 1 || p.Sample[0].Value[0] != c.objects) {
			t.Errorf("%s: %d samples, want one of %d objects", c.name, len(p.Sample), c.objects)
		}
	}
}
