package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/parsers"
	"github.com/alloctop/alloctop/internal/figure"
)

// sentences says in words what was found.
func (f *findings) sentences() []string {
	var all []string
	for i, c := range f.contests {
		what := []string{"setting", "parser", "experiment"}[i]
		if s := f.best(c, what); s != "" {
			all = append(all, s)
		}
		if s := f.worst(c, what); s != "" {
			all = append(all, s)
		}
	}
	for _, counted := range f.counts {
		if counted.parser == parsers.Standard && len(counted.middle().Sites) > 0 {
			all = append(all, lines(counted))
		}
	}
	if s := f.types(); s != "" {
		all = append(all, s)
	}
	return append(all, f.found())
}

// extremes returns the fastest and the slowest contender besides the first, nil if
// all failed.
func (f *findings) extremes(c contest) (fastest, slowest *contender) {
	low, high := math.Inf(1), 0.0
	for i, x := range c.contenders[1:] {
		o := f.results[x.work()]
		if o.failed != nil {
			continue
		}
		ratio := o.ratio(f.results[c.contenders[0].work()], f.measure.of)
		if ratio < low {
			fastest, low = &c.contenders[i+1], ratio
		}
		if ratio > high {
			slowest, high = &c.contenders[i+1], ratio
		}
	}
	return fastest, slowest
}

// best says what the fastest of a contest buys.
func (f *findings) best(c contest, what string) string {
	x, _ := f.extremes(c)
	if x == nil {
		return ""
	}
	base, o := f.results[c.contenders[0].work()], f.results[x.work()]
	n, chance := o.faster(base, f.measure.of)
	if ratio := o.ratio(base, f.measure.of); ratio < 1 {
		return fmt.Sprintf("The best %s buys %.0f %% of the %s: %s%s. %s", what, 100*(1-ratio), f.measure.name, x.name,
			memory(o.median(peak), base.median(peak)), rounds(n, len(o.rounds), "faster", chance, c))
	}
	return fmt.Sprintf("No %s makes %s faster.", what, parsers.Standard)
}

// worst says what the slowest of a contest costs.
func (f *findings) worst(c contest, what string) string {
	_, x := f.extremes(c)
	if x == nil {
		return ""
	}
	base, o := f.results[c.contenders[0].work()], f.results[x.work()]
	ratio := o.ratio(base, f.measure.of)
	if ratio <= 1 {
		return ""
	}
	long := "as long"
	if f.measure.name != "time" {
		long = "the " + f.measure.name
	}
	s := fmt.Sprintf("The worst %s takes %.2f times %s: %s%s", what, ratio, long, x.name, memory(o.median(peak), base.median(peak)))
	if x.note != "" {
		s += " (" + x.note + ")"
	}
	n, chance := o.faster(base, f.measure.of)
	return s + ". " + rounds(len(o.rounds)-n, len(o.rounds), "slower", chance, c) + f.expensive(x.parser)
}

// rounds says in how many of the rounds it was so, and whether that can be chance:
// the fastest and the slowest of many look it more than they are, so the odds are
// divided among all of a contest.
func rounds(n, of int, how string, chance float64, c contest) string {
	s := fmt.Sprintf("It was %s in %d of %d rounds", how, n, of)
	if chance >= 0.05/float64(len(c.contenders)-1) {
		return s + ", which may be chance."
	}
	return s + "."
}

// expensive says of a parser with few allocations where its bytes come from.
func (f *findings) expensive(parser string) string {
	c, ok := f.of(parser)
	if !ok {
		return ""
	}
	s := c.middle()
	if !few(s) || len(heaviest(s)) == 0 {
		return ""
	}
	x := heaviest(s)[0]
	return fmt.Sprintf(" It makes only %s allocations, but they take %s bytes for each element, %s of these at %s (%s): "+
		"objects are not all that counts.", figure.Count(s.Totals.Objects), perElement(s.Totals.Requested, s),
		figure.Percent(x.Requested, s.Totals.Requested, 1), place(x), x.Cause)
}

// memory says how much memory is taken for it.
func memory(peak, base float64) string {
	if peak == 0 || base == 0 {
		return ""
	}
	if ratio := peak / base; ratio < 0.95 || ratio > 1.05 {
		return fmt.Sprintf(", with %.1f times the memory", ratio)
	}
	return ", with about the same memory"
}

// lines says which lines of a parser allocate.
func lines(c counted) string {
	s := c.middle()
	var (
		sum    int64
		places []string
	)
	for _, x := range heaviest(s) {
		if lineless(x) {
			continue
		}
		sum += x.Objects
		places = append(places, place(x))
	}
	settings := ""
	if c.name == c.parser {
		settings = ", whatever the settings"
	}
	return fmt.Sprintf("%s allocates %s objects for each element%s; %d lines make %s of them: %s.",
		c.name, figure.Ratio(s.Totals.Objects, s.Records), settings, len(places), figure.Percent(sum, s.Totals.Objects, 1),
		strings.Join(places, ", "))
}

// types says what the types of the document save.
func (f *findings) types() string {
	with, ok := f.of(parsers.Typed)
	without, too := f.of(parsers.Standard)
	if !ok || !too {
		return ""
	}
	a, b := with.middle(), without.middle()
	return fmt.Sprintf("Told the types of the document, %s allocates %s, which is %s of that.", parsers.Standard,
		figure.Ratio(a.Totals.Objects, a.Records), figure.Percent(a.Totals.Objects, b.Totals.Objects, 0))
}

// of returns the counts of a parser in the first build that has it.
func (f *findings) of(parser string) (counted, bool) {
	i := slices.IndexFunc(f.counts, func(c counted) bool { return c.parser == parser })
	if i < 0 {
		return counted{}, false
	}
	return f.counts[i], true
}

// found says what found the lines.
func (f *findings) found() string {
	if f.engine == alloccount.Exact {
		return "The lines were found by the exact engine, which counts every allocation where it is made."
	}
	return "The lines were found by the runtime's own heap profile, which is blind to most objects below 16 bytes: those of " +
		"numbers and short texts. The exact engine needs Linux on amd64, and Go 1.26 or 1.27."
}

// reconciliation holds the counts against the runtime's own, and the runs of a
// parser against each other.
func (f *findings) reconciliation() []string {
	var objects, ran, lineless int64
	var varying []string
	for _, c := range f.counts {
		for _, s := range c.runs {
			objects += s.Totals.Objects
			lineless += s.Unplaced
			if s.Runtime != nil {
				ran += s.Runtime.Objects
			}
		}
		if c.least() != c.most() {
			varying = append(varying, c.variation())
		}
	}
	all := []string{fmt.Sprintf("Attributed %s of %s allocations (%s) in %d parses by each, by the engine %q.",
		figure.Count(objects-lineless), figure.Count(ran), figure.Percent(objects-lineless, ran, 2), countedRuns, f.engine)}
	if len(varying) == 0 {
		return append(all, "All parses by the same parser allocate the same.")
	}
	return append(all, "Of the same parser all parses allocate the same, except for what collections, pools and waiting goroutines do: "+
		strings.Join(varying, "; ")+".")
}

// variation says by how much the runs of a parser differ, and where.
func (c counted) variation() string {
	places := c.varying()
	more := ""
	if n := len(places) - shownVarying; n > 0 {
		places, more = places[:shownVarying], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("%s %s to %s (%s%s)", c.name, figure.Count(c.least()), figure.Count(c.most()), strings.Join(places, ", "), more)
}

// shownVarying are the lines named that differ from run to run.
const shownVarying = 2
