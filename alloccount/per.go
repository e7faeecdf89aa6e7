package alloccount

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Per says how many records one iteration of a benchmark, or one whole test,
// process or Measure, works on. Of Count and Metric one is set.
type Per struct {
	Name   string // of the benchmarks it is for, sub-benchmarks included; "" for all
	Count  int64
	Metric string // unit of a metric that the benchmark reports, "cells/op"
}

// ParsePer reads a Per: "N", "NAME=N", or the unit of a metric, "cells/op".
func ParsePer(s string) (Per, error) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		if n <= 0 {
			return Per{}, fmt.Errorf("%q is no number of records; it must be 1 or more", s)
		}
		return Per{Count: n}, nil
	}
	if i := strings.LastIndex(s, "="); i > 0 {
		n, err := strconv.ParseInt(s[i+1:], 10, 64)
		if err != nil || n <= 0 {
			return Per{}, fmt.Errorf("%q is no number of records for %s; it must be 1 or more", s[i+1:], s[:i])
		}
		return Per{Name: s[:i], Count: n}, nil
	}
	if strings.Contains(s, "/") && !strings.ContainsAny(s, "= \t") {
		return Per{Metric: s}, nil
	}
	return Per{}, fmt.Errorf("%q does not say how many records there are; give N, NAME=N or the unit of a metric like cells/op", s)
}

// parsePers reads what [perTexts] returned.
func parsePers(texts []string) (pers []Per, err error) {
	for _, s := range texts {
		p, err := ParsePer(s)
		if err != nil {
			return nil, err
		}
		pers = append(pers, p)
	}
	return pers, nil
}

// perTexts returns the texts of pers.
func perTexts(pers []Per) (texts []string) {
	for _, p := range pers {
		texts = append(texts, p.String())
	}
	return texts
}

// String returns what [ParsePer] reads.
func (p Per) String() string {
	switch {
	case p.Metric != "":
		return p.Metric
	case p.Name != "":
		return fmt.Sprintf("%s=%d", p.Name, p.Count)
	}
	return strconv.FormatInt(p.Count, 10)
}

// matches reports how well p fits s: 0 not at all, else the longer the name
// the better.
func (p Per) matches(s *Scope) int {
	if p.Name == "" {
		return 1
	}
	return s.named(p.Name)
}

// named returns 0 if name is not that of s or of a benchmark that s is part
// of, else the more the longer it is.
func (s *Scope) named(name string) int {
	procs := fmt.Sprintf("-%d", s.Procs)
	for _, name := range []string{name, strings.TrimSuffix(name, procs)} {
		for _, full := range []string{s.Name, s.Package + "." + s.Name} {
			if full == name || strings.HasPrefix(full, name+"/") {
				return 1 + len(name)
			}
		}
	}
	return 0
}

// namesOnly reports whether p was meant as a name, and its number is the end
// of that: "BenchmarkRead/size=10" where there is a benchmark of this name.
func (p Per) namesOnly(scopes []*Scope) bool {
	return p.Name != "" && slices.ContainsFunc(scopes, func(s *Scope) bool { return s.named(p.String()) > 0 })
}

// applyPer sets the records of each scope by the Per that fits it best, and
// returns what a reader must know of those that fit nothing.
func applyPer(scopes []*Scope, pers []Per) (notes []string) {
	pers = slices.DeleteFunc(slices.Clone(pers), func(p Per) bool {
		only := p.namesOnly(scopes)
		if only {
			notes = append(notes, fmt.Sprintf("%q is a name here and says no number of records, so it changed nothing; write it behind the name, as in %s=1000", p, p))
		}
		return only
	})
	used := make([]bool, len(pers))
	silent := make([]int, len(pers)) // benchmarks without the metric
	for _, s := range scopes {
		best, fit := -1, 0
		for i, p := range pers {
			n := p.matches(s)
			if n > 0 {
				used[i] = true
			}
			if n > fit {
				best, fit = i, n
			}
		}
		if best >= 0 && !s.setRecords(pers[best]) {
			silent[best]++
		}
	}
	for i, p := range pers {
		if silent[i] > 0 {
			notes = append(notes, fmt.Sprintf("no %q is reported by %d of the benchmarks, so their records are their iterations", p.Metric, silent[i]))
		}
		if !used[i] {
			notes = append(notes, fmt.Sprintf("nothing here is named %q, so %q changed nothing", p.Name, p))
		}
	}
	return notes
}

// setRecords sets the records of s to what p says. It returns false if s is a
// benchmark that does not report p's metric.
func (s *Scope) setRecords(p Per) bool {
	if s.Kind == KindBenchmark && s.Records == 0 {
		return true // cut off: how many iterations it made is unknown
	}
	if p.Metric == "" {
		s.Records, s.Unit = p.Count, ""
		if s.Kind == KindBenchmark {
			s.Records = times(s.Iterations, float64(p.Count))
		}
		return true
	}
	if s.Kind != KindBenchmark {
		return true
	}
	value, ok := s.Metrics[p.Metric]
	if !ok || !(value > 0) {
		return false
	}
	s.Records = times(s.Iterations, value)
	s.Unit = strings.TrimSuffix(p.Metric, "/op")
	return true
}

// times multiplies without leaving the range of int64. It is exact below 2^53.
func times(n int64, by float64) int64 {
	x := math.Round(float64(n) * by)
	if x >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(x)
}
