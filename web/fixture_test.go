package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
)

// names are the functions of a stack, leaf first, each with its line.
type call struct {
	function, file string
	line           int64
}

// profileBuilder makes a profile of allocations as any pprof tool could.
type profileBuilder struct {
	p         *profile.Profile
	functions map[string]*profile.Function
	locations map[call]*profile.Location
}

func newProfile() *profileBuilder {
	return &profileBuilder{
		p: &profile.Profile{SampleType: []*profile.ValueType{
			{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"}, {Type: "requested_space", Unit: "bytes"},
		}},
		functions: make(map[string]*profile.Function),
		locations: make(map[call]*profile.Location),
	}
}

// add counts objects of one size, made at the first of the calls.
func (b *profileBuilder) add(objects, size, slot int64, typ string, calls ...call) {
	s := &profile.Sample{
		Value:    []int64{objects, objects * slot, objects * size},
		NumLabel: map[string][]int64{"bytes": {size}},
		Label:    make(map[string][]string),
	}
	if typ != "" {
		s.Label["type"] = []string{typ}
	}
	for _, c := range calls {
		l := b.locations[c]
		if l == nil {
			f := b.functions[c.function+c.file]
			if f == nil {
				f = &profile.Function{ID: uint64(len(b.p.Function) + 1), Name: c.function, Filename: c.file, StartLine: max(1, c.line-3)}
				b.p.Function = append(b.p.Function, f)
				b.functions[c.function+c.file] = f
			}
			l = &profile.Location{ID: uint64(len(b.p.Location) + 1), Line: []profile.Line{{Function: f, Line: c.line}}}
			b.p.Location = append(b.p.Location, l)
			b.locations[c] = l
		}
		s.Location = append(s.Location, l)
	}
	b.p.Sample = append(b.p.Sample, s)
}

// page makes a page of what was added.
func (b *profileBuilder) page(t testing.TB) Page {
	t.Helper()
	r, err := alloccount.NewReport(b.p, alloccount.ReportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return Page{Report: r, Profile: b.p}
}

// manySites makes a page with n sites, each of two sizes and in a function of
// its own under one of a hundred callers; the first make most.
func manySites(t testing.TB, n int) Page {
	b := newProfile()
	for i := range n {
		leaf := call{fmt.Sprintf("example.com/app/p%d.(*T).f%d", i%97, i), fmt.Sprintf("/src/app/p%d/f.go", i%97), int64(i/97 + 10)}
		caller := call{fmt.Sprintf("example.com/app/run.step%d", i%100), "/src/app/run/run.go", int64(i%100 + 20)}
		b.add(int64(1+1_000_000/(i+1)), int64(1+i%40), 48, "", leaf, caller, call{"main.main", "/src/app/main.go", 9})
		b.add(int64(1+i%7), int64(1000+i%5000), 8192, "app.T", leaf, caller, call{"main.main", "/src/app/main.go", 9})
	}
	return b.page(t)
}

// recorded is a profile that alloctop wrote: the benchmarks of encoding/csv and
// encoding/xml.
func recorded(t testing.TB) Page {
	t.Helper()
	f, err := os.Open("testdata/std.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := alloccount.ReadProfile(f)
	if err != nil {
		t.Fatal(err)
	}
	r, err := alloccount.NewReport(p, alloccount.ReportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return Page{Report: r, Profile: p}
}

// write returns the page as a file.
func write(t testing.TB, p Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var dataElement = regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`)

// dataOf reads the data of a page out of its file.
func dataOf(t testing.TB, file string) *data {
	t.Helper()
	m := dataElement.FindAllStringSubmatch(file, -1)
	if len(m) != 1 {
		t.Fatalf("%d elements with data, want 1", len(m))
	}
	d := new(data)
	if err := json.Unmarshal([]byte(m[0][1]), d); err != nil {
		t.Fatalf("the data of the page: %v", err)
	}
	return d
}
