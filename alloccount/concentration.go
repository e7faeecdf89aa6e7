package alloccount

import (
	"maps"
	"slices"
)

// mostly is the part that [Scope.Concentration] is about.
const mostly = 0.8

// Concentration says how few lines make up most of something.
type Concentration struct {
	Lines int   // different ones that have any of it
	Few   int   // the fewest that make up four fifths of it, or all there are
	Sum   int64 // how much those few make up
}

// Concentration says how few lines make up most of an amount of the sites of s,
// as of their objects: 2 lines make up 81 %. What a line does for several
// causes is one line. Objects of no known line are in the whole, but no line.
func (s *Scope) Concentration(amount func(*Site) int64) Concentration {
	var total int64
	sums := make(map[sourceLine]int64)
	for _, x := range s.Sites {
		n := amount(x)
		total += n
		if x.Function == noLine || n == 0 {
			continue
		}
		sums[x.sourceLine()] += n
	}
	c := Concentration{Lines: len(sums)}
	for _, n := range slices.Backward(slices.Sorted(maps.Values(sums))) {
		if float64(c.Sum) >= mostly*float64(total) {
			break
		}
		c.Few++
		c.Sum += n
	}
	return c
}

// sourceLine is what sites of one line have in common.
type sourceLine struct {
	function, file string
	line           int
}

// sourceLine returns the line of x: its function where there is no source.
func (x *Site) sourceLine() sourceLine {
	if x.File == "" {
		return sourceLine{function: x.Function}
	}
	return sourceLine{"", x.File, x.Line}
}
