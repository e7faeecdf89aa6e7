package alloccount

import (
	"fmt"
	"math"

	"github.com/alloctop/alloctop/internal/figure"
	"github.com/alloctop/alloctop/internal/texttab"
)

// costOfMeasure says what only a Measure knows of the cost.
func costOfMeasure(s *Scope) string {
	c := s.Cost
	if s.Kind != KindMeasure {
		return ""
	}
	text := ""
	if c.WallSeconds > 1e-3 && s.Procs > 0 { // else the clocks are too coarse
		text += fmt.Sprintf(", %.1f of %s busy", c.CPUSeconds/c.WallSeconds, figure.Things(int64(s.Procs), "thread", "threads"))
	}
	if c.MutexWaitSeconds > 0 {
		text += ", " + figure.Seconds(c.MutexWaitSeconds) + " waiting for locks"
	}
	if c.PeakHeapBytes > 0 {
		text += ", heap up to " + figure.Bytes(float64(c.PeakHeapBytes))
	}
	if c.Uncounted {
		text += "; timed apart, with the counter off"
	}
	return text
}

// runs says how the calls of a repeated Measure differ.
func (p *printer) runs(s *Scope) {
	r := s.Runs
	if r == nil {
		return
	}
	one := "call"
	if s.Records > 0 {
		one, _ = s.RecordName()
	}
	text := fmt.Sprintf("%s: ", figure.Things(int64(r.Calls), "call", "calls"))
	if r.PerRecord.Min == r.PerRecord.Max {
		text += fmt.Sprintf("each %s allocations per %s", average(r.PerRecord.Min), one)
	} else {
		text += fmt.Sprintf("%s to %s allocations per %s, median %s", average(r.PerRecord.Min), average(r.PerRecord.Max), one, average(r.PerRecord.Median))
	}
	if t := r.WallSeconds; t.Max > 0 {
		text += fmt.Sprintf("; %s to %s each, median %s", figure.Seconds(t.Min), figure.Seconds(t.Max), figure.Seconds(t.Median))
	}
	p.wrap(texttab.Plain, 2, text)
}

// average prints a number of allocations that need not be whole.
func average(v float64) string {
	if v == math.Trunc(v) {
		return figure.Count(int64(v))
	}
	return figure.Float(v)
}
