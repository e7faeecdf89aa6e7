package alloccount

import (
	"strings"
	"testing"

	"github.com/alloctop/alloctop/internal/counterfile"
	"github.com/alloctop/alloctop/sizeclass"
)

// TestTextFromUser: "all from" a line of the user's is said only if no
// allocation came otherwise.
func TestTextFromUser(t *testing.T) {
	entry := func(objects int64, frames ...counterfile.Frame) counterfile.Entry {
		return counterfile.Entry{Stack: stackOf(frames...), Size: 8, Objects: objects, Bytes: 8 * objects, Tiny: true}
	}
	all := []counterfile.Entry{entry(700, toString, readRecord, benchmark, runN), entry(300, growslice, grow, benchmark, runN)}
	for _, c := range []struct {
		name    string
		entries []counterfile.Entry
		top     int
		want    []string
		not     string
	}{
		{"all", all, 0, []string{"all from example.com/app/parse/parse_test.go:21"}, "shown are"},
		{"part of a line", append(all[:2:2], entry(300, toString, readRecord, runN)), 0, []string{
			"70.0 % from example.com/app/parse/parse_test.go:21",
			"from example.com/app/parse/parse_test.go:21",
		}, "all from"},
		{"all that are shown", append(all[:2:2], entry(1, newObject, newReader, runN)), 2, []string{
			"the lines shown are all from example.com/app/parse/parse_test.go:21",
		}, "\nall from"},
	} {
		counters := testBinary()
		measured(counters, finished("BenchmarkRead", 100), c.entries...)
		text := printed(t, counted(t, counters, ReportOptions{}), TextOptions{Top: c.top})
		for _, want := range c.want {
			if !hasLine(text, want) {
				t.Errorf("%s: no line %q:\n%s", c.name, want, text)
			}
		}
		if strings.Contains(text, c.not) {
			t.Errorf("%s: it says %q:\n%s", c.name, c.not, text)
		}
	}
}

// TestTextByUser: by lines of the user's own code, a line that is none says so.
func TestTextByUser(t *testing.T) {
	c := testBinary()
	measured(c, finished("BenchmarkRead", 100),
		counterfile.Entry{Stack: stackOf(toString, readRecord, benchmark, runN), Size: 8, Objects: 700, Bytes: 5600, Tiny: true},
		counterfile.Entry{Stack: stackOf(toString, readRecord, runN), Size: 8, Objects: 300, Bytes: 2400, Tiny: true},
	)
	text := printed(t, counted(t, c, ReportOptions{By: ByUser}), TextOptions{})
	wantLines(t, text,
		"1 7 70.0 % 70.0 % 8 B example.com/app/parse/parse_test.go:21",
		"2 3 30.0 % 100.0 % 8 B encoding/csv/reader.go:249 (not your code)",
	)
	if text := printed(t, counted(t, c, ReportOptions{}), TextOptions{}); strings.Contains(text, "not your code") {
		t.Errorf("by allocation all lines are what they are:\n%s", text)
	}
}

// TestTextType: a line is given a type only if most of its objects are of it,
// and then it says how many others there are.
func TestTextType(t *testing.T) {
	for _, c := range []struct {
		types []TypeCount
		want  string
	}{
		{[]TypeCount{{"", 9998}, {"sync.poolLocal", 2}}, ""},
		{[]TypeCount{{"a.T", 5}, {"", 5}}, ""},
		{[]TypeCount{{"a.T", 3}, {"b.T", 2}, {"c.T", 2}}, ""},
		{[]TypeCount{{"a.T", 3}, {"b.T", 2}}, "[]a.T and 1 other type"},
		{[]TypeCount{{"runtime.stringInterfacePtr", 6}, {"", 5}}, "[]string"},
		{[]TypeCount{{"", 5}}, ""},
	} {
		x := &Site{Cause: "make slice", Types: c.types}
		for _, n := range c.types {
			x.Objects += n.Objects
		}
		if got := typeText(x); got != c.want {
			t.Errorf("of %v the text names %q, want %q", c.types, got, c.want)
		}
	}
}

// TestTextSizeRange: a number without a unit has that of the other.
func TestTextSizeRange(t *testing.T) {
	for _, c := range []struct {
		low, high sizeclass.Bound
		want      string
	}{
		{8, 24, "8–24 B"},
		{8, 1536, "8–1536 B"},
		{32, 16 << 10, "32 B–16 KiB"},
		{1 << 10, 16 << 10, "1–16 KiB"},
		{1 << 10, 1152, "1 KiB–1152 B"},
	} {
		x := &Site{Objects: 2, Requested: 2, SizeClasses: []sizeclass.Bucket{{Max: c.low}, {Max: c.high}}}
		if got := sizeText(x); got != c.want {
			t.Errorf("sizes %d to %d are %q, want %q", c.low, c.high, got, c.want)
		}
	}
}

// TestTextRest: what is not shown and what makes up most are counted alike, in
// lines, whatever number of causes these have.
func TestTextRest(t *testing.T) {
	c := testBinary()
	entry := func(objects int64, frames ...counterfile.Frame) counterfile.Entry {
		return counterfile.Entry{Stack: stackOf(frames...), Size: 64, Objects: objects, Bytes: 64 * objects}
	}
	measured(c, finished("BenchmarkRead", 100), entry(600, growslice, grow, benchmark, runN),
		entry(200, toString, readRecord, benchmark, runN), entry(100, newObject, readRecord, benchmark, runN), entry(100, growslice, readRecord, benchmark, runN))
	r := counted(t, c, ReportOptions{})
	if len(r.Sites) != 4 {
		t.Fatalf("%d rows, want 4 of two lines", len(r.Sites))
	}
	text := printed(t, r, TextOptions{Top: 1})
	for _, want := range []string{"not shown: 1 line with 40.0 % of the allocations", "2 lines make up 100.0 % of all allocations"} {
		if !hasLine(text, want) {
			t.Errorf("no line %q:\n%s", want, text)
		}
	}
}
