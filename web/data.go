package web

import (
	"slices"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/callsite"
	"github.com/alloctop/alloctop/sizeclass"
)

// limits say how much of a report a page shows by itself. What is beyond is
// summed up.
type limits struct {
	sites, leastSites int // of all scopes together, and of each at least
	paths, leastPaths int // ends of call paths, likewise
}

var pageLimits = limits{sites: 8000, leastSites: 12, paths: 20000, leastPaths: 24}

// mostTypes is how many types of a site are shown.
const mostTypes = 12

// data is what the script of a page reads. Strings are indexes into Strings,
// since the same few names return everywhere.
type data struct {
	Engine  alloccount.Engine `json:"engine"`
	Go      string            `json:"go"`
	Command []string          `json:"command"`
	By      alloccount.By     `json:"by"`
	Notes   []string          `json:"notes"`
	Strings []string          `json:"strings"`
	Explain map[string]string `json:"explain"` // what causes mean
	Scopes  []*scopeData      `json:"scopes"`
	First   int               `json:"first"` // the scope to show first
	Paths   bool              `json:"paths"` // there are call paths
	Wall    *wallData         `json:"wall,omitempty"`
	Source  bool              `json:"source"`
	Files   []fileData        `json:"files,omitempty"`
}

// amounts are objects, bytes of slots, and requested bytes.
type amounts [3]int64

func (a *amounts) add(objects, bytes, requested int64) {
	a[0] += objects
	a[1] += bytes
	a[2] += requested
}

// sizeRow is the index of a size class in scopeData.Bounds, and its amounts.
type sizeRow [4]int64

// scopeData is one scope.
type scopeData struct {
	ID         string              `json:"id"`
	Kind       alloccount.Kind     `json:"kind"`
	Package    string              `json:"package"`
	Name       string              `json:"name"`
	Detail     string              `json:"detail,omitempty"`
	Tests      []string            `json:"tests,omitempty"`
	Procs      int                 `json:"procs"`
	Iterations int64               `json:"iterations"`
	Records    int64               `json:"records"`
	Unit       [2]string           `json:"unit"` // one, many
	Process    alloccount.Process  `json:"process"`
	Totals     amounts             `json:"totals"`
	Tiny       int64               `json:"tiny"`
	Own        bool                `json:"own_goroutines,omitempty"`
	Runtime    *alloccount.Counted `json:"runtime"`
	Folded     int64               `json:"folded,omitempty"`
	Cost       *alloccount.Cost    `json:"cost,omitempty"`
	Runs       *alloccount.Runs    `json:"runs,omitempty"`
	Notes      []string            `json:"notes,omitempty"`
	Bounds     []sizeclass.Bound   `json:"bounds"` // the size classes that have objects
	Sizes      []sizeRow           `json:"sizes"`  // of all sites
	Lines      int                 `json:"lines"`  // different ones, of all sites
	Few        [3]fewData          `json:"few"`    // by measure
	Sites      siteColumns         `json:"sites"`
	Rest       *restData           `json:"rest,omitempty"`
	Tree       *treeData           `json:"tree,omitempty"`
}

// fewData says how few lines make up most of a measure.
type fewData struct {
	Lines int   `json:"lines"`
	Sum   int64 `json:"sum"`
}

// restData sums up the sites that are not shown.
type restData struct {
	Sites  int       `json:"sites"`
	Totals amounts   `json:"totals"`
	Sizes  []sizeRow `json:"sizes"`
}

// table numbers strings.
type table struct {
	list []string
	at   map[string]int
}

func newTable() *table { return &table{list: []string{""}, at: map[string]int{"": 0}} }

func (t *table) index(s string) int {
	s = clean(s)
	i, ok := t.at[s]
	if !ok {
		i = len(t.list)
		t.at[s] = i
		t.list = append(t.list, s)
	}
	return i
}

// newData makes the data of a page.
func newData(p Page, most limits) *data {
	r := p.Report
	t := newTable()
	d := &data{
		Engine: r.Engine, Go: clean(r.Go), Command: cleanAll(r.Command), By: r.By, Notes: cleanAll(r.Notes),
		Explain: make(map[string]string), Scopes: make([]*scopeData, len(r.Scopes)), First: first(r.Scopes),
	}
	names := newNamer(r.Scopes)
	sites := make([]int, len(r.Scopes))
	for i, s := range r.Scopes {
		sites[i] = len(s.Sites)
	}
	each := fairShare(sites, most.sites, most.leastSites)
	shown := make([][]*alloccount.Site, len(r.Scopes))
	for i, s := range r.Scopes {
		shown[i] = heaviest(s, each)
		d.Scopes[i] = newScopeData(s, shown[i], names, t)
		for _, x := range shown[i] {
			if text := callsite.Explain(x.Cause); text != "" {
				d.Explain[clean(x.Cause)] = text
			}
		}
	}
	if p.Profile != nil {
		d.Paths = true
		addTrees(d, p.Profile, shown, t, most)
	}
	d.Wall = newWallData(p.Wall, r)
	if p.Source != nil {
		d.Source = true
		d.Files = sourceOf(r, shown, p.Source, t)
	}
	d.Strings = t.list
	return d
}

// newScopeData makes the data of a scope of which some sites are shown.
func newScopeData(s *alloccount.Scope, shown []*alloccount.Site, names *namer, t *table) *scopeData {
	one, many := s.RecordName()
	d := &scopeData{
		ID: clean(names.id(s)), Kind: s.Kind, Package: clean(s.Package), Tests: cleanAll(s.Tests), Procs: s.Procs,
		Iterations: s.Iterations, Records: s.Records, Unit: [2]string{clean(one), clean(many)}, Process: s.Process,
		Totals: amounts{s.Totals.Objects, s.Totals.Bytes, s.Totals.Requested}, Tiny: s.Totals.Tiny,
		Own: s.Own, Runtime: s.Runtime, Folded: s.Folded, Cost: s.Cost, Runs: s.Runs, Notes: cleanAll(s.Notes),
		Bounds: []sizeclass.Bound{}, Sizes: []sizeRow{},
	}
	d.Process.Main, d.Process.Exit = clean(d.Process.Main), clean(d.Process.Exit)
	name, detail := names.name(s)
	d.Name, d.Detail = clean(name), clean(detail)
	classes := make(map[sizeclass.Bound]int)
	for _, b := range s.SizeClasses {
		classes[b.Max] = len(d.Bounds)
		d.Sizes = append(d.Sizes, rowOf(len(d.Bounds), b))
		d.Bounds = append(d.Bounds, b.Max)
	}
	d.Lines, d.Few = concentration(s)
	d.Sites = newSiteColumns(s, shown, classes, t)
	d.Rest = restOf(s, shown, classes)
	return d
}

func rowOf(class int, b sizeclass.Bucket) sizeRow {
	return sizeRow{int64(class), b.Objects, b.Bytes, b.Requested}
}

// first returns the scope that a reader most likely asked for: the first
// benchmark, or else the first Measure, that allocates for every record; if none
// does, the one that allocates most. Of tests and processes it is the one with
// most objects.
func first(scopes []*alloccount.Scope) int {
	best := 0
	for i, s := range scopes {
		if slices.Compare(weight(s), weight(scopes[best])) > 0 {
			best = i
		}
	}
	return best
}

// weight says how much a reader wants to see a scope.
func weight(s *alloccount.Scope) []float64 {
	kind := map[alloccount.Kind]float64{alloccount.KindBenchmark: 2, alloccount.KindMeasure: 1}[s.Kind]
	if kind == 0 || s.Totals.Objects == 0 {
		return []float64{0, float64(s.Totals.Objects)}
	}
	perRecord := s.PerRecord()
	if s.Records == 0 {
		perRecord = float64(s.Totals.Objects)
	}
	return []float64{kind, min(perRecord, 1)}
}

// concentration counts the different lines of a scope, and for each measure
// the fewest that make up most of it.
func concentration(s *alloccount.Scope) (lines int, few [3]fewData) {
	for m, amount := range []func(*alloccount.Site) int64{
		func(x *alloccount.Site) int64 { return x.Objects },
		func(x *alloccount.Site) int64 { return x.Bytes },
		func(x *alloccount.Site) int64 { return x.Requested },
	} {
		c := s.Concentration(amount)
		lines = max(lines, c.Lines)
		few[m] = fewData{c.Few, c.Sum}
	}
	return lines, few
}

// fairShare returns how many of each may be kept so that all together are at
// most budget, but never fewer than least of each.
func fairShare(counts []int, budget, least int) int {
	sorted := slices.Sorted(slices.Values(counts))
	left := budget
	for i, n := range sorted {
		share := left / (len(sorted) - i)
		if n > share {
			return max(share, least)
		}
		left -= n
	}
	return budget
}
