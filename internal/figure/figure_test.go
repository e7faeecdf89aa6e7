package figure

import (
	"math"
	"strings"
	"testing"
)

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 4800886: "4,800,886", -1234: "-1,234",
		math.MaxInt64: "9,223,372,036,854,775,807", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := Count(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

// TestPercent: only everything is 100 %, only nothing is 0 %.
func TestPercent(t *testing.T) {
	for _, c := range []struct {
		a, whole int64
		decimals int
		want     string
	}{
		{42312, 42312, 2, "100.00 %"},
		{42311, 42312, 2, "99.99 %"},
		{999_999_999, 1_000_000_000, 2, "99.99 %"},
		{1_000_000_001, 1_000_000_000, 2, "100.01 %"},
		{1, 1_000_000_000, 2, "<0.01 %"},
		{1, 1_000_000_000, 1, "<0.1 %"},
		{0, 5, 1, "0.0 %"},
		{0, 0, 2, "100.00 %"},
		{5, 0, 2, "100.01 %"},
		{1, 3, 1, "33.3 %"},
		{2, 3, 1, "66.7 %"},
		{9996, 10000, 1, "99.9 %"},
		{9994, 10000, 1, "99.9 %"},
		{3, 2, 1, "150.0 %"},
		{967447, 1419822, 1, "68.1 %"},
		{math.MaxInt64 - 1, math.MaxInt64, 2, "99.99 %"},
	} {
		if got := Percent(c.a, c.whole, c.decimals); got != c.want {
			t.Errorf("%d of %d: %q, want %q", c.a, c.whole, got, c.want)
		}
	}
}

// TestRatio: whole numbers are shown as such only if they are.
func TestRatio(t *testing.T) {
	for _, c := range []struct {
		a, b       int64
		want, cell string
	}{
		{0, 10, "0", "0"},
		{1, 0, "", ""},
		{160, 10, "16", "16"},
		{4800886, 300054, "16.0", "16.0"},
		{9, 10, "0.9", "0.9"},
		{9985, 1000, "9.98", "9.98"}, // 9.985 has no exact float
		{15999, 1000, "16.0", "16.0"},
		{1, 3, "0.333", "0.33"},
		{2, 3, "0.667", "0.67"},
		{999, 1000, "0.999", "1.0"},
		{31, 10000, "0.0031", "<0.01"},
		{1, 10_000_000, "<0.000001", "<0.01"},
		{1300050, 4000, "325.0", "325.0"},
		{123456789, 1000, "123,456.8", "123,456.8"},
		{12345678000, 1000, "12,345,678", "12,345,678"},
	} {
		if got := Ratio(c.a, c.b); got != c.want {
			t.Errorf("%d/%d: %q, want %q", c.a, c.b, got, c.want)
		}
		if got := Cell(c.a, c.b); got != c.cell {
			t.Errorf("%d/%d in a cell: %q, want %q", c.a, c.b, got, c.cell)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[float64]string{
		0: "0 B", 0.25: "0.25 B", 13.6: "13.6 B", 664: "664 B", 1023: "1,023 B", 1024: "1.0 KiB", 84422: "82.4 KiB",
		1 << 20: "1.0 MiB", 1048575: "1.0 MiB", 27.2e6: "25.9 MiB", 1 << 40: "1.0 TiB", 1 << 60: "1,048,576.0 TiB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("%v: %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{8: "8 B", 512: "512 B", 1024: "1 KiB", 1152: "1152 B", 32768: "32 KiB"} {
		if got := Class(n); got != want {
			t.Errorf("class of %d: %q, want %q", n, got, want)
		}
	}
}

func TestSeconds(t *testing.T) {
	for s, want := range map[float64]string{
		0: "0 s", 1.23456: "1.23 s", 123.456: "123.5 s", 0.045: "45.0 ms", 0.99996: "1.00 s", 0.9994: "999 ms",
		12.34e-6: "12.3 µs", 18.2e-9: "18.2 ns", 0.904e-9: "0.90 ns", 1e-12: "0.00 ns",
	} {
		if got := Seconds(s); got != want {
			t.Errorf("%v: %q, want %q", s, got, want)
		}
	}
}

// FuzzFigures: whatever the numbers, what is printed is short and on one line.
func FuzzFigures(f *testing.F) {
	f.Add(int64(1), int64(3))
	f.Add(int64(math.MaxInt64), int64(1))
	f.Fuzz(func(t *testing.T, a, b int64) {
		a, b = a&math.MaxInt64, b&math.MaxInt64
		v := float64(a) / float64(max(b, 1))
		for _, s := range []string{Count(a), Percent(a, b, 1), Percent(a, b, 2), Ratio(a, b), Cell(a, b), Float(v + 1e-9), Bytes(v), Class(a), Seconds(v)} {
			if len(s) > 40 || strings.ContainsAny(s, "\neN") {
				t.Errorf("%d, %d: %q", a, b, s)
			}
		}
		if p := Percent(a, b, 2); (p == "100.00 %") != (a == b) || b > 0 && (p == "0.00 %") != (a == 0) {
			t.Errorf("%d of %d is %s", a, b, p)
		}
	})
}

func TestThings(t *testing.T) {
	for n, want := range map[int64]string{0: "0 lines", 1: "1 line", 2: "2 lines", 12345: "12,345 lines"} {
		if got := Things(n, "line", "lines"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 3: "3", 4800886: "4,800,886", 2.5: "2.5", 0.0031: "0.0031"} {
		if got := Number(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}
