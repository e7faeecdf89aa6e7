package texttab

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTable(t *testing.T) {
	table := &Table{Width: 40, Indent: 1, Columns: []Column{
		{Head: "name"},
		{Head: "n", Align: Right},
		{Head: "per op", Align: Decimal},
		{Head: "gone", Optional: true},
		{Head: "line", Cut: CutLeft},
	}}
	table.Add("a", "1", "12.5", "", "encoding/csv/reader.go:249")
	table.AddBelow(Plain, "below")
	table.Add("表格", "1,000", "7", "", "x.go:1")
	table.Add("c", "20", "<0.01", "", "")
	table.AddLine(Plain, "alone")
	want := strings.TrimPrefix(`
 name      n  per op  line
 a         1   12.5   …/reader.go:249
                      below
 表格  1,000    7     x.go:1
 c        20   <0.01
alone
`, "\n")
	if got := table.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := table.Room(); got != 40-22 {
		t.Errorf("room %d", got)
	}
	plain := table.String()
	table.Color = true
	if got := table.String(); !strings.Contains(got, "\x1b[2m") || strip(got) != plain {
		t.Errorf("in colour:\n%q", got)
	}
}

// strip removes the colours.
func strip(s string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, s, _ = strings.Cut(after, "m")
	}
}

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "abc": 3, "≤ 8 B": 5, "…": 1, "██▌": 3, "µs": 2, "解析器": 6, "한국어": 6, "カタカナ": 8, "ｱ": 1, "Ａ": 2,
		"e\u0301": 1, "a\u200bb": 2, "🙂": 2, "\x1b": 0, "–": 1, "·": 1, "×": 1,
	} {
		if got := Width(s); got != want {
			t.Errorf("%q: %d columns, want %d", s, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		s                   string
		width               int
		left, middle, right string
	}{
		{"reader.go:249", 13, "reader.go:249", "reader.go:249", "reader.go:249"},
		{"encoding/csv/reader.go:249", 20, "…/csv/reader.go:249", "encoding/c…er.go:249", "encoding/csv/reader…"},
		{"encoding/csv/reader.go:249", 16, "…/reader.go:249", "encoding….go:249", "encoding/csv/re…"},
		{"encoding/csv/reader.go:249", 8, "….go:249", "enco…249", "encodin…"},
		{"解析器解析器", 7, "…解析器", "解析…器", "解析器…"},
		{"ab", 1, "…", "…", "…"},
		{"ab", 0, "", "", ""},
	} {
		if got := CutLeft(c.s, c.width); got != c.left {
			t.Errorf("%q cut left to %d: %q, want %q", c.s, c.width, got, c.left)
		}
		if got := CutMiddle(c.s, c.width); got != c.middle {
			t.Errorf("%q cut in the middle to %d: %q, want %q", c.s, c.width, got, c.middle)
		}
		if got := CutRight(c.s, c.width); got != c.right {
			t.Errorf("%q cut right to %d: %q, want %q", c.s, c.width, got, c.right)
		}
	}
}

func TestWrap(t *testing.T) {
	got := strings.Join(Wrap("note: one two three four_is_too_long five", 14, 6), "\n")
	want := "note: one two\n      three\n      four_is…\n      five"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := strings.Join(Wrap("1 cycle, 228 µs paused, 1,000 2 B", 14, 1), "\n"), "1 cycle,\n 228 µs\n paused,\n 1,000 2 B"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Wrap("", 10, 2); len(got) != 1 || got[0] != "" {
		t.Errorf("nothing wraps to %q", got)
	}
}

func TestBar(t *testing.T) {
	for _, c := range []struct {
		n, most int64
		want    string
	}{{0, 10, ""}, {10, 10, "████"}, {5, 10, "██"}, {1, 1000, "▏"}, {9, 16, "██▎"}, {1, 0, ""}, {20, 10, "████"}} {
		if got := Bar(c.n, c.most, 4); got != c.want {
			t.Errorf("%d of %d: %q, want %q", c.n, c.most, got, c.want)
		}
	}
}

// FuzzCut: nothing that was cut is wider than asked for, and nothing that was
// cleaned can move the cursor.
func FuzzCut(f *testing.F) {
	f.Add("encoding/csv/reader.go:249", 10)
	f.Add("解析器/x\x1b[2J\u202e\xff", 3)
	f.Fuzz(func(t *testing.T, s string, width int) {
		width &= 0xff
		s = Clean(s)
		if !utf8.ValidString(s) || strings.ContainsAny(s, "\x1b\r\n\t\x00\u202e\u009b") {
			t.Errorf("not clean: %q", s)
		}
		for _, got := range []string{CutLeft(s, width), CutMiddle(s, width), CutRight(s, width)} {
			if Width(got) > width {
				t.Errorf("%q cut to %d has %d columns: %q", s, width, Width(got), got)
			}
		}
		for _, l := range Wrap(s, width+8, 2) {
			if Width(l) > width+8 {
				t.Errorf("%q wrapped to %d has %d columns: %q", s, width+8, Width(l), l)
			}
		}
	})
}
