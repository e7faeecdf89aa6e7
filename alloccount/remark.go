package alloccount

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alloctop/alloctop/internal/counterfile"
	"github.com/alloctop/alloctop/internal/figure"
)

// remark notes what was counted and is not where a reader looks for it: on no
// line, without the line of the user's that led to it, or in no scope.
func (c *collector) remark(cs []*counterfile.Counters) {
	for i, w := range c.chosen {
		s := &c.run.Scopes[i]
		if short := w.missing(); short > 0 && s.Runtime != nil {
			s.Notes = append(s.Notes, fmt.Sprintf("%s could be given to no line, since the hook had no place for their counts: they are missing here, and in the report of the process as a whole (--all) they have no call path",
				figure.Things(short, "allocation", "allocations")))
		}
		if w.lost > 0 {
			s.Notes = append(s.Notes, fmt.Sprintf("%s more than 500 calls deep, of which the innermost are known: which line of your own code led to them is not",
				figure.Things(w.lost, "allocation was made", "allocations were made")))
		}
	}
	c.remarkOutside(cs)
	c.remarkWithoutResult(cs)
}

// missing returns how many objects of a part of a process the hook could only
// add up for the process.
func (w *window) missing() int64 {
	if w.Kind == counterfile.KindProcess || w.Own || w.Open {
		return 0
	}
	return min(w.Objects-w.apart.Objects-w.objects, w.process.Missed.Objects)
}

// remarkOutside notes what processes with tests allocated outside of these, if
// the process is no scope of its own: package testing runs examples and the
// seeds of fuzz tests without a window.
func (c *collector) remarkOutside(cs []*counterfile.Counters) {
	var objects int64
	benchmarks := false
	for _, p := range cs {
		scopes, always := c.scopesBySegment(p)
		of := func(kinds ...counterfile.Kind) bool {
			return slices.ContainsFunc(c.chosen, func(w *window) bool { return w.process == p && slices.Contains(kinds, w.Kind) })
		}
		if len(always) > 0 || !of(counterfile.KindTest, counterfile.KindParallel) {
			continue
		}
		benchmarks = benchmarks || of(counterfile.KindBenchmark)
		for i := range p.Entries {
			if e := &p.Entries[i]; len(scopes[e.Segment]) == 0 {
				objects += e.Objects
			}
		}
	}
	if objects == 0 {
		return
	}
	where := "tests, in examples, seeds of fuzz tests, TestMain, init and package testing"
	if benchmarks {
		where = "tests and of what benchmarks time, in examples, seeds of fuzz tests, first rounds of benchmarks, TestMain, init and package testing"
	}
	c.run.Notes = append(c.run.Notes, fmt.Sprintf("%s outside of %s; --all shows processes as a whole", figure.Things(objects, "allocation was", "allocations were"), where))
}

// remarkWithoutResult names the benchmarks that ran and gave no numbers. One that
// has sub-benchmarks gives none of its own.
func (c *collector) remarkWithoutResult(cs []*counterfile.Counters) {
	var names []string
	for _, p := range cs {
		for i := range p.Windows {
			w := &p.Windows[i]
			gave := func(o counterfile.Window) bool {
				return o.Kind == w.Kind && (o.Name == w.Name && (o.Final || o.Open) || strings.HasPrefix(o.Name, w.Name+"/"))
			}
			if w.Kind == counterfile.KindBenchmark && w.Name != "Main" && !slices.Contains(names, w.Name) && !slices.ContainsFunc(p.Windows, gave) {
				names = append(names, w.Name)
			}
		}
	}
	if len(names) == 0 {
		return
	}
	c.run.Notes = append(c.run.Notes, figure.Things(int64(len(names)), "benchmark", "benchmarks")+" that failed or skipped gave no numbers: "+firstOf(names, 4))
}
