package main

import (
	"bytes"
	"errors"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/internal/study/studytest"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/document"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/parsers"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/turn"
	"github.com/alloctop/alloctop/internal/testneed"
)

// TestMain lets the test's own program be that of a turn.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-parse" {
		main()
		return
	}
	os.Exit(m.Run())
}

// second reports whether encoding/json is made of its second version here.
func second() bool {
	_, err := parsers.Find(parsers.JSONv2)
	return err == nil
}

// TestStudy: a small study runs from the document to the finding.
func TestStudy(t *testing.T) {
	studytest.NotCounted(t)
	testneed.Hook(t)
	var stdout, stderr bytes.Buffer
	if err := run(t.Context(), []string{"-elements", "500", "-rounds", "2"}, &stdout, &stderr); err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	text := stdout.String()
	wants := []string{
		"10 arrays of 500 elements", "GOGC=50", "GOGC=200", "GOGC=400", "GOGC=off", "GOMEMLIMIT=", "GODEBUG=gcstoptheworld=1",
		"(100.00 %)", "\nFinding\n", "found by the exact engine", "4 lines make 9",
	}
	if !second() {
		wants = append(wants, "encoding/json/v2 needs a build with GOEXPERIMENT=jsonv2", "encoding/json/decode.go:")
	}
	for _, p := range parsers.All() {
		wants = append(wants, p.Name)
	}
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("the study does not say %q", want)
		}
	}
	if strings.Contains(text, "failed") {
		t.Error("something failed")
	}
	for line := range strings.Lines(text) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width && strings.Contains(line, " ") {
			t.Errorf("a line of %d columns: %s", n, line)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
	if !strings.Contains(stderr.String(), "round 2 of 2") {
		t.Errorf("no progress: %s", &stderr)
	}
}

// TestWithoutAlloctop: where alloctop cannot count, the study says so, and counts by
// what the runtime knows.
func TestWithoutAlloctop(t *testing.T) {
	stdout, stderr := studytest.WithoutAlloctop(t, run, "-elements", "500", "-rounds", "1")
	if !strings.Contains(stderr, "alloctop could not count") {
		t.Errorf("it is not said why:\n%s", stderr)
	}
	for _, want := range []string{"(tiny objects of unknown line)\n", `by the engine "profile"`, "found by the runtime's own heap profile"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("it does not say %q:\n%s", want, stdout)
		}
	}
	if strings.Contains(stdout, "exact engine, which") || strings.Contains(stdout, "(100.00 %)") {
		t.Errorf("it says that it is exact:\n%s", stdout)
	}
}

// TestCounts: the exact counts are those of the runtime, the same on every run but
// for what is named, and of encoding/json those that follow from the document.
func TestCounts(t *testing.T) {
	testneed.Hook(t)
	const elements = 2000
	report, err := recount(t.Context(), t.Output(), elements, "")
	if err != nil {
		t.Fatal(err)
	}
	if report.Engine != alloccount.Exact {
		t.Fatalf("engine %q", report.Engine)
	}
	for _, c := range group(report) {
		if len(c.runs) != countedRuns {
			t.Errorf("%s: %d runs", c.name, len(c.runs))
		}
		for _, s := range c.runs {
			if s.Records != document.Arrays*elements {
				t.Errorf("%s: %d elements", c.name, s.Records)
			}
			if s.Runtime == nil || *s.Runtime != (alloccount.Counted{Objects: s.Totals.Objects, Bytes: s.Totals.Bytes}) {
				t.Errorf("%s: counted %+v, the runtime %+v", c.name, s.Totals, s.Runtime)
			}
		}
		if c.least() != c.most() && len(c.varying()) == 0 { // lines that vary may cancel out
			t.Errorf("%s: %d to %d objects, and no line varies", c.name, c.least(), c.most())
		}
		// These have no pools and no goroutines of their own. What else the process
		// does may fall into any run.
		if c.parser == "valyala/fastjson" || !second() && parsers.Changes(c.parser) {
			for _, line := range c.varying() {
				if strings.Contains(line, "json") || strings.HasPrefix(line, "reflect/") {
					t.Errorf("%s: %s makes more in one run than in another", c.name, line)
				}
			}
		}
		if c.parser == parsers.Standard && !second() {
			checkStandard(t, c.middle(), elements)
		}
	}
}

// checkStandard: every number, every text and every array has a box, and every text
// with an escape a buffer to resolve it in.
func checkStandard(t *testing.T, s *alloccount.Scope, elements int) {
	var boxes, buffers int64
	for _, x := range s.Sites {
		switch {
		case x.Package == "encoding/json" && x.Cause == "boxing into an interface":
			boxes += x.Objects
		case x.Function == "encoding/json.unquoteBytes":
			buffers += x.Objects
		}
	}
	if want := int64(document.Arrays * (elements + 1)); boxes != want {
		t.Errorf("%d boxes, want %d", boxes, want)
	}
	if want := int64(bytes.Count(document.New(elements), []byte(`\u`))); buffers != want {
		t.Errorf("%d buffers for texts with an escape, want %d", buffers, want)
	}
}

// TestWords: the finding says what the numbers are, and what may be chance.
func TestWords(t *testing.T) {
	c := contest{contenders: []contender{{name: "base", parser: "a"}, {name: "fast", parser: "b"}, {name: "slow", parser: "c", note: "a reason"}, {name: "broken", parser: "d"}}}
	times := func(peak int64, walls ...float64) *outcome {
		o := new(outcome)
		for _, w := range walls {
			o.rounds = append(o.rounds, turn.Result{Wall: w, Peak: peak})
		}
		return o
	}
	f := &findings{measure: measure{"time", wall}, results: results{
		c.contenders[0].work(): times(100, 4, 4, 4, 4, 4, 4, 4),
		c.contenders[1].work(): times(200, 1, 1, 1, 1, 1, 1, 1), // p = 1/64, and 3 are compared
		c.contenders[2].work(): times(100, 6, 6, 6, 6, 3, 6, 6),
		c.contenders[3].work(): {failed: errors.New("no")},
	}}
	if got, want := f.best(c, "setting"), "The best setting buys 75 % of the time: fast, with 2.0 times the memory. It was faster in 7 of 7 rounds."; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got, want := f.worst(c, "setting"), "The worst setting takes 1.50 times as long: slow, with about the same memory (a reason). It was slower in 6 of 7 rounds, which may be chance."; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	c.contenders = append(c.contenders[:1], c.contenders[3])
	if got := f.best(c, "setting") + f.worst(c, "setting"); got != "" {
		t.Errorf("of nothing but failures: %s", got)
	}
}

// TestBusy: where a parser had to wait for a processor, processor time is compared,
// and the study says so.
func TestBusy(t *testing.T) {
	c := contest{contenders: []contender{{name: "base"}}}
	for cpu, want := range map[float64]string{0: "time", 1: "processor time", 1.9: "time", 2.5: "time"} {
		f := &findings{contests: []contest{c}, results: results{c.contenders[0].work(): {rounds: []turn.Result{{Wall: 2, CPU: cpu}}}}}
		f.measure = f.choose()
		if f.measure.name != want || strings.Contains(f.method(), "had a processor for 50 %") != (cpu == 1) {
			t.Errorf("CPU %v s of 2 s: %s: %s", cpu, f.measure.name, f.method())
		}
	}
}

// TestSignTest holds the probabilities to those of tossed coins.
func TestSignTest(t *testing.T) {
	for _, c := range []struct {
		most, n int
		want    float64
	}{{1, 1, 1}, {5, 5, 0.0625}, {6, 6, 0.03125}, {7, 7, 0.015625}, {6, 7, 0.125}, {3, 4, 0.625}, {2, 4, 1}, {9, 10, 22.0 / 1024}} {
		if got := signTest(c.most, c.n); got != c.want {
			t.Errorf("%d of %d: %v, want %v", c.most, c.n, got, c.want)
		}
	}
}

// TestOrder: each round has every contender once, and they begin with different ones.
func TestOrder(t *testing.T) {
	order := []contender{{name: "a"}, {name: "b"}, {name: "c"}, {name: "d"}}
	var got []string
	for round := range 4 {
		var names string
		for _, x := range shuffled(order, round, 4) {
			names += x.name
		}
		got = append(got, names)
	}
	if diff := cmp.Diff([]string{"abcd", "adcb", "cdab", "cbad"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestOptions(t *testing.T) {
	var stderr bytes.Buffer
	for _, args := range [][]string{{"x"}, {"-elements", "0"}, {"-rounds", "0"}, {"-parse", "encoding/json"}, {"-no"}} {
		if _, err := parseOptions(args, &stderr); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
	o, err := parseOptions([]string{"-full", "-rounds", "3"}, &stderr)
	if err != nil || o.elements != fullElements || o.rounds != 3 {
		t.Errorf("%+v, %v", o, err)
	}
}

// TestFailed: what cannot be done is said, and nothing else suffers.
func TestFailed(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if err := run(t.Context(), []string{"-parse", "no such", "-file", "none"}, &stdout, &stderr); err == nil || !strings.Contains(err.Error(), "no such") {
		t.Errorf("%v", err)
	}
	if err := run(t.Context(), []string{"-parse", parsers.Standard, "-file", "none"}, &stdout, &stderr); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// TestPage: the page shows the counts that the study prints, and the benchmarks of
// what it names.
func TestPage(t *testing.T) {
	testneed.Hook(t)
	if !strings.HasPrefix(runtime.Version(), "go1.26") {
		testneed.Missing(t, "the page has the lines of Go 1.26: run this test with GOTOOLCHAIN=go1.26.8")
	}
	page, err := os.ReadFile("../../docs/jsonparse.md")
	if err != nil {
		t.Fatal(err)
	}
	report, err := recount(t.Context(), t.Output(), shortElements, "")
	if err != nil {
		t.Fatal(err)
	}
	f := &findings{elements: document.Arrays * shortElements}
	f.add(report)
	var printed bytes.Buffer
	f.writeCounts(&printed)
	if diff := cmp.Diff(countsOf(printed.String()), countsOf(string(page))); diff != "" {
		t.Errorf("-printed +page:\n%s", diff)
	}
	for _, s := range f.sentences() {
		if !strings.Contains(strings.Join(strings.Fields(string(page)), " "), s) {
			t.Errorf("the page does not say: %s", s)
		}
	}
}

// countsOf returns the lines of the table of counts, without the bytes, which differ
// a little where a parser has pools.
func countsOf(text string) []string {
	_, text, _ = strings.Cut(text, "per element  bytes")
	text, _, _ = strings.Cut(text, "Attributed")
	text = regexp.MustCompile(`( [0-9.<]+) +[0-9.]+ `).ReplaceAllString(text, "$1 ")
	var all []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}
