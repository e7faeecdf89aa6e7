package browsertest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/alloccount/offcpu"
	"github.com/alloctop/alloctop/web"
)

// recorded is the page of a profile that alloctop wrote.
func recorded(t testing.TB, file string, o alloccount.ReportOptions) web.Page {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := alloccount.ReadProfile(f)
	if err != nil {
		t.Fatal(err)
	}
	return pageOf(t, p, o)
}

// standard is the page of the benchmarks of encoding/csv and encoding/xml.
func standard(t testing.TB) web.Page {
	t.Helper()
	return recorded(t, "../testdata/std.pb.gz", alloccount.ReportOptions{})
}

func pageOf(t testing.TB, p *profile.Profile, o alloccount.ReportOptions) web.Page {
	t.Helper()
	r, err := alloccount.NewReport(p, o)
	if err != nil {
		t.Fatal(err)
	}
	return web.Page{Report: r, Profile: p}
}

// builder makes a profile of allocations as any pprof tool could.
type builder struct{ p *profile.Profile }

func newProfile() *builder {
	return &builder{&profile.Profile{SampleType: []*profile.ValueType{
		{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"}, {Type: "requested_space", Unit: "bytes"},
	}}}
}

// add counts objects of one size that a line of a function makes, which one of
// the main package calls.
func (b *builder) add(objects, size int64, function, file string, line int64, typ string) {
	fn := &profile.Function{ID: uint64(len(b.p.Function) + 1), Name: function, Filename: file, StartLine: max(1, line-2)}
	caller := &profile.Function{ID: fn.ID + 1, Name: "main.run" + fmt.Sprint(line%7), Filename: "/src/app/main.go", StartLine: 1}
	b.p.Function = append(b.p.Function, fn, caller)
	s := &profile.Sample{
		Value: []int64{objects, objects * ((size + 15) / 16 * 16), objects * size},
		Label: map[string][]string{}, NumLabel: map[string][]int64{"bytes": {size}},
	}
	if typ != "" {
		s.Label["type"] = []string{typ}
	}
	for _, l := range []profile.Line{{Function: fn, Line: line}, {Function: caller, Line: 5}} {
		at := &profile.Location{ID: uint64(len(b.p.Location) + 1), Line: []profile.Line{l}}
		b.p.Location = append(b.p.Location, at)
		s.Location = append(s.Location, at)
	}
	b.p.Sample = append(b.p.Sample, s)
}

// hostile are names that anybody may put into a profile.
var hostile = []string{
	`</script><img src=x onerror="pwned=1">`,
	`<img src=x onerror=pwned=1>`,
	`</title></noscript><script>pwned=1</script>`,
	`__f__(function(){pwned=1})__f__`,
	`{a|b}{b}{c}{@value}` + "\n" + `${pwned=1}`,
	`"];pwned=1;["`,
	`javascript:pwned=1`,
	strings.Repeat("long", 300),
}

// hostilePage has those names everywhere.
func hostilePage(t testing.TB) web.Page {
	b := newProfile()
	for i, name := range hostile {
		b.add(int64(1000/(i+1)), int64(i*7+1), name, "/src/"+name+".go", int64(i+3), name)
	}
	page := pageOf(t, b.p, alloccount.ReportOptions{})
	for _, s := range page.Profile.Sample {
		s.NumLabel["scope"] = []int64{0, 1}
	}
	r := page.Report
	s := r.Scopes[0]
	s.Name, s.Package, s.Unit, s.Records = hostile[0], hostile[1], hostile[2], 10
	s.Notes, r.Notes, r.Command, r.Go = hostile, hostile, hostile, hostile[0]
	for i, x := range s.Sites {
		x.Cause, x.Reason = hostile[i%len(hostile)], hostile[0]
		x.UserFunction, x.UserFile, x.UserLine, x.UserLines = hostile[1], hostile[2], 3, 2
	}
	s.Cost = &alloccount.Cost{WallSeconds: 2, CPUSeconds: 1, GCCPUSeconds: .1}
	page.Wall = &offcpu.Summary{Seconds: 1, Samples: 10}
	for i, name := range hostile {
		line := offcpu.Line{Function: name, File: "/src/" + name + ".go", Line: i, Time: offcpu.Time{CPU: 5, System: 3, Waiting: 9}, For: []offcpu.Wait{{For: name, Samples: 9}}}
		page.Wall.Lines = append(page.Wall.Lines, line)
		page.Wall.Groups = append(page.Wall.Groups, offcpu.Group{Function: name, Time: line.Time, Lines: []offcpu.Line{line}})
	}
	other := *s
	other.Name = hostile[3]
	r.Scopes = append(r.Scopes, &other)
	page.Source = func(string) (web.Source, error) {
		return web.Source{Text: []byte(strings.Repeat(hostile[0]+"\n", 40)), Note: hostile[1]}, nil
	}
	return page
}

// manySites is a page of a profile with n lines that allocate.
func manySites(t testing.TB, n int) web.Page {
	b := newProfile()
	for i := range n {
		b.add(int64(1+1_000_000/(i+1)), int64(1+i%3000), fmt.Sprintf("example.com/app/p%d.(*T).f%d", i%97, i), fmt.Sprintf("/src/app/p%d/f.go", i%97), int64(i/97+10), "")
	}
	return pageOf(t, b.p, alloccount.ReportOptions{})
}
