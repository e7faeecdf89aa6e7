package alloccount

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"
)

// heapProfile is one as runtime/pprof writes it: two lines, sizes of slots.
func heapProfile() *profile.Profile {
	m := &profile.Mapping{ID: 1, File: "/usr/bin/serve", HasFunctions: true}
	f := &profile.Function{ID: 1, Name: "example.com/app/parse.Parse", SystemName: "example.com/app/parse.Parse", Filename: "/home/me/app/parse/parse.go", StartLine: 5}
	g := &profile.Function{ID: 2, Name: "main.main", SystemName: "main.main", Filename: "/home/me/app/cmd/serve/main.go", StartLine: 8}
	h := &profile.Function{ID: 3, Name: "strings.(*Builder).grow", SystemName: "strings.(*Builder).grow", Filename: "/go/src/strings/builder.go", StartLine: 60}
	parse := &profile.Location{ID: 1, Mapping: m, Address: 0x1000, Line: []profile.Line{{Function: h, Line: 68}, {Function: f, Line: 7}}} // inlined
	main := &profile.Location{ID: 2, Mapping: m, Address: 0x2000, Line: []profile.Line{{Function: g, Line: 12}}}
	return &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"}, {Type: "inuse_objects", Unit: "count"}, {Type: "inuse_space", Unit: "bytes"}},
		PeriodType: &profile.ValueType{Type: "space", Unit: "bytes"}, Period: 524288,
		Mapping: []*profile.Mapping{m}, Function: []*profile.Function{f, g, h}, Location: []*profile.Location{parse, main},
		Sample: []*profile.Sample{
			{Location: []*profile.Location{parse, main}, Value: []int64{1000, 16000, 1, 16}, NumLabel: map[string][]int64{"bytes": {16}}, NumUnit: map[string][]string{"bytes": {"bytes"}}},
			{Location: []*profile.Location{main}, Value: []int64{20, 819200, 0, 0}, NumLabel: map[string][]int64{"bytes": {40960}}, NumUnit: map[string][]string{"bytes": {"bytes"}}},
			{Location: []*profile.Location{main}, Value: []int64{0, 0, 0, 0}},
		},
	}
}

// TestForeignProfile: a heap profile that runtime/pprof wrote is one scope, of
// sampled counts, with inlined lines and sizes of slots.
func TestForeignProfile(t *testing.T) {
	r := mustReport(t, heapProfile(), ReportOptions{})
	if r.Engine != Sampled || r.Runtime != nil || r.Attributed != 0 || len(r.Scopes) != 1 {
		t.Errorf("engine %q, runtime %v, attributed %v, %d scopes", r.Engine, r.Runtime, r.Attributed, len(r.Scopes))
	}
	if r.Name != "serve" || r.Kind != KindProcess || r.Totals != (Totals{1020, 835200, 835200, 0}) {
		t.Errorf("%s %s: %+v", r.Kind, r.Name, r.Totals)
	}
	x := r.Sites[0]
	if x.Function != "strings.(*Builder).grow" || x.Line != 68 || x.Objects != 1000 || x.SizeClasses[0].Max != 16 {
		t.Errorf("first site %+v", x)
	}
	golden(t, "profile", r, TextOptions{})
}

// TestWithoutPeriod: a profile need not say how it was sampled.
func TestWithoutPeriod(t *testing.T) {
	p := heapProfile()
	p.PeriodType, p.Period = nil, 0
	var file bytes.Buffer
	if err := WriteProfile(&file, p); err != nil {
		t.Fatal(err)
	}
	read, err := ReadProfile(&file)
	if err != nil {
		t.Fatal(err)
	}
	r := mustReport(t, read, ReportOptions{})
	if r.Totals.Objects != 1020 || len(r.Scope.Notes) == 0 || strings.Contains(r.Scope.Notes[0], "every") {
		t.Errorf("%d objects, notes %q; want 1020, and no word on a rate", r.Totals.Objects, r.Scope.Notes)
	}
	printed(t, Merge(r, mustReport(t, heapProfile(), ReportOptions{})), TextOptions{})
}

// TestHeaps: the runtime's own profiles of several processes are a scope each,
// and with the runtime's own totals the report says what part it knows.
func TestHeaps(t *testing.T) {
	rate1 := heapProfile()
	rate1.Period = 1
	p, err := FromHeaps([]Heap{
		{rate1, Process{PID: 7, Main: "example.com/app/parse.test", Exit: "0", Own: true}, "go1.26.8", &Counted{Objects: 1_498, Bytes: 900_000}},
		{rate1, Process{PID: 8, Main: "example.com/app/cmd/serve", Exit: "signal: killed", Own: true}, "go1.26.8", nil},
	}, appOptions())
	if err != nil {
		t.Fatal(err)
	}
	r := mustReport(t, p, ReportOptions{})
	if want := 1020.0 / 1498; r.Engine != Sampled || r.Attributed != want || r.Scopes[1].Attributed != 0 {
		t.Errorf("engine %q, attributed %v and %v, want %v and 0", r.Engine, r.Attributed, r.Scopes[1].Attributed, want)
	}
	want := []string{
		"process example.com/app/parse parse.test-0 #0 pid 7: 1020",
		"process example.com/app/cmd/serve serve-0 #0 pid 8: 1020",
	}
	if diff := cmp.Diff(want, list(r)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if x := r.Sites[1]; x.Line != 12 || x.Cause != "" || x.UserLine != 12 || x.Objects != 20 || x.Bytes != 819_200 {
		t.Errorf("second site %+v", x)
	}
	golden(t, "heaps", r, TextOptions{})
	r.Scopes = r.Scopes[:1]
	golden(t, "coverage", r, TextOptions{})
	if _, err := FromHeaps(nil, appOptions()); err == nil {
		t.Error("no profiles and no error")
	}
}

// TestRealProfiles: what this process's own runtime writes is read, or refused
// with what is needed instead.
func TestRealProfiles(t *testing.T) {
	for _, name := range []string{"allocs", "heap"} {
		var out bytes.Buffer
		if err := pprof.Lookup(name).WriteTo(&out, 0); err != nil {
			t.Fatal(err)
		}
		p, err := ReadProfile(&out)
		if err != nil {
			t.Fatal(err)
		}
		mustReport(t, p, ReportOptions{})
	}
	var cpu, goroutine bytes.Buffer
	if err := pprof.StartCPUProfile(&cpu); err != nil {
		t.Fatal(err)
	}
	pprof.StopCPUProfile()
	if err := pprof.Lookup("goroutine").WriteTo(&goroutine, 0); err != nil {
		t.Fatal(err)
	}
	for want, data := range map[string]*bytes.Buffer{
		"the profile has samples/count, cpu/nanoseconds; a report needs alloc_objects/count": &cpu,
		"the profile has goroutine/count; a report needs alloc_objects/count":                &goroutine,
	} {
		p, err := ReadProfile(data)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := NewReport(p, ReportOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// TestProfileRefused: what a report cannot be made of is one clear line.
func TestProfileRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(p *profile.Profile)
		want   string
	}{
		{"in use only", func(p *profile.Profile) {
			p.SampleType = p.SampleType[2:]
			for _, s := range p.Sample {
				s.Value = s.Value[2:]
			}
		}, "what is in use, not what was allocated"},
		{"a difference", func(p *profile.Profile) { p.Sample[0].Value[0] = -3 }, "the difference of two"},
		{"too many", func(p *profile.Profile) {
			p.Sample[0].Value[1], p.Sample[1].Value[1] = math.MaxInt64, math.MaxInt64
		}, "63 bits"},
		{"no sample types", func(p *profile.Profile) { p.SampleType, p.Sample = nil, nil }, "no sample types"},
		{"another version's", func(p *profile.Profile) { p.Comments = []string{`{"schema":"alloctop/run/v9"}`} }, "v9"},
		{"a damaged comment", func(p *profile.Profile) { p.Comments = []string{`{"schema":"alloctop/run/v1"`} }, "damaged"},
		{"without scopes", func(p *profile.Profile) { p.Comments = []string{`{"schema":"alloctop/run/v1"}`} }, "names no scope"},
	} {
		p := heapProfile()
		c.change(p)
		_, err := NewReport(p, ReportOptions{})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line with %q", c.name, err, c.want)
		}
	}
}

// TestMergedElsewhere: several alloctop profiles that another tool merged are
// one scope, which says so.
func TestMergedElsewhere(t *testing.T) {
	a, b := mustProfile(t, appOptions(), csvCounters()), csvCounters()
	b.PID++
	p, err := profile.Merge([]*profile.Profile{a, mustProfile(t, appOptions(), b)})
	if err != nil {
		t.Fatal(err)
	}
	r := mustReport(t, p, ReportOptions{})
	if len(r.Scopes) != 1 || r.Engine != Exact || r.Totals.Objects != 2_600_000 || r.Totals.Requested != 51_400_000 || len(r.Scope.Notes) != 1 {
		t.Errorf("%d scopes, engine %q, %+v, notes %q", len(r.Scopes), r.Engine, r.Totals, r.Scope.Notes)
	}
	if x := r.Sites[0]; x.Cause != "string from bytes" || x.UserLine != 21 {
		t.Errorf("first site %+v", x)
	}
	printed(t, r, TextOptions{})
}

// TestReadProfileDamaged: what is no profile is one clear line.
func TestReadProfileDamaged(t *testing.T) {
	var good bytes.Buffer
	if err := WriteProfile(&good, heapProfile()); err != nil {
		t.Fatal(err)
	}
	zipped := good.Bytes()
	corrupt := bytes.Clone(zipped)
	corrupt[len(corrupt)/2] ^= 0xff
	for _, c := range []struct{ name, data, want string }{
		{"nothing", "", "0 bytes"},
		{"cut short", string(zipped[:len(zipped)/2]), "cut short"},
		{"corrupt", string(corrupt), "damaged"},
		{"text", "hello, world\n", "this is text, not a pprof profile; alloctop reads "},
		{"text in other letters", strings.Repeat("解析器 ", 200), "this is text"},
		{"a JSON list", "[]", "JSON"},
		{"a counter file", "ALLOCTP2\x00\x00", "--pprof"},
		{"a page", "\n<!DOCTYPE html><html>", "web page"},
		{"a JSON report", `{"schema":"alloctop/report/v1"}`, "JSON"},
		{"debug=1", "heap profile: 1: 32 [2: 64] @ heap/1048576\n", "debug=1"},
		{"debug=2", "goroutine profile: total 1\n", "debug=1"},
		{"a length beyond the end", "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "not a pprof profile"},
		{"zeros", strings.Repeat("\x00", 100), "not a pprof profile"},
		{"a binary", "\x7fELF\x02\x01\x01", "not a pprof profile"},
	} {
		p, err := ReadProfile(strings.NewReader(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: profile %v, error %v, want one line with %q", c.name, p, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "wire type") {
			t.Errorf("%s: %v, which nobody asked for", c.name, err)
		}
	}
}

// TestReadProfileBomb: a small file that unpacks without end is refused.
func TestReadProfileBomb(t *testing.T) {
	const limit = 4 << 20
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := io.CopyN(z, zeros{}, limit+2); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := readProfile(&packed, limit); err == nil || !strings.Contains(err.Error(), "larger than 4 MiB") {
		t.Errorf("error %v", err)
	}
}

// zeros is an endless reader.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func FuzzReadProfile(f *testing.F) {
	for _, p := range []*profile.Profile{heapProfile(), mustProfile(f, appOptions(), csvCounters())} {
		var packed, plain bytes.Buffer
		if err := p.Write(&packed); err != nil {
			f.Fatal(err)
		}
		if err := p.WriteUncompressed(&plain); err != nil {
			f.Fatal(err)
		}
		f.Add(packed.Bytes())
		f.Add(plain.Bytes())
	}
	f.Add([]byte("heap profile: 1: 32"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ReadProfile(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, by := range []By{ByAllocation, ByUser} {
			r, err := NewReport(p, ReportOptions{By: by, Per: []Per{{Count: 3}}})
			if err != nil {
				continue
			}
			checkInvariants(t, r)
			printed(t, r, TextOptions{Width: 80})
			if err := r.WriteJSON(io.Discard); err != nil {
				t.Error(err)
			}
		}
	})
}

// FuzzReadReport: no text makes the reader of reports, or the printer of what
// it read, fail otherwise than with an error.
func FuzzReadReport(f *testing.F) {
	var out bytes.Buffer
	if err := counted(f, csvCounters(), ReportOptions{}).WriteJSON(&out); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ReadReport(bytes.NewReader(data))
		if err != nil {
			return
		}
		if err := r.WriteText(io.Discard, TextOptions{Color: true}); err != nil {
			t.Error(err)
		}
	})
}
