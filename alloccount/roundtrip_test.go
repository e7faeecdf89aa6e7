package alloccount

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// TestRoundTripProfile: a report made from the file that alloctop wrote is the
// report of the run, field for field.
func TestRoundTripProfile(t *testing.T) {
	everything := appOptions()
	everything.All = true
	killed := csvCounters()
	killed.Exit, killed.Process.Open, killed.Folded = counterfile.Exit{}, true, 12
	killed.Missed = counterfile.Totals{Objects: 5, Bytes: 80, Requested: 41, Tiny: 5}
	heaps, err := FromHeaps([]Heap{{heapProfile(), Process{PID: 7, Main: "example.com/app/cmd/serve"}, "go1.26.8", &Counted{2000, 900_000}}}, appOptions())
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*profile.Profile{
		"benchmark":     mustProfile(t, appOptions(), csvCounters()),
		"overlapping":   mustProfile(t, everything, csvCounters()),
		"killed":        mustProfile(t, everything, killed),
		"recursion":     mustProfile(t, appOptions(), recursive(300)),
		"heap profiles": heaps,
		"foreign":       heapProfile(),
	} {
		var file bytes.Buffer
		if err := WriteProfile(&file, p); err != nil {
			t.Fatal(err)
		}
		read, err := ReadProfile(&file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, o := range []ReportOptions{{}, {By: ByUser}, {Per: []Per{{Metric: "cells/op"}}}, {Per: []Per{{Count: 3}}}} {
			if diff := cmp.Diff(mustReport(t, p, o), mustReport(t, read, o)); diff != "" {
				t.Errorf("%s, %+v: -counted +read:\n%s", name, o, diff)
			}
		}
	}
}

// TestRoundTripJSON: reading a report gives the report that was written.
func TestRoundTripJSON(t *testing.T) {
	want := mustReport(t, mustProfile(t, appOptions(), csvCounters()), ReportOptions{})
	var file bytes.Buffer
	if err := want.WriteJSON(&file); err != nil {
		t.Fatal(err)
	}
	got, err := ReadReport(&file)
	if err != nil {
		t.Fatal(err)
	}
	checkInvariants(t, got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-written +read:\n%s", diff)
	}
}
