package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/internal/study"
)

// counted is what the runs of one parser allocated.
type counted struct {
	name   string              // of the parser, with the experiment of the build
	parser string              // its name
	runs   []*alloccount.Scope // fewest objects first
}

// group puts the runs of each parser together, in the order of the report.
func group(r *alloccount.Report) []counted {
	var all []counted
	for _, s := range r.Scopes {
		i := slices.IndexFunc(all, func(c counted) bool { return c.parser == s.Name })
		if i < 0 {
			i = len(all)
			all = append(all, counted{name: s.Name, parser: s.Name})
			if _, x, ok := strings.Cut(r.Go, "X:"); ok {
				all[i].name += ", GOEXPERIMENT=" + x
			}
		}
		all[i].runs = append(all[i].runs, s)
	}
	for _, c := range all {
		slices.SortStableFunc(c.runs, func(a, b *alloccount.Scope) int {
			return cmp.Compare(a.Totals.Objects, b.Totals.Objects)
		})
	}
	return all
}

// middle is the run to show.
func (c counted) middle() *alloccount.Scope { return c.runs[len(c.runs)/2] }

// least and most are the objects of the runs with fewest and most.
func (c counted) least() int64 { return c.runs[0].Totals.Objects }
func (c counted) most() int64  { return c.runs[len(c.runs)-1].Totals.Objects }

// causeCollector is the cause of what the garbage collector makes for itself, as
// threads.
const causeCollector = "garbage collection"

// varying names the lines that make more objects in one run than in another, those
// of the largest difference first. What the collector makes counts as one line.
func (c counted) varying() []string {
	objects := make([]map[string]int64, len(c.runs)) // of each run, by line
	extra := make(map[string]int64)                  // by line, of all runs
	for i, s := range c.runs {
		objects[i] = make(map[string]int64)
		for _, x := range s.Sites {
			place := study.Place(x)
			if x.Cause == causeCollector {
				place = causeCollector
			}
			objects[i][place] += x.Objects
			extra[place] = 0
		}
	}
	var places []string
	for place := range extra {
		least, most := objects[0][place], objects[0][place]
		for _, o := range objects {
			least, most = min(least, o[place]), max(most, o[place])
		}
		if extra[place] = most - least; most > least {
			places = append(places, place)
		}
	}
	slices.SortFunc(places, func(a, b string) int {
		return cmp.Or(cmp.Compare(extra[b], extra[a]), cmp.Compare(a, b))
	})
	return places
}
