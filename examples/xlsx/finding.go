package main

import (
	"fmt"
	"strings"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/internal/study"
	"github.com/alloctop/alloctop/examples/xlsx/workbook"
	"github.com/alloctop/alloctop/internal/figure"
)

// finding says in words what the numbers say.
func (s *session) finding() []string {
	naive, tuned, best := s.scope(workbook.Naive.String()), s.scope(workbook.Tuned.String()), s.scope(workbook.Best.String())
	return []string{
		s.twoLines(naive),
		s.suspects(naive),
		fmt.Sprintf("Changing these two lines leaves %s allocations per cell, %s fewer; reading the report to the end leaves %s.",
			perCell(tuned), figure.Percent(naive.Totals.Objects-tuned.Totals.Objects, naive.Totals.Objects, 0), perCell(best)),
		s.faster(),
		s.allocatorAlone(),
		s.howCounted(),
	}
}

func perCell(s *alloccount.Scope) string { return figure.Ratio(s.Totals.Objects, s.Records) }

// twoLines names the lines that make most of the allocations.
func (s *session) twoLines(naive *alloccount.Scope) string {
	text := fmt.Sprintf("%s allocations per cell, %s of them of 32 bytes or less.", perCell(naive), smallShare(naive))
	if len(naive.Sites) < 2 {
		return text
	}
	first, second := naive.Sites[0], naive.Sites[1]
	return text + fmt.Sprintf(" %s come from two lines: %s, and %s.",
		figure.Percent(first.Objects+second.Objects, naive.Totals.Objects, 1), described(first), described(second))
}

// described names a line and what it does.
func described(x *alloccount.Site) string {
	if what := study.What(x); what != "" {
		return fmt.Sprintf("%s (%s)", study.Place(x), what)
	}
	return study.Place(x)
}

// suspects says what the objects of rows and cells are, which one would look at
// first.
func (s *session) suspects(naive *alloccount.Scope) string {
	var n int64
	for _, site := range naive.Sites {
		if strings.HasSuffix(site.Package, "/workbook") {
			n += site.Objects
		}
	}
	return fmt.Sprintf("The objects of rows and cells, which one suspects first, are %s.", figure.Percent(n, naive.Totals.Objects, 1))
}

// faster compares the levels on all threads.
func (s *session) faster() string {
	var parts []string
	var base, all timed
	for i, row := range s.loader {
		if i > 0 && s.loader[i-1].name == row.name && (i+1 == len(s.loader) || s.loader[i+1].name != row.name) {
			parts = append(parts, fmt.Sprintf("%s %.2fx (%.2f busy)", row.name, row.speedUp, study.Median(row.runs, study.Busy)))
		}
		switch row.name {
		case workbook.Naive.String():
			base = row
		case workbook.Tuned.String():
			all = row
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("On one thread tuned is %.2f times as fast as naive. This machine has no second one.", study.SpeedUp(base.runs, all.runs))
	}
	return fmt.Sprintf("%d threads against one: %s. Tuned on %d threads is %.2f times as fast as naive on %d.",
		base.threads, strings.Join(parts, ", "), all.threads, study.SpeedUp(base.runs, all.runs), base.threads)
}

// allocatorAlone says how pure allocation scales.
func (s *session) allocatorAlone() string {
	var parts []string
	for i, row := range s.churn {
		if i+1 == len(s.churn) || s.churn[i+1].name != row.name {
			parts = append(parts, fmt.Sprintf("%s %.2fx", row.name, row.speedUp))
		}
	}
	return fmt.Sprintf("Nothing but allocation, on %d threads against one, by the size of the objects: %s.",
		s.churn[len(s.churn)-1].threads, strings.Join(parts, ", "))
}

// howCounted says which engine found it, and how sure that is.
func (s *session) howCounted() string {
	text := "Counted by the exact engine, which sees every allocation: " + known(s.counts)
	if s.counts.Engine != alloccount.Exact {
		text = "Counted by the runtime's own heap profile, which lacks most objects below 16 bytes: the totals are right, the lines are not sure"
	}
	text += ". " + s.variation()
	if s.hooked {
		return text + " The times are of a program that counts meanwhile; go run without alloctop has those of a plain one."
	}
	return text + fmt.Sprintf(" The times are of a plain build, medians of runs in turn, those of the loader of %d rounds.", len(s.loader[0].runs)) + study.Crowded(s.loader[0].runs)
}

// known says what part of all allocations has a line.
func known(r *alloccount.Report) string {
	var counted, all int64
	for _, scope := range r.Scopes {
		if scope.Runtime != nil {
			counted, all = counted+scope.Totals.Objects, all+scope.Runtime.Objects
		}
	}
	return fmt.Sprintf("%s of %s (%s)", figure.Count(counted), figure.Count(all), figure.Percent(counted, all, 2))
}

// variation says by how much the counts of the same work differ.
func (s *session) variation() string {
	least, most := 0.0, 0.0
	name := ""
	for _, r := range readers() {
		scope := s.scope(r.name)
		if scope.Runs == nil {
			continue
		}
		if p := scope.Runs.PerRecord; p.Max-p.Min > most-least {
			least, most, name = p.Min, p.Max, r.name
		}
	}
	if name == "" {
		return fmt.Sprintf("All of %d calls of each reader count the same.", countedRuns)
	}
	return fmt.Sprintf("Of %d calls of a reader, those of %s differ most, by %s allocations per cell: the first fills pools, which garbage collection empties when it comes.",
		countedRuns, name, figure.Float(most-least))
}
