package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/internal/study"
	"github.com/alloctop/alloctop/examples/internal/study/studytest"
	"github.com/alloctop/alloctop/examples/lines/pipeline"
	"github.com/alloctop/alloctop/internal/testneed"
)

// TestCounts: what each shape allocates for a line, by the exact engine, and that it
// is alloctop which names the lines.
func TestCounts(t *testing.T) {
	testneed.Hook(t)
	var log bytes.Buffer
	report, err := study.Recount(t.Context(), &log, nil, pkg, "-count", "-lines", "20000")
	if err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	if report.Engine != alloccount.Exact {
		t.Fatalf("counted by the engine %q: want %q", report.Engine, alloccount.Exact)
	}
	for _, c := range []struct {
		name        string
		least, most float64 // allocations per line
		lines       []string
	}{
		{"list", 3, 3.5, []string{"string(s.token)", "make(chan Sum, 1)", "go func() {"}},
		{"channel", 1, 1.05, []string{"string(s.token)"}},
		{"bytes", 1, 1.05, []string{"append([]byte{}"}},
		{"pooled", 0, 0.5, nil}, // a buffer for each line that is on its way, so few of 400,000
		{"batches", 1, 1.05, []string{"string(s.token)"}},
		{"blocks", 0, 0.02, nil},
		{"serial", 0, 0.02, nil},
	} {
		scope := find(t, report, c.name)
		if scope.Runtime == nil || scope.Runtime.Objects != scope.Totals.Objects {
			t.Errorf("%s: %d objects have a line; the runtime counted %v", c.name, scope.Totals.Objects, scope.Runtime)
		}
		t.Logf("%s: %.4f allocations per line", c.name, scope.PerRecord())
		if n := scope.PerRecord(); n < c.least || n > c.most {
			t.Errorf("%s: %v allocations per line: want %v to %v", c.name, n, c.least, c.most)
		}
		var top strings.Builder
		for _, x := range scope.Sites[:len(c.lines)] {
			top.WriteString(sourceLine(t, x) + "\n")
		}
		for _, want := range c.lines {
			if !strings.Contains(top.String(), want) {
				t.Errorf("%s: %q is not among the first %d lines:\n%s", c.name, want, len(c.lines), top.String())
			}
		}
	}
}

func find(t *testing.T, r *alloccount.Report, name string) *alloccount.Scope {
	t.Helper()
	for _, s := range r.Scopes {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no %s in the report", name)
	return nil
}

// sourceLine returns the line of the source that a site is.
func sourceLine(t *testing.T, x *alloccount.Site) string {
	t.Helper()
	text, err := os.ReadFile(x.File)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(strings.Split(string(text), "\n")[x.Line-1])
}

// TestStudy: the study, small, tells its story from the table to the finding.
func TestStudy(t *testing.T) {
	testneed.Hook(t)
	root, err := study.Root(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", pkg, "-lines", "3000", "-rounds", "3")
	cmd.Dir = root
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, out.String(), errs.String())
	}
	rest := out.String()
	for _, want := range []string{
		`^3,000 lines through a buffered pipe`,
		`(?m)^== 7 shapes, 3 readers$`,
		`(?m)^benchmark +mean +error +std dev +ratio +dev +GC/1000 +bytes/op +allocs/record$`,
		`(?m)^list .*3\.\d+$`,
		`(?m)^channel .*1\.\d+$`,
		`(?m)^== The number of readers`,
		`(?m)^channel +8 .*x `,
		`(?m)^== Allocations by line$`,
		`(?m)^list: 3\.\d+ allocations per line`,
		`new channel`,
		`(?m)^exact: every allocation was counted`,
		`(?m)^== Finding$`,
		`(?m)^1\. A channel with 3 readers is \d+\.\d\d times as fast`,
		`examples/lines/pipeline/variants\.go:\d+`,
		`Counted\s+by\s+the\s+exact\s+engine`,
	} {
		at := regexp.MustCompile(want).FindStringIndex(rest)
		if at == nil {
			t.Fatalf("this does not follow: %s\n%s\n%s", want, out.String(), errs.String())
		}
		rest = rest[at[1]:]
	}
	if !strings.Contains(errs.String(), "counting the allocations of 7 shapes") || !strings.Contains(errs.String(), "timing 7 shapes") {
		t.Errorf("no progress is told:\n%s", errs.String())
	}
}

// TestFindingAgreesWithTable: the bytes that the finding tells are those that the
// table has, also where runs differ.
func TestFindingAgreesWithTable(t *testing.T) {
	s := &session{options: options{lines: 100, readers: 3}, counts: new(alloccount.Report)}
	for _, v := range pipeline.Variants() {
		x := timed{variant: v, readers: 3}
		for _, mib := range []int64{1, 2, 9} { // the mean is 4, the median 2
			if v.Name == "list" {
				mib *= 8
			}
			x.runs = append(x.runs, study.Run{Wall: time.Second, CPU: time.Second, Bytes: mib << 20})
		}
		s.times = append(s.times, x)
	}
	var table bytes.Buffer
	if err := s.table(&table); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`(?m)^list .* 32\.00 MiB `, `(?m)^channel .* 4\.00 MiB `} {
		if !regexp.MustCompile(want).MatchString(table.String()) {
			t.Errorf("the table lacks %s:\n%s", want, table.String())
		}
	}
	if want := "0.12 times the bytes: 4.0 MiB against the list's 32.0 MiB (mean bytes/op, as in the table)"; !strings.Contains(s.story(), want) {
		t.Errorf("the finding is %q, want %q in it", s.story(), want)
	}
}

// TestWithoutAlloctop: where alloctop cannot count, the study says so, and counts by
// what the runtime knows.
func TestWithoutAlloctop(t *testing.T) {
	out, log := studytest.WithoutAlloctop(t, run, "-lines", "500", "-rounds", "1")
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
	for _, args := range [][]string{{"-lines", "0"}, {"-readers", "-1"}, {"-rounds", "0"}, {"file"}, {"-nosuch"}} {
		var out bytes.Buffer
		if err := run(t.Context(), args, &out, &out); err == nil {
			t.Errorf("%q was taken", args)
		}
	}
}
