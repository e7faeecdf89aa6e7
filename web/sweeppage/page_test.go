package sweeppage

import (
	"context"
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alloctop/alloctop/internal/sweep"
	"github.com/alloctop/alloctop/internal/testneed"
	"github.com/alloctop/alloctop/web/internal/onefile"
)

// fixed runs nothing: its numbers follow from the job.
type fixed struct{ grid sweep.Grid }

func (f fixed) Run(_ context.Context, j sweep.Job) (sweep.Run, error) {
	if f.grid.Value(j.Cell, sweep.GOGC) == "off" && j.Benchmark.Name == "BenchmarkB" {
		return sweep.Run{}, sweep.Failure("panic: <script>alert(1)</script>")
	}
	n := float64(len(f.grid.Label(j.Cell)) + j.Turn)
	return sweep.Run{Seconds: n / 1000, Iterations: 10, Wall: 1, CPU: 1.5, Peak: int64(n) << 20, GCCPU: 0.3}, nil
}

// result measures two benchmarks on a grid.
func result(t *testing.T, axes ...string) *sweep.Result {
	t.Helper()
	var list []sweep.Axis
	for _, text := range axes {
		name, values, _ := strings.Cut(text, " ")
		a, err := sweep.ParseAxis(name, values)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, a)
	}
	g := sweep.NewGrid(list)
	p := sweep.Plan{Grid: g, Turns: 6, Benchmarks: []sweep.Benchmark{{Package: "example.com/p", Name: "BenchmarkA"}, {Package: "example.com/p", Name: "BenchmarkB"}}}
	m, err := p.Measure(t.Context(), sweep.Options{Runner: fixed{g}, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	return sweep.Analyze(m, sweep.Context{Command: []string{"go", "test", "-bench", "."}, Processors: 4})
}

func page(t *testing.T, r *sweep.Result) string {
	t.Helper()
	var b strings.Builder
	if err := WriteHTML(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	scriptElement = regexp.MustCompile(`(?is)<script\b([^>]*)>(.*?)</script>`)
	styleElement  = regexp.MustCompile(`(?is)<style>(.*?)</style>`)
	policyElement = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`)
)

// Only the two scripts and the style of the page have a hash in its policy, and
// nothing can be requested.
func TestPolicy(t *testing.T) {
	file := page(t, result(t, "cpu 1,2,4", "gogc 100,off"))
	policy := html.UnescapeString(policyElement.FindStringSubmatch(file)[1])
	for _, want := range []string{"default-src 'none'", "img-src data:", "base-uri 'none'", "form-action 'none'"} {
		if !slices.Contains(strings.Split(policy, "; "), want) {
			t.Errorf("the policy lacks %s: %s", want, policy)
		}
	}
	run := 0
	for _, s := range scriptElement.FindAllStringSubmatch(file, -1) {
		if strings.Contains(s[1], `type="application/json"`) {
			continue
		}
		run++
		if !strings.Contains(policy, onefile.Source(s[2])) {
			t.Errorf("the policy forbids a script of the page, of %d bytes", len(s[2]))
		}
	}
	if run != 2 {
		t.Errorf("%d scripts, want 2", run)
	}
	if s := styleElement.FindStringSubmatch(file); !strings.Contains(policy, onefile.Source(s[1])) {
		t.Error("the policy forbids the style of the page")
	}
	frame := scriptElement.ReplaceAllString(file, "")
	if m := regexp.MustCompile(`(?i)\b(src|href|srcset|action)\s*=|url\(|@import`).FindString(frame); m != "" {
		t.Errorf("the page asks for another file: %s", m)
	}
}

// Names stay text, wherever they stand.
func TestHostileNames(t *testing.T) {
	hostile := `</script><img src=x onerror=alert(1)></title><!--`
	r := result(t, "gogc 100,off")
	plain := page(t, r)
	r.Command = []string{hostile}
	r.Notes, r.Words = []string{hostile}, []string{hostile}
	r.Grid[0].Values[0], r.Benchmarks[0].Name, r.Benchmarks[0].Package = hostile, hostile, hostile
	r.Benchmarks[0].Cells[0].Settings[0] = hostile
	file := page(t, r)
	for _, tag := range []string{"<img", "</script", "<!--", "</title", "<script"} {
		if got, want := strings.Count(file, tag), strings.Count(plain, tag); got != want {
			t.Errorf("%d of %s, want %d", got, tag, want)
		}
	}
}

// chartsOf returns the options in a page, by element.
func chartsOf(t *testing.T, file string) map[string]map[string]any {
	t.Helper()
	for _, s := range scriptElement.FindAllStringSubmatch(file, -1) {
		if strings.Contains(s[1], `id="charts"`) {
			var all map[string]map[string]any
			if err := json.Unmarshal([]byte(s[2]), &all); err != nil {
				t.Fatal(err)
			}
			return all
		}
	}
	t.Fatal("the page has no charts")
	return nil
}

// Each grid has the charts that say something of it, and each chart a place.
func TestCharts(t *testing.T) {
	for _, c := range []struct {
		axes []string
		want string
	}{
		{nil, "b0-time b1-time"},
		{[]string{"gogc 100,200"}, "b0-memory b0-time b1-memory b1-time"},
		{[]string{"cpu 1,2", "gogc 100,off"}, "b0-memory b0-speedup b0-time b1-memory b1-speedup b1-time"},
		{[]string{"gogc off"}, "b0-time"}, // B failed, and has none
	} {
		file := page(t, result(t, c.axes...))
		var ids []string
		for id := range chartsOf(t, file) {
			ids = append(ids, id)
			if !strings.Contains(file, `id="`+id+`"`) {
				t.Errorf("%v: there is no place for %s", c.axes, id)
			}
		}
		slices.Sort(ids)
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%v: %s, want %s", c.axes, got, c.want)
		}
	}
	time := chartsOf(t, page(t, result(t, "cpu 1,2", "gogc 100,off")))["b0-time"]
	if n := len(time["series"].([]any)); n != 2 {
		t.Errorf("%d lines for two settings", n)
	}
	if n := len(time["whiskers"].([]any)); n != 4 {
		t.Errorf("%d intervals for four cells", n)
	}
}

// Time against memory has the colours of the lines above it, and a name for each
// point.
func TestMemoryChart(t *testing.T) {
	for _, c := range []struct {
		axes []string
		want string
	}{
		{[]string{"cpu 1,2", "gogc 100,off"}, "gogc=100: cpu=1 gogc=100, cpu=2 gogc=100; gogc=off: cpu=1 gogc=off, cpu=2 gogc=off"},
		{[]string{"cpu 1,2"}, "cpu=1: cpu=1; cpu=2: cpu=2"},
		{[]string{"gogc 100,off", "memlimit off,1GiB"}, "gogc=100: gogc=100 memlimit=off, gogc=100 memlimit=1GiB; gogc=off: gogc=off memlimit=off, gogc=off memlimit=1GiB"},
	} {
		chart := chartsOf(t, page(t, result(t, c.axes...)))["b0-memory"]
		var got []string
		for _, s := range chart["series"].([]any) {
			var points []string
			for _, p := range s.(map[string]any)["data"].([]any) {
				points = append(points, p.(map[string]any)["name"].(string))
			}
			got = append(got, s.(map[string]any)["name"].(string)+": "+strings.Join(points, ", "))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%v:\ngot  %s\nwant %s", c.axes, text, c.want)
		}
		if show := chart["legend"].(map[string]any)["show"]; show != true {
			t.Errorf("%v: the legend is not shown: %v", c.axes, show)
		}
	}
}

// All that the charts show is in the tables, and so is what failed.
func TestPageWithoutScripts(t *testing.T) {
	file := page(t, result(t, "gogc 100,off"))
	for _, want := range []string{"<th scope=\"col\">gogc</th>", "<td>failed</td>", "gogc=off failed: panic: &lt;script&gt;alert(1)&lt;/script&gt;", "All benchmarks, in the first settings"} {
		if !strings.Contains(file, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if err := WriteHTML(&strings.Builder{}, nil); err == nil {
		t.Error("no result makes a page")
	}
}

// In a browser the page draws all its charts.
func TestInBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		testneed.Missing(t, "there is no chromium in PATH; on Debian and Ubuntu: apt-get install chromium")
	}
	file := filepath.Join(t.TempDir(), "sweep.html")
	if err := os.WriteFile(file, []byte(page(t, result(t, "cpu 1,2", "gogc 100,200"))), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-logging=stderr", "--v=0",
		"--user-data-dir="+t.TempDir(), "--virtual-time-budget=4000", "--dump-dom", "file://"+file)
	var log strings.Builder
	cmd.Stderr = &log
	dom, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	if !strings.Contains(string(dom), "data-ready") || strings.Contains(log.String(), "CONSOLE") {
		t.Errorf("the page's script did not come to its end:\n%s", log.String())
	}
	if got := strings.Count(string(dom), "<canvas"); got != 6 {
		t.Errorf("%d charts were drawn, want 6", got)
	}
}
