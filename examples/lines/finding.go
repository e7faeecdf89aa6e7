package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/internal/study"
	"github.com/alloctop/alloctop/internal/figure"
)

// finding says in words what the numbers say.
func (s *session) finding() []string {
	return []string{s.story(), s.heaviest("list"), s.heaviest("channel"), s.hands(), s.fastest(), s.howCounted()}
}

// meanBytes is the bytes/op of the table.
func meanBytes(runs []study.Run) float64 {
	var sum float64
	for _, r := range runs {
		sum += float64(r.Bytes)
	}
	return sum / float64(len(runs))
}

// story compares the two shapes that it is about.
func (s *session) story() string {
	list, channel := s.of("list"), s.of("channel")
	return fmt.Sprintf("A channel with %d readers is %.2f times as fast as a task for each line in a list, with %.2f of its CPU time, and allocates %.2f times the bytes: %s against the list's %s (mean bytes/op, as in the table), in %s allocations per line against %s.",
		s.readers, study.SpeedUp(list.runs, channel.runs), study.Median(channel.runs, study.CPUSeconds)/study.Median(list.runs, study.CPUSeconds),
		meanBytes(channel.runs)/meanBytes(list.runs), figure.Bytes(meanBytes(channel.runs)), figure.Bytes(meanBytes(list.runs)),
		perLine(s.scope("channel")), perLine(s.scope("list")))
}

func perLine(x *alloccount.Scope) string { return figure.Ratio(x.Totals.Objects, x.Records) }

// heaviest names the lines of a shape that make nine in ten of its allocations.
func (s *session) heaviest(name string) string {
	scope := s.scope(name)
	text := fmt.Sprintf("In %s, alloctop names", name)
	var sum int64
	for i, site := range scope.Sites {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(" %s (%s, %s)", study.Place(site), study.What(site), figure.Percent(site.Objects, scope.Totals.Objects, 1))
		if sum += site.Objects; 10*sum > 9*scope.Totals.Objects {
			break
		}
	}
	return text + "."
}

// hands says what handing over fewer and larger things brings, and what doing
// without the string of a line does.
func (s *session) hands() string {
	channel := s.of("channel").runs
	of := func(name string) string {
		return fmt.Sprintf("%s allocations per line and %.2f of the channel's CPU time", perLine(s.scope(name)),
			study.Median(s.of(name).runs, study.CPUSeconds)/study.Median(channel, study.CPUSeconds))
	}
	return fmt.Sprintf("Buffers that come back leave %s, since each line is still handed over; many strings at a time leave %s; blocks of bytes leave %s.",
		of("pooled"), of("batches"), of("blocks"))
}

// fastest says which shape is the fastest of all, and how far one loop is from it.
func (s *session) fastest() string {
	best := slices.MinFunc(s.times, func(a, b timed) int {
		return cmp.Compare(study.Median(a.runs, study.Seconds), study.Median(b.runs, study.Seconds))
	})
	name := best.variant.Name
	if n := best.number(); n != "" {
		name += " (readers: " + n + ")"
	}
	return fmt.Sprintf("The fastest is %s, %s; one loop without other goroutines takes %s, and the channel at its best %s.",
		name, figure.Seconds(study.Median(best.runs, study.Seconds)),
		figure.Seconds(study.Median(s.of("serial").runs, study.Seconds)), figure.Seconds(s.bestChannel()))
}

// bestChannel is the time of the channel with the best number of readers.
func (s *session) bestChannel() float64 {
	best := study.Median(s.of("channel").runs, study.Seconds)
	for _, n := range s.swept() {
		best = min(best, study.Median(s.with("channel", n).runs, study.Seconds))
	}
	return best
}

// howCounted says which engine found it, and how sure that is.
func (s *session) howCounted() string {
	text := "Counted by the exact engine, which sees every allocation. "
	if s.counts.Engine != alloccount.Exact {
		text = "Counted by the runtime's own heap profile, which lacks most objects below 16 bytes: the totals are right, the lines are not sure. "
	}
	text += s.variation()
	if s.hooked {
		return text + " The times are of a program that counts meanwhile; go run without alloctop has those of a plain one."
	}
	return text + fmt.Sprintf(" Times, collections and bytes are of a plain build, in turn, of %d rounds.", len(s.times[0].runs)) + study.Crowded(s.of("channel").runs)
}

// variation says by how much the counts of the same work differ.
func (s *session) variation() string {
	var widest *alloccount.Scope
	width := 0.0
	for _, scope := range s.counts.Scopes {
		if scope.Runs == nil {
			continue
		}
		if d := scope.Runs.PerRecord.Max - scope.Runs.PerRecord.Min; d > width {
			widest, width = scope, d
		}
	}
	if widest == nil {
		return fmt.Sprintf("All of %d calls of each shape count the same.", countedRuns)
	}
	return fmt.Sprintf("Of %d calls of a shape, those of %s differ most, by %s allocations per line: how many goroutines and buffers there are at a time depends on who is scheduled when.",
		countedRuns, widest.Name, figure.Float(width))
}
