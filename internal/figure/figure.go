// Package figure prints numbers as people read them. It never rounds to a
// claim that the number does not make: what is not all is not 100 %, and what
// is not nothing is not 0.
package figure

import (
	"math"
	"strconv"
	"strings"
)

// Count prints a whole number with separators: "4,800,886".
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	return sign + group(s)
}

// Things prints a number of things: "1 line", "2,000 lines".
func Things(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}

// Number prints a positive number: a whole one as [Count] does, others as [Float].
func Number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return Count(int64(v))
	}
	return Float(v)
}

// group puts separators between the digits of a whole number.
func group(digits string) string {
	var b strings.Builder
	for i, r := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Percent prints what part of whole a is, with the given decimals: "68.1 %".
// All of whole is "100.0 %" and nothing else is; a little is "<0.1 %".
// Nothing of nothing is all of it.
func Percent(a, whole int64, decimals int) string {
	unit := math.Pow10(-decimals)
	percent := 100.0
	if whole != 0 {
		percent = float64(a) / float64(whole) * 100
	}
	rounded := math.Round(percent/unit) * unit
	format := func(f float64) string { return strconv.FormatFloat(f, 'f', decimals, 64) + " %" }
	switch {
	case a == whole:
		return format(100)
	case a == 0:
		return format(0)
	case a > 0 && rounded < unit/2:
		return "<" + format(unit)
	case a < whole && rounded >= 100-unit/2:
		return format(100 - unit)
	case a > whole && rounded <= 100+unit/2:
		return format(100 + unit)
	}
	return format(rounded)
}

// Ratio prints a/b for counts: "16" if that is exact, else with the decimals
// that matter, "16.0", "9.98", "0.0031". It prints "0" only if a is 0, and ""
// if b is 0.
func Ratio(a, b int64) string {
	switch {
	case b == 0:
		return ""
	case a%b == 0:
		return Count(a / b)
	}
	return Float(float64(a) / float64(b))
}

// Cell prints a/b as [Ratio] does, but never needs more than two decimals: a
// little is "<0.01".
func Cell(a, b int64) string {
	if v := float64(a) / float64(b); a > 0 && b > 0 && v < 1 {
		if v < 0.01 {
			return "<0.01"
		}
		return decimals(v, 2)
	}
	return Ratio(a, b)
}

// Float prints a positive number with at least one decimal.
func Float(v float64) string {
	switch {
	case v >= 100:
		return decimals(v, 1)
	case v >= 1:
		return decimals(v, 2)
	case v < 1e-6:
		return "<0.000001"
	}
	return decimals(v, 2-int(math.Floor(math.Log10(v)))) // three digits that count
}

// decimals prints v with at most n decimals and at least one.
func decimals(v float64, n int) string {
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(v, 'f', n, 64), ".")
	fraction = strings.TrimRight(fraction, "0")
	if fraction == "" {
		fraction = "0"
	}
	return group(whole) + "." + fraction
}

// Bytes prints a size: "664 B", "1.5 KiB".
func Bytes(n float64) string {
	if n > 0 && n < 1 {
		return Float(n) + " B"
	}
	if n < 1024 {
		return strings.TrimSuffix(decimals(n, 1), ".0") + " B"
	}
	for _, unit := range []string{"KiB", "MiB", "GiB"} {
		n /= 1024
		if n < 1023.95 {
			return decimals(n, 1) + " " + unit
		}
	}
	return decimals(n/1024, 1) + " TiB"
}

// Class prints the bound of a size class: "512 B", "1 KiB", "1152 B".
func Class(n int64) string {
	if n >= 1024 && n%1024 == 0 {
		return strconv.FormatInt(n/1024, 10) + " KiB"
	}
	return strconv.FormatInt(n, 10) + " B"
}

// Seconds prints a time: "1.23 s", "45.0 ms", "12.3 µs", "18.2 ns".
func Seconds(s float64) string {
	switch {
	case s <= 0:
		return "0 s"
	case s >= 100:
		return decimals(s, 1) + " s"
	case s >= 0.9995:
		return strconv.FormatFloat(s, 'f', 2, 64) + " s"
	case s >= 0.9995e-3:
		return three(s*1e3) + " ms"
	case s >= 0.9995e-6:
		return three(s*1e6) + " µs"
	}
	return three(s*1e9) + " ns"
}

// three prints a number below 1,000 with three digits.
func three(v float64) string {
	switch {
	case v < 9.995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v < 99.95:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}
