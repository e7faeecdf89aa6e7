package alloccount

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/internal/counterfile"
	"github.com/alloctop/alloctop/sizeclass"
)

// TestReportNumbers: every number of a report, from counters that are small
// enough to add up by hand.
func TestReportNumbers(t *testing.T) {
	r := counted(t, csvCounters(), ReportOptions{})
	if r.Engine != Exact || r.Go != "go1.26.8" || r.By != ByAllocation {
		t.Errorf("engine %q, go %q, by %q", r.Engine, r.Go, r.By)
	}
	want := &Scope{
		Kind: KindBenchmark, Package: "example.com/app/parse", Name: "BenchmarkRead", Procs: 2,
		Iterations: 100_000, Records: 100_000,
		Process:    Process{PID: 4711, Parent: 4700, Main: "example.com/app/parse.test", Exit: "0", Own: true},
		Totals:     Totals{Objects: 1_300_000, Bytes: 27_200_000, Requested: 25_700_000, Tiny: 500_000},
		Runtime:    &Counted{1_300_000, 27_200_000},
		Attributed: 1,
		SizeClasses: []sizeclass.Bucket{
			{Max: 8, Objects: 500_000, Bytes: 2_400_000, Requested: 2_500_000},
			{Max: 16, Objects: 500_000, Bytes: 8_000_000, Requested: 8_000_000},
			{Max: 24, Objects: 200_000, Bytes: 4_800_000, Requested: 4_000_000},
			{Max: 112, Objects: 100_000, Bytes: 12_000_000, Requested: 11_200_000},
		},
		Sites: []*Site{{
			Function: "encoding/csv.(*Reader).readRecord", Package: "encoding/csv", File: "/go/src/encoding/csv/reader.go", Line: 249, StartLine: 230,
			UserFunction: "example.com/app/parse.BenchmarkRead", UserFile: "/home/me/app/parse/parse_test.go", UserLine: 21, UserLines: 1, UserObjects: 700_000,
			Cause: "string from bytes", Objects: 700_000, Bytes: 7_200_000, Requested: 6_500_000,
			PerRecord: 7, Share: 7.0 / 13, CumulativeShare: 7.0 / 13,
			SizeClasses: []sizeclass.Bucket{
				{Max: 8, Objects: 500_000, Bytes: 2_400_000, Requested: 2_500_000},
				{Max: 24, Objects: 200_000, Bytes: 4_800_000, Requested: 4_000_000},
			},
			Types: []TypeCount{{"", 700_000}},
		}, {
			Function: "encoding/csv.(*Reader).readRecord", Package: "encoding/csv", File: "/go/src/encoding/csv/reader.go", Line: 431, StartLine: 230,
			UserFunction: "example.com/app/parse.BenchmarkRead", UserFile: "/home/me/app/parse/parse_test.go", UserLine: 21, UserLines: 1, UserObjects: 500_000,
			Cause: "slice growth", Objects: 500_000, Bytes: 8_000_000, Requested: 8_000_000,
			PerRecord: 5, Share: 5.0 / 13, CumulativeShare: 12.0 / 13,
			SizeClasses: []sizeclass.Bucket{{Max: 16, Objects: 500_000, Bytes: 8_000_000, Requested: 8_000_000}},
			Types:       []TypeCount{{"string", 500_000}},
		}, {
			Function: "encoding/csv.NewReader", Package: "encoding/csv", File: "/go/src/encoding/csv/reader.go", Line: 180, StartLine: 175,
			UserFunction: "example.com/app/parse.BenchmarkRead", UserFile: "/home/me/app/parse/parse_test.go", UserLine: 21, UserLines: 1, UserObjects: 100_000,
			Cause: "new object", Objects: 100_000, Bytes: 12_000_000, Requested: 11_200_000,
			PerRecord: 1, Share: 1.0 / 13, CumulativeShare: 1,
			SizeClasses: []sizeclass.Bucket{{Max: 112, Objects: 100_000, Bytes: 12_000_000, Requested: 11_200_000}},
			Types:       []TypeCount{{"encoding/csv.Reader", 100_000}},
		}},
		Metrics: map[string]float64{"cells/op": 20},
		Cost:    &Cost{WallSeconds: 1.23456789, CPUSeconds: 1.3, GCCycles: 12, GCCPUSeconds: 0.045, PauseSeconds: 0.0012},
	}
	if diff := cmp.Diff(want, r.Scope); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := r.PerRecord(); got != 13 {
		t.Errorf("%v per record, want 13", got)
	}
}

// TestReportByUser: grouped by the user's lines, the numbers are the same, and
// what no line of the user led to stays where it was allocated.
func TestReportByUser(t *testing.T) {
	c := csvCounters()
	c.Windows = nil
	r := counted(t, c, ReportOptions{By: ByUser})
	var got []string
	for _, x := range r.Sites {
		got = append(got, fmt.Sprintf("%s:%d %s: %d, %s:%d", x.File, x.Line, x.Cause, x.Objects, x.UserFile, x.UserLine))
	}
	const line = "/home/me/app/parse/parse_test.go:21"
	want := []string{
		line + " string from bytes: 700013, " + line,
		line + " slice growth: 500000, " + line,
		line + " new object: 100000, " + line,
		"/go/src/testing/benchmark.go:219 new object: 37, :0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestReportOrder: lines with equally many objects are in the same order
// whatever order they were counted in.
func TestReportOrder(t *testing.T) {
	c := testBinary()
	var entries []counterfile.Entry
	for i := range 20 {
		f := counterfile.Frame{Function: fmt.Sprintf("example.com/app/parse.f%d", i), File: "/home/me/app/parse/parse.go", Line: 10 + i, StartLine: 1}
		entries = append(entries,
			counterfile.Entry{Stack: stackOf(newObject, f, benchmark), Size: 8, Type: "int", Objects: 1, Bytes: 8},
			counterfile.Entry{Stack: stackOf(newObject, f, runN), Size: 8, Type: "uint", Objects: 1, Bytes: 8})
	}
	measured(c, finished("BenchmarkA", 1), entries...)
	want := counted(t, c, ReportOptions{})
	slices.Reverse(c.Entries)
	if diff := cmp.Diff(want, counted(t, c, ReportOptions{})); diff != "" {
		t.Errorf("-forward +backward:\n%s", diff)
	}
}

// TestJSONKeys: the JSON form has the keys that its schema names, in every
// scope, and no others; nothing that should be a list is null.
func TestJSONKeys(t *testing.T) {
	var out bytes.Buffer
	if err := counted(t, csvCounters(), ReportOptions{}).WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	var report map[string]any
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	scope := report["scopes"].([]any)[0].(map[string]any)
	site := scope["sites"].([]any)[0].(map[string]any)
	for _, c := range []struct {
		name string
		of   any
		want string
	}{
		{"report", report, "by command engine go schema scopes"},
		{"scope", scope, "attributed cost iterations kind metrics name package process procs records run runtime sites size_classes totals"},
		{"process", scope["process"], "exit main own parent pid"},
		{"totals", scope["totals"], "bytes objects requested_bytes tiny_objects"},
		{"runtime", scope["runtime"], "bytes objects"},
		{"size class", scope["size_classes"].([]any)[0], "bytes max_bytes objects requested_bytes"},
		{"site", site, "bytes cause cumulative_share file function line objects package per_record requested_bytes share size_classes start_line types user_file user_function user_line user_lines user_objects"},
		{"type", site["types"].([]any)[0], "name objects"},
	} {
		got := slices.Sorted(maps.Keys(c.of.(map[string]any)))
		if diff := cmp.Diff(strings.Fields(c.want), got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.name, diff)
		}
	}
	out.Reset()
	c := testBinary()
	measured(c, finished("BenchmarkNothing", 1))
	o := appOptions()
	o.Command = nil
	if err := mustReport(t, mustProfile(t, o, c), ReportOptions{}).WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"command": []`, `"size_classes": []`, `"sites": []`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
}

// TestReadReportDamaged: what is no report is an error and never a fault.
func TestReadReportDamaged(t *testing.T) {
	for _, text := range []string{
		"", "[]", "{}", `{"schema":"alloctop/report/v2"}`, `{"schema":"alloctop/report/v1"`,
		`{"schema":"alloctop/report/v1","scopes":[null]}`, `{"schema":"alloctop/report/v1","scopes":[{"sites":[null]}]}`,
	} {
		if r, err := ReadReport(strings.NewReader(text)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: report %v, error %v", text, r, err)
		}
	}
	r, err := ReadReport(strings.NewReader(`{"schema":"alloctop/report/v1"}`))
	if err != nil || r.Scope == nil {
		t.Fatalf("an empty report: %v, %v", r, err)
	}
	printed(t, r, TextOptions{})
}

// TestMerge: reports of two files are one, and repeats in them are numbered.
func TestMerge(t *testing.T) {
	a, b := counted(t, csvCounters(), ReportOptions{}), counted(t, csvCounters(), ReportOptions{})
	b.Go = "go1.27.1"
	a.Notes, b.Notes = []string{"of both", "of a"}, []string{"of both", "of b"}
	all := Merge(a, b)
	if want := []string{"of both", "of a", "of b"}; !slices.Equal(all.Notes, want) {
		t.Errorf("notes %q, want %q", all.Notes, want)
	}
	checkInvariants(t, all)
	if len(all.Scopes) != 2 || all.Scopes[0].Run != 0 || all.Scopes[1].Run != 1 {
		t.Errorf("%d scopes: %v", len(all.Scopes), list(all))
	}
	if all.Engine != Exact || all.Go != "" {
		t.Errorf("engine %q, go %q", all.Engine, all.Go)
	}
	b.Engine = Sampled
	if all := Merge(a, b); all.Engine != Sampled {
		t.Errorf("engine %q of an exact report and one that is not", all.Engine)
	}
	if all := Merge(); all != nil {
		t.Errorf("%v of nothing", all)
	}
}

// TestConcentration: what a line does for several causes is one line, and what
// has no line makes none, but is part of the whole.
func TestConcentration(t *testing.T) {
	objects := func(x *Site) int64 { return x.Objects }
	site := func(line int, cause string, objects, bytes int64) *Site {
		return &Site{Function: "f", File: "f.go", Line: line, Cause: cause, Objects: objects, Bytes: bytes}
	}
	s := &Scope{Sites: []*Site{site(1, "a", 40, 0), site(2, "a", 30, 1), site(1, "b", 20, 0), site(3, "a", 10, 999)}}
	if got, want := s.Concentration(objects), (Concentration{Lines: 3, Few: 2, Sum: 90}); got != want {
		t.Errorf("objects: %+v, want %+v", got, want)
	}
	if got, want := s.Concentration(func(x *Site) int64 { return x.Bytes }), (Concentration{Lines: 2, Few: 1, Sum: 999}); got != want {
		t.Errorf("bytes: %+v, want %+v", got, want)
	}
	s.Sites = append(s.Sites, &Site{Function: noLine, Objects: 900})
	if got, want := s.Concentration(objects), (Concentration{Lines: 3, Few: 3, Sum: 100}); got != want {
		t.Errorf("with objects of no known line: %+v, want %+v", got, want)
	}
	if got := new(Scope).Concentration(objects); got != (Concentration{}) {
		t.Errorf("of nothing: %+v", got)
	}
}
