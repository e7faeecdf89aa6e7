package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/internal/study/studytest"
	"github.com/alloctop/alloctop/internal/testneed"
)

// TestAllocations is how a test holds what was won.
func TestAllocations(t *testing.T) {
	list := priceList(10_000)
	n := alloccount.PerRecord(t, func() (int, error) { return after(list) })
	if n > 0.01 {
		t.Errorf("%v allocations per line of the list, want 0.01 or less", n)
	}
}

func BenchmarkBefore(b *testing.B) { benchmark(b, before) }
func BenchmarkAfter(b *testing.B)  { benchmark(b, after) }

func benchmark(b *testing.B, parse func(string) (int, error)) {
	list := priceList(10_000)
	alloccount.Benchmark(b, 10_000, func() error { _, err := parse(list); return err })
}

func TestParsers(t *testing.T) {
	for _, parse := range []func(string) (int, error){before, after} {
		if n, err := parse(priceList(100)); n != 100 || err != nil {
			t.Errorf("%d lines, %v", n, err)
		}
		if n, err := parse("Apple 100\nBanana many\n"); n != 1 || err == nil {
			t.Errorf("%d lines, %v", n, err)
		}
	}
}

// root is the directory of the module.
const root = "../.."

// buildAlloctop returns the command.
func buildAlloctop(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		testneed.Missing(t, "the counting hook is for Linux: run this test there")
	}
	program := filepath.Join(t.TempDir(), "alloctop")
	command(t, "go", "build", "-o", program, "./cmd/alloctop")
	return program
}

// command runs a command in the root of the module.
func command(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = root
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%q: %v\n%s%s", args, err, stdout.String(), stderr.String())
	}
	return stdout.String()
}

// TestPages: the pages show what the commands print, up to times and to what
// the runtime allocates now and then by itself.
func TestPages(t *testing.T) {
	studytest.NotCounted(t)
	alloctop := buildAlloctop(t)
	for file, blocks := range map[string]int{"docs/quickstart.md": 5, "README.md": 2} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		if use := `import "github.com/alloctop/alloctop/alloccount"`; !strings.Contains(string(text), use) {
			t.Errorf("%s does not say %s, without which its code is of no use", file, use)
		}
		checkOutput(t, file, string(text), alloctop)
		checkCode(t, file, string(text), blocks)
	}
}

// checkOutput holds that the commands on a page print what it shows.
func checkOutput(t *testing.T, file, page, alloctop string) {
	t.Helper()
	commands := 0
	for block := range strings.SplitSeq(page, "```console\n") {
		shown, _, ok := strings.Cut(block, "\n```\n")
		prompt, shown, _ := strings.Cut(shown, "\n")
		line, found := strings.CutPrefix(prompt, "$ ")
		if !ok || !found {
			continue
		}
		args := strings.Fields(line)
		if args[0] == "alloctop" {
			args[0] = alloctop
		}
		commands++
		var diff string
		for range 3 {
			want := steady(shown)
			if diff = cmp.Diff(want, elide(steady(command(t, args...)), want)); diff == "" {
				break
			}
		}
		if diff != "" {
			t.Errorf("%s: %s: -page +printed:\n%s", file, line, diff)
		}
	}
	if commands == 0 {
		t.Errorf("%s shows no command", file)
	}
}

// elide replaces by … what is left out of the lines that a page shows.
func elide(printed, shown []string) (kept []string) {
	for i, line := range shown {
		switch {
		case line != "…" && len(printed) > 0:
			kept, printed = append(kept, printed[0]), printed[1:]
		case line == "…" && i+1 == len(shown):
			return append(kept, line)
		case line == "…":
			if at := slices.Index(printed, shown[i+1]); at > 0 {
				kept, printed = append(kept, line), printed[at:]
			}
		}
	}
	return append(kept, printed...)
}

// checkCode holds that the Go code on a page is that of this directory.
func checkCode(t *testing.T, page, text string, want int) {
	t.Helper()
	var all strings.Builder
	for _, file := range []string{"parse.go", "main.go", "quickstart_test.go"} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(flush(string(source)))
	}
	blocks := strings.Split(text, "```go\n")[1:]
	for _, block := range blocks {
		if code, _, ok := strings.Cut(block, "\n```\n"); !ok || !strings.Contains(all.String(), flush(code)) {
			t.Errorf("%s: this code is in none of the files:\n%s", page, code)
		}
	}
	if len(blocks) != want {
		t.Errorf("%s: %d blocks of code, want %d", page, len(blocks), want)
	}
}

// flush removes the indentation of all lines.
func flush(code string) string {
	return regexp.MustCompile(`(?m)^\s+`).ReplaceAllString(code, "")
}

// steady returns the lines of a report without those on time, and without what
// changes from one release of Go to the next.
func steady(report string) []string {
	report = regexp.MustCompile(`(?m)^time .*\n(  \S.*\n)*`).ReplaceAllString(report, "time\n")
	report = regexp.MustCompile(`go1\.[0-9.]+|(strings/[a-z]+\.go):[0-9]+`).ReplaceAllString(report, "$1")
	return strings.Split(strings.TrimSpace(report), "\n")
}

// TestOneNumber: however the parser is counted, the number is the same, up to
// what the runtime allocates now and then by itself.
func TestOneNumber(t *testing.T) {
	studytest.NotCounted(t)
	const lines, want = 10_000, "2.000"
	list := priceList(lines)
	parse := func() (int, error) { return before(list) }
	report, err := alloccount.Measure(parse)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{
		"testing.AllocsPerRun":              testing.AllocsPerRun(3, func() { _, _ = parse() }) / lines,
		"Measure, " + string(report.Engine): report.PerRecord(),
		"PerRecord":                         alloccount.PerRecord(t, parse),
	}
	alloctop := buildAlloctop(t)
	file := filepath.Join(t.TempDir(), "report.json")
	command(t, alloctop, "--json", file, "--", "go", "run", "./examples/quickstart")
	got["Measure under alloctop"] = scope(t, file, alloccount.KindMeasure, "before").PerRecord()
	command(t, alloctop, "--json", file, "--", "go", "test", "-run=^$", "-bench=Before", "-benchtime=10x", "./examples/quickstart")
	got["alloctop -- go test -bench"] = scope(t, file, alloccount.KindBenchmark, "BenchmarkBefore").PerRecord() / lines
	for how, n := range got {
		if s := fmt.Sprintf("%.3f", n); s != want {
			t.Errorf("%s: %s allocations for each line of the list, want %s", how, s, want)
		}
	}
	t.Log(got)
}

// scope returns a scope of a JSON report.
func scope(t *testing.T, file string, kind alloccount.Kind, name string) *alloccount.Scope {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r alloccount.Report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Scopes {
		if s.Kind == kind && s.Name == name {
			return s
		}
	}
	t.Fatalf("no %s %s in the report:\n%s", kind, name, text)
	return nil
}
