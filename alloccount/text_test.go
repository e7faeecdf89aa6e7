package alloccount

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/internal/counterfile"
	"github.com/alloctop/alloctop/internal/texttab"
)

var update = flag.Bool("update", false, "write the golden files anew")

// printed returns the text of r, and fails the test if it is wider than asked.
func printed(t *testing.T, r *Report, o TextOptions) string {
	t.Helper()
	var out bytes.Buffer
	if err := r.WriteText(&out, o); err != nil {
		t.Fatal(err)
	}
	width := o.Width
	if width == 0 {
		width = 100
	}
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		if n := texttab.Width(line); n > width && !o.Color {
			t.Errorf("%d columns, %d asked for: %s", n, width, line)
		}
		if strings.HasSuffix(line, " ") {
			t.Errorf("space at the end of %q", line)
		}
	}
	return out.String()
}

// golden compares what r prints with testdata/text/NAME.txt.
func golden(t *testing.T, name string, r *Report, o TextOptions) {
	t.Helper()
	got := printed(t, r, o)
	file := filepath.Join("testdata", "text", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run go test -update to write it, and look at it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: -want +got:\n%s", file, diff)
	}
}

func TestTextBenchmark(t *testing.T) {
	r := counted(t, csvCounters(), ReportOptions{})
	golden(t, "benchmark", r, TextOptions{})
	golden(t, "benchmark80", r, TextOptions{Width: 80})
	golden(t, "benchmark60", r, TextOptions{Width: 60})
	golden(t, "color", r, TextOptions{Color: true})
	golden(t, "top1", r, TextOptions{Top: 1})
	golden(t, "user", counted(t, csvCounters(), ReportOptions{By: ByUser}), TextOptions{})
	golden(t, "cells", counted(t, csvCounters(), ReportOptions{Per: []Per{{Metric: "cells/op"}}}), TextOptions{})
}

// TestTextZero: no allocations are a finding and not an empty page.
func TestTextZero(t *testing.T) {
	c := testBinary()
	measured(c, finished("BenchmarkHash", 1_000_000_000))
	golden(t, "zero", counted(t, c, ReportOptions{}), TextOptions{})
}

// TestTextRepeats: the repeats of a benchmark are one line, with the range of
// what they found, and details of the first.
func TestTextRepeats(t *testing.T) {
	c := testBinary()
	for i := range int64(5) {
		measured(c, finished("BenchmarkRead", 100), one(1600+3*i))
	}
	golden(t, "repeats", counted(t, c, ReportOptions{}), TextOptions{})
}

// TestTextKilled: what was counted until a kill is shown, and that it is that.
func TestTextKilled(t *testing.T) {
	c := csvCounters()
	c.Exit = counterfile.Exit{}
	c.Process.Open = true
	w := &c.Windows[1]
	w.Open, w.Final, w.Objects, w.Bytes = true, false, 0, 0
	golden(t, "killed", counted(t, c, ReportOptions{}), TextOptions{})
}

// TestTextParallel: tests that ran in parallel are named, and counted together.
func TestTextParallel(t *testing.T) {
	c := testBinary()
	w := finished("", 0)
	w.Kind, w.Tests = counterfile.KindParallel, []string{"TestRead", "TestWrite", "TestQuote", "TestReadAllOfAVeryLongFile", "TestComma", "TestFieldsPerRecord"}
	measured(c, w, counterfile.Entry{Stack: stackOf(toString, readRecord, runN), Size: 5, Objects: 12345, Bytes: 98765, Tiny: true})
	golden(t, "parallel", counted(t, c, ReportOptions{}), TextOptions{})
}

// TestTextProcess: a program without benchmarks has no records until someone
// says how many.
func TestTextProcess(t *testing.T) {
	c := csvCounters()
	c.Windows, c.Main, c.PID = nil, "example.com/app/cmd/import", 4712
	c.Exit.Code = 2
	c.Folded = 4321
	golden(t, "process", counted(t, c, ReportOptions{}), TextOptions{})
	golden(t, "process-per", counted(t, c, ReportOptions{Per: []Per{{Count: 4_000}, {Name: "BenchmarkX", Count: 3}}}), TextOptions{})
}

// TestTextIncomplete: what is missing is never rounded away.
func TestTextIncomplete(t *testing.T) {
	c := csvCounters()
	c.Windows[1].Objects++
	r := counted(t, c, ReportOptions{})
	golden(t, "incomplete", r, TextOptions{})
	if text := printed(t, r, TextOptions{}); !strings.Contains(text, "attributed 1,300,000 of 1,300,001 allocations (99.99 %)") {
		t.Errorf("one allocation is missing:\n%s", text)
	}
}

// TestTextWide: names in wide letters, and names that attack the terminal,
// move no column.
func TestTextWide(t *testing.T) {
	c := testBinary()
	wide := counterfile.Frame{Function: "example.com/app/parse.解析器", File: "/home/me/app/parse/解析器.go", Line: 7, StartLine: 5}
	evil := counterfile.Frame{Function: "example.com/app/parse.x\x1b[2Jy\r\n\u202e", File: "/home/me/app/parse/evil\x1b]0;.go", Line: 8, StartLine: 5}
	long := counterfile.Frame{Function: "example.com/app/parse.(*" + strings.Repeat("Long", 40) + ").m", File: "/home/me/app/parse/" + strings.Repeat("long", 30) + ".go", Line: 9, StartLine: 5}
	measured(c, finished("Benchmark表/行=1", 300),
		counterfile.Entry{Stack: stackOf(newObject, wide), Size: 24, Type: "parse.表格", Objects: 900, Bytes: 21600},
		counterfile.Entry{Stack: stackOf(newObject, evil), Size: 64, Type: "parse.T\x1b[31m", Objects: 1, Bytes: 64},
		counterfile.Entry{Stack: stackOf(newObject, long), Size: 70_000, Type: "map[string]" + strings.Repeat("struct{ a int }", 20), Objects: 100, Bytes: 7_372_800},
	)
	r := counted(t, c, ReportOptions{})
	golden(t, "wide", r, TextOptions{})
	golden(t, "wide80", r, TextOptions{Width: 80})
}

// TestTextMany: many benchmarks come with an overview, in bearable length.
func TestTextMany(t *testing.T) {
	c := testBinary()
	other := testBinary()
	other.PID, other.Start, other.Main = 4720, c.Start+1, "example.com/app/parse/internal/token.test"
	for i := range 40 {
		to, name, pkg := c, fmt.Sprintf("BenchmarkRead/rows=%d", i*i*1000), "example.com/app/parse"
		if i >= 30 {
			to, name, pkg = other, fmt.Sprintf("BenchmarkToken%d", i), "example.com/app/parse/internal/token"
		}
		w := finished(name, 100_000/int64(i+1))
		w.Package = pkg
		n := int64(i%7) * w.Iterations
		var entries []counterfile.Entry
		if n > 0 {
			entries = []counterfile.Entry{
				{Stack: stackOf(toString, readRecord, benchmark, runN), Size: 5, Objects: 3*n + 17, Bytes: 14 * n, Tiny: true},
				{Stack: stackOf(growslice, grow, benchmark, runN), Size: 16 << (i % 10), Type: "string", Objects: 2 * n, Bytes: (32 << (i % 10)) * n},
				{Stack: stackOf(newObject, newReader, benchmark, runN), Size: 112, Type: "encoding/csv.Reader", Objects: n, Bytes: 112 * n},
				{Stack: stackOf(newObject, benchmark, runN), Size: 8, Type: "int", Objects: 1, Bytes: 8},
			}
		}
		for range 1 + i%2 {
			measured(to, w, entries...)
		}
	}
	test := finished("TestRead", 0)
	test.Kind = counterfile.KindTest
	measured(c, test, counterfile.Entry{Stack: stackOf(toString, readRecord, runN), Size: 5, Objects: 12345, Bytes: 98765, Tiny: true})
	r := mustReport(t, mustProfile(t, appOptions(), c, other), ReportOptions{})
	golden(t, "many", r, TextOptions{})
	golden(t, "many80", r, TextOptions{Width: 80})
}
