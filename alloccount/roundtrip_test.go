package alloccount

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRoundTripProfile: a report made from the file that alloctop wrote is the
// report of the run, field for field.
func TestRoundTripProfile(t *testing.T) {
	o := ReportOptions{Per: []Per{{Metric: "cells/op"}}}
	p := mustProfile(t, appOptions(), csvCounters())
	want := mustReport(t, p, o)
	var file bytes.Buffer
	if err := WriteProfile(&file, p); err != nil {
		t.Fatal(err)
	}
	read, err := ReadProfile(&file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, mustReport(t, read, o)); diff != "" {
		t.Errorf("-counted +read:\n%s", diff)
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
