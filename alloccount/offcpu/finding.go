package offcpu

import (
	"fmt"
	"strings"

	"github.com/alloctop/alloctop/internal/figure"
)

// Goroutines returns how many goroutines n samples are on average.
func (s *Summary) Goroutines(n int64) float64 {
	if s.Samples == 0 {
		return 0
	}
	return float64(n) / float64(s.Samples)
}

// Finding is the summary in a sentence: of the goroutines that took most time,
// how many were busy, and where the others waited.
func (s *Summary) Finding() string {
	g := s.workers()
	if g == nil {
		return "no goroutine was seen"
	}
	name := ""
	if g.Function != "" {
		name = " of " + lastElement(g.Function)
	}
	n := s.mean(g.All())
	text := fmt.Sprintf("%s goroutines%s: %s on a processor or ready to run", n, name, s.mean(g.CPU))
	if n == "1.0" {
		text = strings.Replace(text, "goroutines", "goroutine", 1)
	}
	if g.System > 0 {
		text += fmt.Sprintf(", %s in system calls or C", s.mean(g.System))
	}
	text += fmt.Sprintf(", %s waiting", s.mean(g.Waiting))
	if at, w := g.sleepsAt(); w.Samples > 0 {
		text += fmt.Sprintf(", most of it for %s at %s (%s)", w.For, shortPlace(at), figure.Percent(w.Samples, g.Waiting, 0))
	}
	return text
}

// Busy says how many processors the process used, "" if that is not known.
func (s *Summary) Busy() string {
	if s.CPUSeconds <= 0 {
		return ""
	}
	busy := tenths(s.CPUSeconds / s.Seconds)
	if s.Procs > 0 {
		return fmt.Sprintf("%s of %s were busy", busy, figure.Things(int64(s.Procs), "processor", "processors"))
	}
	return busy + " processors were busy"
}

// workers is the group that a reader asks about: the largest that does the
// user's own work, or the largest.
func (s *Summary) workers() *Group {
	for i := range s.Groups {
		if s.Groups[i].Own {
			return &s.Groups[i]
		}
	}
	if len(s.Groups) > 0 {
		return &s.Groups[0]
	}
	return nil
}

// sleepsAt returns where and for what most goroutines of a group sleep.
func (g *Group) sleepsAt() (at string, most Wait) {
	for _, l := range g.Lines {
		if l.Waiting == 0 {
			continue
		}
		for _, w := range l.For {
			if w.Samples > most.Samples && !isSystem(w.For) {
				at, most = l.At(), w
			}
		}
	}
	return at, most
}

func isSystem(what string) bool { return what == inC || what == inSystem }

// mean prints how many goroutines n samples are: "6.7", "<0.1".
func (s *Summary) mean(n int64) string {
	return tenths(s.Goroutines(n))
}

func tenths(v float64) string {
	if v > 0 && v < 0.05 {
		return "<0.1"
	}
	return fmt.Sprintf("%.1f", v)
}

// lastElement cuts the path to a package from the name of a function.
func lastElement(function string) string {
	end := len(function)
	if i := strings.IndexAny(function, "(["); i >= 0 {
		end = i
	}
	return function[strings.LastIndexByte(function[:end], '/')+1:]
}

// shortPlace keeps of a place the last element of its package, and the line.
func shortPlace(at string) string {
	return at[strings.LastIndexByte(at[:max(0, strings.LastIndexByte(at, '/'))], '/')+1:]
}
