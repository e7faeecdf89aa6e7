package web

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/sizeclass"
)

// sums adds up what a scope of a page shows and what it only counts.
func (s *scopeData) sums() (total amounts, classes []amounts) {
	classes = make([]amounts, len(s.Bounds))
	for i, a := range s.Sites.Amounts {
		total.add(a[0], a[1], a[2])
		for row := range slices.Chunk(s.Sites.Sizes[i], 4) {
			classes[row[0]].add(row[1], row[2], row[3])
		}
	}
	if s.Rest != nil {
		total.add(s.Rest.Totals[0], s.Rest.Totals[1], s.Rest.Totals[2])
		for _, row := range s.Rest.Sizes {
			classes[row[0]].add(row[1], row[2], row[3])
		}
	}
	return total, classes
}

// few are limits that the fixtures are above.
var few = limits{sites: 300, leastSites: 2, paths: 500, leastPaths: 2}

func TestPageHasAllThatTheReportCounts(t *testing.T) {
	for name, page := range map[string]Page{
		"recorded": recorded(t), "few": manySites(t, 100), "more than are shown": manySites(t, 1000),
	} {
		t.Run(name, func(t *testing.T) {
			d := newData(page, few)
			for i, s := range page.Report.Scopes {
				total, classes := d.Scopes[i].sums()
				if want := (amounts{s.Totals.Objects, s.Totals.Bytes, s.Totals.Requested}); total != want {
					t.Errorf("%s: the page sums to %d, the report to %d", s.Name, total, want)
				}
				var got []sizeclass.Bucket
				for k, a := range classes {
					got = append(got, sizeclass.Bucket{Max: d.Scopes[i].Bounds[k], Objects: a[0], Bytes: a[1], Requested: a[2]})
				}
				if diff := cmp.Diff(s.SizeClasses, got); diff != "" {
					t.Errorf("%s: size classes of the report and of the page differ (-report +page):\n%s", s.Name, diff)
				}
			}
		})
	}
}

func TestCallPathsHaveAllThatTheReportCounts(t *testing.T) {
	for name, page := range map[string]Page{
		"recorded": recorded(t), "few": manySites(t, 100), "more than are shown": manySites(t, 1000),
	} {
		t.Run(name, func(t *testing.T) {
			d := newData(page, few)
			for i, s := range page.Report.Scopes {
				tree := d.Scopes[i].Tree
				var sum amounts
				for _, a := range tree.Amounts {
					sum.add(a[0], a[1], a[2])
				}
				if want := (amounts{s.Totals.Objects, s.Totals.Bytes, s.Totals.Requested}); sum != want {
					t.Errorf("%s: call paths sum to %d, the report to %d", s.Name, sum, want)
				}
				for n, parent := range tree.Parent {
					if parent >= n {
						t.Fatalf("%s: node %d comes before its parent %d", s.Name, n, parent)
					}
				}
			}
		})
	}
}

// Each site has the same objects in the flame graph as in the table.
func TestCallPathsEndAtTheSitesOfTheReport(t *testing.T) {
	d := newData(recorded(t), pageLimits)
	for _, s := range d.Scopes {
		sums := make([]amounts, len(s.Sites.Amounts))
		for e, site := range s.Tree.Site {
			if site < 0 {
				t.Fatalf("%s: the end of a path is of no site", s.Name)
			}
			a := s.Tree.Amounts[e]
			sums[site].add(a[0], a[1], a[2])
		}
		if diff := cmp.Diff(s.Sites.Amounts, sums); diff != "" {
			t.Errorf("%s: sites of the table and of the flame graph differ (-table +flame):\n%s", s.Name, diff)
		}
	}
}

func TestHeaviestSitesAreShownByWhateverMeasure(t *testing.T) {
	b := newProfile()
	at := func(name string) call { return call{"example.com/app." + name, "/src/app/" + name + ".go", 7} }
	for i := range 50 {
		b.add(1000, 8, 8, "", call{"example.com/app.f", "/src/app/f.go", int64(10 + i)})
	}
	b.add(1, 1<<30, 1<<30, "", at("large"))
	s := b.page(t).Report.Scopes[0]
	if got := heaviest(s, 3); !slices.ContainsFunc(got, func(x *alloccount.Site) bool { return x.File == "/src/app/large.go" }) {
		t.Errorf("one object of 1 GiB is not among the three heaviest of lines with 8 KB each")
	}
}

func TestFewLines(t *testing.T) {
	b := newProfile()
	b.add(80, 8, 8, "", call{"example.com/app.f", "/src/app/f.go", 10})
	b.add(15, 8, 8, "", call{"example.com/app.f", "/src/app/f.go", 11})
	b.add(5, 1000, 1024, "", call{"example.com/app.f", "/src/app/f.go", 12})
	lines, of := concentration(b.page(t).Report.Scopes[0])
	if lines != 3 {
		t.Errorf("%d lines, want 3", lines)
	}
	want := [3]fewData{{1, 80}, {1, 5 * 1024}, {1, 5 * 1000}}
	if of != want {
		t.Errorf("few lines make %v, want %v", of, want)
	}
}

func TestFairShare(t *testing.T) {
	for _, c := range []struct {
		counts        []int
		budget, least int
		want          int
	}{
		{[]int{5, 5}, 100, 1, 100},
		{[]int{1000}, 100, 1, 100},
		{[]int{10, 1000, 1000}, 100, 1, 45},
		{[]int{1000, 1000, 1000}, 3, 12, 12},
		{nil, 100, 1, 100},
	} {
		if got := fairShare(c.counts, c.budget, c.least); got != c.want {
			t.Errorf("fairShare(%v, %d, %d) = %d, want %d", c.counts, c.budget, c.least, got, c.want)
		}
	}
}

func TestFirstScopeIsWhatWasAskedFor(t *testing.T) {
	scope := func(kind alloccount.Kind, objects int64) *alloccount.Scope {
		return &alloccount.Scope{Kind: kind, Totals: alloccount.Totals{Objects: objects}}
	}
	test, bench, empty := scope(alloccount.KindTest, 1000), scope(alloccount.KindBenchmark, 10), scope(alloccount.KindBenchmark, 0)
	per := func(objects, records int64) *alloccount.Scope {
		s := scope(alloccount.KindMeasure, objects)
		s.Records = records
		return s
	}
	for _, c := range []struct {
		name   string
		scopes []*alloccount.Scope
		want   int
	}{
		{"a benchmark before tests", []*alloccount.Scope{test, empty, bench}, 2},
		{"the test with most objects", []*alloccount.Scope{scope(alloccount.KindTest, 1), test}, 1},
		{"a benchmark before Measures", []*alloccount.Scope{per(1000, 500), bench}, 1},
		{"the first that allocates for every record", []*alloccount.Scope{per(1, 500), per(600, 200), per(900, 200), test}, 1},
		{"the one that allocates most for a record, if none does for every one", []*alloccount.Scope{per(1, 500), per(200, 600), per(300, 1000), test}, 1},
		{"the first of two that are alike", []*alloccount.Scope{test, per(8, 2), per(8, 2)}, 1},
		{"nothing", nil, 0},
	} {
		if got := first(c.scopes); got != c.want {
			t.Errorf("%s: scope %d comes first, want %d", c.name, got, c.want)
		}
	}
}

func TestScopesHaveNamesOfTheirOwn(t *testing.T) {
	bench := func(name string, procs, run int) *alloccount.Scope {
		return &alloccount.Scope{Kind: alloccount.KindBenchmark, Package: "example.com/app", Name: name, Procs: procs, Run: run}
	}
	scopes := []*alloccount.Scope{bench("A", 2, 0), bench("A", 2, 1), bench("B", 1, 0), bench("B", 2, 0), bench("C", 2, 0)}
	n := newNamer(scopes)
	var got []string
	for _, s := range scopes {
		name, detail := n.name(s)
		got = append(got, name+"|"+detail+"|"+n.id(s))
	}
	want := []string{
		"A|run 1 of 2|example.com/app.A-2", "A|run 2 of 2|example.com/app.A-2~2",
		"B-1||example.com/app.B-1", "B-2||example.com/app.B-2", "C||example.com/app.C-2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

func TestScopesOfTwoFilesAreToldApart(t *testing.T) {
	var scopes []*alloccount.Scope
	for run, from := range []string{"a.pb.gz", "a.pb.gz", "b.pb.gz"} {
		scopes = append(scopes, &alloccount.Scope{Kind: alloccount.KindBenchmark, Name: "A", Procs: 2, Run: run % 2, From: from})
	}
	n := newNamer(scopes)
	for i, want := range []string{"run 1 of 2, from a.pb.gz", "run 2 of 2, from a.pb.gz", "from b.pb.gz"} {
		if name, detail := n.name(scopes[i]); name != "A" || detail != want {
			t.Errorf("%s (%s), want A (%s)", name, detail, want)
		}
	}
}
