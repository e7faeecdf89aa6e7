package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alloctop/alloctop/alloccount"
)

// hostile are names that anybody may put into a profile.
var hostile = []string{
	`</script><img src=x onerror=alert(1)>`,
	`</title></noscript><script>alert(1)</script>`,
	`<!--<script>`,
	`__f__(function(){alert(1)})__f__`,
	`{a|b} {b} {c}\n${alert(1)}`,
	`"];alert(1);["`,
	"javascript:alert(1)",
	"\u202egpj.exe\u2028\x00\x1b[31m",
	"\xff\xfe not text",
}

var (
	scriptElement = regexp.MustCompile(`(?is)<script\b([^>]*)>(.*?)</script>`)
	styleElement  = regexp.MustCompile(`(?is)<style>(.*?)</style>`)
	policyElement = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`)
)

func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Only what has one of the hashes can run, and nothing can be requested.
func TestPolicyAllowsThePageAndNothingElse(t *testing.T) {
	file := write(t, recorded(t))
	m := policyElement.FindStringSubmatch(file)
	if m == nil {
		t.Fatal("the page has no content security policy")
	}
	policy := html.UnescapeString(m[1])
	for _, want := range []string{"default-src 'none'", "connect-src 'none'", "img-src data:", "base-uri 'none'", "form-action 'none'"} {
		if !slices.Contains(strings.Split(policy, "; "), want) {
			t.Errorf("the policy lacks %s: %s", want, policy)
		}
	}
	if strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
		t.Errorf("the policy is not strict: %s", policy)
	}
	var run, inert int
	for _, s := range scriptElement.FindAllStringSubmatch(file, -1) {
		if strings.Contains(s[1], `type="application/json"`) {
			inert++
			continue
		}
		run++
		if !strings.Contains(policy, sourceHash(s[2])) {
			t.Errorf("the policy forbids a script of the page, of %d bytes", len(s[2]))
		}
	}
	if run != 2 || inert != 2 {
		t.Errorf("%d scripts that run and %d with data, want 2 and 2", run, inert)
	}
	for _, s := range styleElement.FindAllStringSubmatch(file, -1) {
		if !strings.Contains(policy, sourceHash(s[1])) {
			t.Error("the policy forbids the style of the page")
		}
	}
}

func TestPageNamesNoOtherFile(t *testing.T) {
	file := write(t, recorded(t))
	frame := scriptElement.ReplaceAllString(styleElement.ReplaceAllString(file, ""), "")
	for _, a := range regexp.MustCompile(`(?i)\b(src|href|srcset|action|poster)\s*=\s*"([^"]*)"`).FindAllStringSubmatch(frame, -1) {
		if !strings.HasPrefix(a[2], "data:") {
			t.Errorf("the page asks for %s", a[0])
		}
	}
	if style := styleElement.FindString(file); regexp.MustCompile(`url\(|@import`).MatchString(style) {
		t.Error("the style asks for other files")
	}
}

func TestHostileNamesStayText(t *testing.T) {
	b := newProfile()
	for i, name := range hostile {
		b.add(100, int64(i+1), 16, name, call{name, "/src/" + name, 3}, call{"main." + name, name, 4})
	}
	page := b.page(t)
	s := page.Report.Scopes[0]
	s.Name, s.Package, s.Unit, s.Records = hostile[0], hostile[1], hostile[2], 10
	s.Notes, s.Process.Exit, s.Process.Main = hostile, hostile[0], hostile[1]
	page.Report.Command, page.Report.Notes, page.Report.Go = hostile, hostile, hostile[0]
	page.Source = func(string) (Source, error) { return Source{[]byte(strings.Join(hostile, "\n")), hostile[0]}, nil }

	file := write(t, page)
	harmless := write(t, recorded(t))
	for _, tag := range []string{"<script", "</script", "<img", "<!--", "</noscript", "</title"} {
		in := func(file string) int {
			frame := strings.Count(strings.ToLower(file), tag)
			for _, own := range []script{mustAssets(t).echarts, mustAssets(t).own} {
				frame -= strings.Count(strings.ToLower(own.Text), tag)
			}
			return frame
		}
		if got, want := in(file), in(harmless); got != want {
			t.Errorf("%d of %s in the page, want %d", got, tag, want)
		}
	}
	d := dataOf(t, file)
	for _, name := range d.Strings {
		if strings.ContainsAny(name, "\u202e\u2028\x00\x1b") {
			t.Errorf("%q hides what it says", name)
		}
	}
	if !slices.Contains(d.Strings, hostile[0]) {
		t.Errorf("a name did not arrive as it is: %q", d.Strings)
	}
}

func mustAssets(t testing.TB) *pageAssets {
	t.Helper()
	a, err := loadAssets()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The options of the charts are the same for all reports, so no name can be in
// them.
func TestChartOptionsHoldNoFunctions(t *testing.T) {
	options := string(mustAssets(t).charts)
	for _, bad := range []string{"__f__", "function", "=>"} {
		if strings.Contains(options, bad) {
			t.Errorf("the options contain %s", bad)
		}
	}
}

func TestEchartsIsTheOneOfItsPackage(t *testing.T) {
	const want = "bf4a223524e40b77c304bec67e1222cf551f14880cf42c69dc046558e11c07b1" // 5.6.0, as assets/echarts/fetch.sh gets it
	text, err := assets.ReadFile("assets/echarts/echarts.min.js")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("echarts.min.js has the SHA-256 %s, want %s; run assets/echarts/fetch.sh", got, want)
	}
	for _, name := range []string{"LICENSE", "NOTICE", "licenses/LICENSE-d3"} {
		if text, err := assets.ReadFile("assets/echarts/" + name); err != nil || len(text) == 0 {
			t.Errorf("its %s is not kept with it: %v", name, err)
		}
	}
}

func TestSameReportMakesTheSameFile(t *testing.T) {
	if a, b := write(t, recorded(t)), write(t, recorded(t)); a != b {
		t.Error("two pages of one report differ")
	}
}

func TestReportAlone(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, recorded(t).Report); err != nil {
		t.Fatal(err)
	}
	d := dataOf(t, b.String())
	if d.Paths || d.Source || d.Scopes[0].Tree != nil {
		t.Error("a page of a report alone claims to have call paths or source")
	}
}

func TestPageWithoutScriptsIsTheText(t *testing.T) {
	var text bytes.Buffer
	page := recorded(t)
	if err := page.Report.WriteText(&text, alloccount.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(write(t, page), html.EscapeString(text.String())) {
		t.Error("the page lacks the report as text")
	}
}

func TestNothingCounted(t *testing.T) {
	for name, r := range map[string]*alloccount.Report{
		"no scope":       alloccount.Merge(&alloccount.Report{Schema: alloccount.Schema, Engine: alloccount.Exact}),
		"no allocations": alloccount.Merge(&alloccount.Report{Schema: alloccount.Schema, Engine: alloccount.Exact, Scopes: []*alloccount.Scope{{Kind: alloccount.KindBenchmark, Name: "BenchmarkNone", Records: 10, Iterations: 10}}}),
	} {
		if d := dataOf(t, write(t, Page{Report: r})); len(d.Scopes) != len(r.Scopes) {
			t.Errorf("%s: %d scopes, want %d", name, len(d.Scopes), len(r.Scopes))
		}
	}
	if err := (Page{}).WriteHTML(io.Discard); err == nil {
		t.Error("a page of no report is no error")
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestWriteFails(t *testing.T) {
	err := recorded(t).WriteHTML(fullDisk{})
	if err == nil || !strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("a full disk gives %v", err)
	}
}

func TestUsualReportIsSmall(t *testing.T) {
	const most = 2_500_000
	if n := len(write(t, recorded(t))); n > most {
		t.Errorf("%d bytes for twelve benchmarks, want at most %d", n, most)
	}
}

func FuzzNamesStayText(f *testing.F) {
	for _, name := range hostile {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		b := newProfile()
		b.add(3, 8, 8, name, call{name + "x", name, 1}, call{"main.main", "/src/main.go", 2})
		r, err := alloccount.NewReport(b.p, alloccount.ReportOptions{})
		if err != nil {
			t.Skip()
		}
		r.Scope.Name = name
		text, err := Page{Report: r, Profile: b.p}.encode()
		if err != nil {
			t.Fatal(err)
		}
		for place, text := range map[string]string{"data": string(text), "title": title(r), "text": Page{Report: r}.fallback()} {
			if place == "title" {
				text = html.EscapeString(text)
			}
			if strings.ContainsAny(text, "<>") {
				t.Errorf("the %s of the page holds markup: %q", place, text)
			}
		}
	})
}

func BenchmarkWriteHTML(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		b.Run(fmt.Sprintf("sites=%d", n), func(b *testing.B) {
			page := manySites(b, n)
			var size int
			b.ReportAllocs()
			for b.Loop() {
				var out bytes.Buffer
				if err := page.WriteHTML(&out); err != nil {
					b.Fatal(err)
				}
				size = out.Len()
			}
			b.ReportMetric(float64(size), "page-bytes")
		})
	}
}
