package alloccount

import (
	"strings"
	"testing"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// bench are the counters of a test binary with one benchmark of 100 iterations,
// which reports 20 cells/op.
func bench(objects int64) *counterfile.Counters {
	c := testBinary()
	w := finished("BenchmarkRead", 100)
	w.Metrics = []counterfile.Metric{{Unit: "cells/op", Value: 20}}
	measured(c, w, one(objects))
	return c
}

// TestTextUnits: the same benchmark per cell and per op is no range, and in a
// table of both each row says what its numbers are for.
func TestTextUnits(t *testing.T) {
	cells := counted(t, bench(6000), ReportOptions{Per: []Per{{Metric: "cells/op"}}})
	text := printed(t, Merge(cells, counted(t, bench(6000), ReportOptions{})), TextOptions{})
	wantLines(t, text,
		"name allocs memory per ≤ 32 B heaviest line",
		"BenchmarkRead 3 24 B cell 100.0 % 100.0 % encoding/csv/reader.go:249",
		"BenchmarkRead 60 480 B op 100.0 % 100.0 % encoding/csv/reader.go:249",
		"BenchmarkRead: 3 allocations per cell (2,000 cells in 100 ops, 6,000 allocations)",
		"BenchmarkRead: 60 allocations per op (100 ops, 6,000 allocations)",
	)
	if strings.Contains(text, "×") || strings.Contains(text, "run 1") {
		t.Errorf("two units are shown as repeats:\n%s", text)
	}
}

// hasLine reports whether text has a line of these words.
func hasLine(text, words string) bool {
	for line := range strings.Lines(text) {
		if strings.Join(strings.Fields(line), " ") == words {
			return true
		}
	}
	return false
}

// wantLines fails unless text has lines of these words.
func wantLines(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, want := range lines {
		if !hasLine(text, want) {
			t.Errorf("no line %q:\n%s", want, text)
		}
	}
}

// TestTextUnitsInShort: many scopes, shown in short, say per row what they
// count, and tests of which nobody said what a record is are counted as a whole.
func TestTextUnitsInShort(t *testing.T) {
	c := testBinary()
	for _, name := range []string{"TestA", "TestB", "TestC", "TestD", "TestE"} {
		measured(c, named(counterfile.KindTest, name, 2), one(1000))
	}
	text := printed(t, counted(t, c, ReportOptions{Per: []Per{{Name: "TestB", Count: 10}}}), TextOptions{})
	wantLines(t, text,
		"TestA 1,000 7.8 KiB (in all) 100.0 % 100.0 % encoding/csv/reader.go:249",
		"TestB 100 800 B record 100.0 % 100.0 % encoding/csv/reader.go:249",
		"allocs per share sum size line that allocates",
		"100 record 100.0 % 100.0 % 8 B encoding/csv/reader.go:249 · string from bytes",
		"1,000 (in all) 100.0 % 100.0 % 8 B encoding/csv/reader.go:249 · string from bytes",
	)
}

// TestTextTwoFiles: the same benchmark from two files is two, each with its own
// numbers, and the repeats in a file stay a range.
func TestTextTwoFiles(t *testing.T) {
	from := func(name string, objects ...int64) *Report {
		c := testBinary()
		for _, n := range objects {
			measured(c, finished("BenchmarkRead", 100), one(n))
		}
		r := counted(t, c, ReportOptions{})
		for _, s := range r.Scopes {
			s.From = name
		}
		return r
	}
	all := Merge(from("before.pb.gz", 2000, 2100), from("after.pb.gz", 1000))
	text := printed(t, all, TextOptions{})
	wantLines(t, text,
		"BenchmarkRead, before.pb.gz ×2 20–21 160 B 100.0 % 100.0 % encoding/csv/reader.go:249",
		"BenchmarkRead, after.pb.gz 10 80 B 100.0 % 100.0 % encoding/csv/reader.go:249",
		"BenchmarkRead, before.pb.gz (run 1 of 2): 20 allocations per op (100 ops, 2,000 allocations)",
		"BenchmarkRead, after.pb.gz: 10 allocations per op (100 ops, 1,000 allocations)",
	)
	if a, b, c := all.Scopes[0], all.Scopes[1], all.Scopes[2]; a.Run != 0 || b.Run != 1 || c.Run != 0 {
		t.Errorf("runs %d, %d and %d, want 0, 1 and again 0", a.Run, b.Run, c.Run)
	}
}

// TestTextOwnGoroutines: a Measure of all goroutines is no repeat of one of its
// own, though they have the same name.
func TestTextOwnGoroutines(t *testing.T) {
	c := process(6, 9, 500, "example.com/app/cmd/y")
	all, own := named(counterfile.KindMeasure, "load", 2), named(counterfile.KindMeasure, "load", 2)
	own.Own = true
	for _, w := range []counterfile.Window{all, own, own} {
		measured(c, w, one(800))
	}
	r := counted(t, c, ReportOptions{})
	if r.Scopes[0].Run != 0 || r.Scopes[1].Run != 0 || r.Scopes[2].Run != 1 {
		t.Errorf("runs %d, %d and %d, want 0, 0 and 1", r.Scopes[0].Run, r.Scopes[1].Run, r.Scopes[2].Run)
	}
	text := printed(t, r, TextOptions{})
	wantLines(t, text,
		"load 80 640 B 100.0 % 100.0 % …/csv/reader.go:249",
		"load, own goroutines ×2 80 640 B 100.0 % 100.0 % …/csv/reader.go:249",
	)
}

// TestTextCutOff: a benchmark that was cut off moves no range of its repeats.
func TestTextCutOff(t *testing.T) {
	c := testBinary()
	c.Exit = counterfile.Exit{}
	measured(c, finished("BenchmarkRead", 100), one(1600))
	measured(c, finished("BenchmarkRead", 100), one(1600))
	cut := finished("BenchmarkRead", 0)
	cut.Open, cut.Final = true, false
	measured(c, cut, one(50))
	text := printed(t, counted(t, c, ReportOptions{}), TextOptions{})
	wantLines(t, text,
		"BenchmarkRead ×2 16 128 B 100.0 % 100.0 % encoding/csv/reader.go:249",
		"BenchmarkRead - - 100.0 % 100.0 % encoding/csv/reader.go:249",
	)
}

// TestTextSumCountsOnce: what is in a benchmark and in its process is one
// allocation of all.
func TestTextSumCountsOnce(t *testing.T) {
	o := appOptions()
	o.All = true
	r := mustReport(t, mustProfile(t, o, csvCounters()), ReportOptions{})
	if len(r.Scopes) != 2 {
		t.Fatalf("%d scopes, want the benchmark and the process", len(r.Scopes))
	}
	text := printed(t, r, TextOptions{})
	overview, _, _ := strings.Cut(text, "BenchmarkRead: ")
	if want := "attributed 1,300,050 of 1,300,050 allocations (100.00 %)"; !hasLine(overview, want) {
		t.Errorf("no line %q over the details:\n%s", want, text)
	}

	measuring := process(6, 9, 500, "example.com/app/cmd/y") // with a Measure inside
	load := named(counterfile.KindMeasure, "load", 2)
	measured(measuring, load, one(800))
	text = printed(t, mustReport(t, mustProfile(t, appOptions(), measuring, csvCounters()), ReportOptions{}), TextOptions{})
	overview, _, _ = strings.Cut(text, "load: ")
	if want := "attributed 1,300,800 of 1,300,800 allocations (100.00 %)"; !hasLine(overview, want) {
		t.Errorf("no line %q over the details:\n%s", want, text)
	}
}
