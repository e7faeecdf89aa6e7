package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/internal/study/studytest"
	"github.com/alloctop/alloctop/internal/figure"
	"github.com/alloctop/alloctop/internal/testneed"
)

// root is the repository.
const root = "../.."

// inRoot runs a command in the root of the repository and returns its output.
func inRoot(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	testneed.Hook(t)
	studytest.NotCounted(t)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = root
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%q: %v\n%s%s", args, err, out.String(), errs.String())
	}
	return out.String(), errs.String()
}

// TestAlloctopNamesTheLines: the counting hook finds the two lines of the story by
// itself, and what the two fixes and the rest of the report bring; and the same
// command finds the lines of a reader that nobody here wrote.
func TestAlloctopNamesTheLines(t *testing.T) {
	dir := t.TempDir()
	file, pprof := filepath.Join(dir, "r.json"), filepath.Join(dir, "r.pb.gz")
	inRoot(t, "go", "run", "./cmd/alloctop", "--json", file, "--pprof", pprof, "--per", "cells/op", "--",
		"go", "test", "-run=^$", "-bench=^Benchmark(Read|Library)$/^(naive|tuned|best|xlsxreader)$", "-benchtime=1x", "./examples/xlsx")
	report := readReport(t, file)
	if report.Engine != alloccount.Exact {
		t.Fatalf("counted by the engine %q: want %q", report.Engine, alloccount.Exact)
	}
	naive := benchmark(t, report, "BenchmarkRead/naive", 18, 22)
	benchmark(t, report, "BenchmarkRead/tuned", 1, 9.1)
	benchmark(t, report, "BenchmarkRead/best", 0, 0.05)
	benchmark(t, report, "BenchmarkLibrary/xlsxreader", 17, 20)
	checkTopSites(t, naive)
	checkPage(t, report)

	p, err := readProfile(pprof)
	if err != nil {
		t.Fatal(err)
	}
	lines := ownLines(p, "github.com/thedatashed/xlsxreader")
	if len(lines) < 2 {
		t.Fatalf("%d lines of xlsxreader", len(lines))
	}
	for i, want := range []string{"(*rawCell).unmarshalXML", "(*rawRow).unmarshalXML"} {
		if x := lines[i]; !strings.HasSuffix(x.Function, want) || filepath.Base(x.File) != "rows.go" || x.Line == 0 {
			t.Errorf("line %d of xlsxreader is %s at %s:%d: want one in %s", i+1, x.Function, x.File, x.Line, want)
		}
	}
}

// checkPage holds that the page of the study has the numbers that are counted.
func checkPage(t *testing.T, report *alloccount.Report) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs", "xlsx.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range report.Scopes {
		if name, ours := strings.CutPrefix(s.Name, "BenchmarkRead/"); ours {
			per := figure.Ratio(s.Totals.Objects, s.Records)
			if name == "best" {
				per = "0.006"
			}
			if want := fmt.Sprintf("| %s | %s |", name, per); !strings.Contains(string(page), want) {
				t.Errorf("docs/xlsx.md does not have %q", want)
			}
		}
	}
}

// checkTopSites holds that the token's string and the conversion come first, at
// the lines where they stand in the source, and are more than half of all.
func checkTopSites(t *testing.T, naive *alloccount.Scope) {
	t.Helper()
	want := map[string]string{
		"(*fresh).token":      "token := make([]byte, len(raw))",
		"(*fromUTF8).convert": "return string(c.points)",
	}
	var both int64
	for _, x := range naive.Sites[:2] {
		both += x.Objects
		for function, code := range want {
			if strings.HasSuffix(x.Function, function) && strings.Contains(sourceLine(t, x), code) {
				delete(want, function)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("the two top sites are %s:%d and %s:%d: missing are %v",
			naive.Sites[0].Function, naive.Sites[0].Line, naive.Sites[1].Function, naive.Sites[1].Line, want)
	}
	if 2*both <= naive.Totals.Objects {
		t.Errorf("the two top sites have %d of %d allocations: want more than half", both, naive.Totals.Objects)
	}
}

// sourceLine returns the line of the source that a site is.
func sourceLine(t *testing.T, x *alloccount.Site) string {
	t.Helper()
	text, err := os.ReadFile(x.File)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")[x.Line-1]
}

// benchmark returns a scope of the report that agrees with the runtime to the
// object, and whose allocations per record are within bounds.
func benchmark(t *testing.T, r *alloccount.Report, name string, least, most float64) *alloccount.Scope {
	t.Helper()
	for _, s := range r.Scopes {
		if s.Name != name {
			continue
		}
		if s.Runtime == nil || s.Runtime.Objects != s.Totals.Objects {
			t.Errorf("%s: %d objects have a line; the runtime counted %v", name, s.Totals.Objects, s.Runtime)
		}
		t.Logf("%s: %.4f allocations per cell", name, s.PerRecord())
		if n := s.PerRecord(); n < least || n > most {
			t.Errorf("%s: %v allocations per cell: want %v to %v", name, n, least, most)
		}
		return s
	}
	t.Fatalf("no %s in the report", name)
	return nil
}

// TestStudy: the study, small, tells its story from the workbook to the finding.
func TestStudy(t *testing.T) {
	stdout, stderr := inRoot(t, "go", "run", "./examples/xlsx", "-sheets", "4", "-rows", "200", "-rounds", "1")
	rest := stdout
	for _, want := range []string{
		`^A workbook of 4 sheets, 200 rows each, 4 columns: 3,200 cells`,
		`(?m)^== Allocations per cell: one reader in three levels$`,
		`(?m)^naive: 2[01]\.\d+ allocations per cell \(9,600 cells`,
		`string from runes`,
		`(?m)^tuned: 4\.\d+ allocations per cell`,
		`(?m)^best: 0\.\d+ allocations per cell`,
		`(?m)^exact: every allocation was counted`,
		`(?m)^== Allocations per cell: public readers`,
		`(?m)^excelize +\d+\.\d+ .*\n.*\n.*%.*\n`,
		`(?m)^tealeg +\d+\.\d+ .*\n.*\n.*%.*\n`,
		`(?m)^xlsxreader +\d+\.\d+ .*\n.*\n.*%.*\n`,
		`thedatashed/xlsxreader/rows\.go:\d+`,
		`(?m)^== The fixed cost of an open`,
		`(?m)^== More threads: loading the workbook$`,
		`(?m)^naive +1 .*x .*\n`,
		`(?m)^== More threads: pure allocation`,
		`(?m)^8 B +1 `,
		`(?m)^== Finding$`,
		`(?m)^1\. 2[01]\.\d+ allocations per cell, 9\d\.\d % of them of 32 bytes or less\. [89]\d\.\d % come from two lines:\s`,
		`Changing these two lines leaves\s+4\.`,
		`Counted\s+by\s+the\s+exact\s+engine,.*([\d,]+)`,
	} {
		at := regexp.MustCompile(want).FindStringIndex(rest)
		if at == nil {
			t.Fatalf("this does not follow: %s\n%s\n%s", want, stdout, stderr)
		}
		rest = rest[at[1]:]
	}
	if !strings.Contains(stderr, "counting the allocations of 6 readers") || !strings.Contains(stderr, "timing the loader") {
		t.Errorf("no progress is told:\n%s", stderr)
	}
}

// TestCountingNeedsTheHook: without the counter, the half of the study that is run
// under alloctop refuses to count by a worse engine.
func TestCountingNeedsTheHook(t *testing.T) {
	var out bytes.Buffer
	err := run(t.Context(), []string{"-count", t.TempDir()}, &out, &out)
	if err == nil || !strings.Contains(err.Error(), "counter") && !strings.Contains(err.Error(), "study.xlsx") {
		t.Errorf("%v", err)
	}
}

// TestWithoutAlloctop: where alloctop cannot count, the study says so, and counts by
// what the runtime knows.
func TestWithoutAlloctop(t *testing.T) {
	out, log := studytest.WithoutAlloctop(t, run, "-sheets", "1", "-rows", "20", "-rounds", "1")
	if !strings.Contains(log, "since alloctop cannot count here") {
		t.Errorf("it is not said why:\n%s", log)
	}
	for _, want := range []string{"not exact: counted by the runtime's own heap profile", "Counted by the runtime's own heap profile"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
}

func TestWrongFlags(t *testing.T) {
	for _, args := range [][]string{{"-rows", "0"}, {"-sheets", "-1"}, {"-rounds", "0"}, {"book.xlsx"}, {"-nosuch"}} {
		var out bytes.Buffer
		if err := run(t.Context(), args, &out, &out); err == nil {
			t.Errorf("%q was taken", args)
		}
	}
}

func readReport(t *testing.T, file string) *alloccount.Report {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	report, err := alloccount.ReadReport(f)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func readProfile(file string) (*profile.Profile, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return alloccount.ReadProfile(f)
}
