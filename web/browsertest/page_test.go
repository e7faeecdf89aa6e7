package browsertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/web"
)

// plots are the charts of the offline page.
var plots = []string{"sizes-plot", "heat-plot", "tree-plot", "flame-plot", "cost-plot"}

func TestOpensFromDiskWithTheNetworkOff(t *testing.T) {
	b := newTab(t, 1280, false)
	b.offline()
	file := write(t, standard(t))
	b.open(file)
	for _, address := range b.requests {
		if address != file {
			t.Errorf("the page asked for %s", address)
		}
	}
	if got, want := b.text("h1"), "2 lines make 99 % of 16.0 allocations per op"; got != want {
		t.Errorf("the headline is %q, want %q", got, want)
	}
	if got, want := b.text(".known"), "attributed 460,044 of 460,044 allocations (100.00 %)"; got != want {
		t.Errorf("the reconciliation is %q, want %q", got, want)
	}
}

// drawn counts the pixels of a chart in the given colour, of 400 by 200.
const drawn = `((id, color) => {
	const canvas = document.querySelector("#" + id + " canvas");
	if (!canvas) return -1;
	const small = new OffscreenCanvas(400, 200).getContext("2d");
	small.imageSmoothingEnabled = false;
	small.drawImage(canvas, 0, 0, 400, 200);
	const data = small.getImageData(0, 0, 400, 200).data;
	const want = parseInt(color.slice(1), 16);
	let n = 0;
	for (let i = 0; i < data.length; i += 4) {
		if (((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]) === want && data[i + 3] === 255) n++;
	}
	return n;
})(%q, getComputedStyle(document.documentElement).getPropertyValue(%q).trim())`

func TestChartsHaveMarks(t *testing.T) {
	for _, dark := range []bool{false, true} {
		t.Run(fmt.Sprintf("dark=%v", dark), func(t *testing.T) {
			b := newTab(t, 1280, dark)
			b.open(write(t, standard(t)) + "#scope=encoding/csv.BenchmarkRead-2")
			for _, c := range []struct {
				plot, color string
				least       int // of 80,000 pixels
			}{
				{"sizes-plot", "--c0", 1000}, {"sizes-plot", "--c1", 1000},
				{"heat-plot", "--h4", 100},
				{"tree-plot", "--c0", 20000}, {"tree-plot", "--c1", 10000},
				{"flame-plot", "--c0", 100}, {"flame-plot", "--flame-std", 10000},
				{"cost-plot", "--c5", 1000}, {"cost-plot", "--c1", 1000}, {"cost-plot", "--c0", 10},
			} {
				if got := eval[int](b, fmt.Sprintf(drawn, c.plot, c.color)); got < c.least {
					t.Errorf("%s has %d pixels in %s, want at least %d", c.plot, got, c.color, c.least)
				}
			}
		})
	}
}

// stacked sums up the bars of the chart of sizes, in the chart's own numbers.
const stacked = `echarts.getInstanceByDom(document.getElementById("sizes-plot")).getOption().series.reduce((n, s) => n + s.data.reduce((n, d) => n + (d.value || 0), 0), 0)`

func TestSizesSumToTheReport(t *testing.T) {
	page := standard(t)
	b := newTab(t, 1280, false)
	b.open(write(t, page))
	for _, s := range page.Report.Scopes {
		for m, want := range map[string]int64{"objects": s.Totals.Objects, "bytes": s.Totals.Bytes, "requested": s.Totals.Requested} {
			for _, each := range []string{"", "1"} {
				b.show(fmt.Sprintf("scope=%s.%s-%d&m=%s&per=0&each=%s", s.Package, s.Name, s.Procs, m, each))
				if got := eval[int64](b, stacked); got != want {
					t.Errorf("%s: the chart has %d %s, each class %q; the report %d", s.Name, got, m, each, want)
				}
			}
		}
	}
}

// clickBar presses the mouse on a bar of the chart of sizes.
func clickBar(b *tab, bin int) {
	b.t.Helper()
	at := eval[[]float64](b, fmt.Sprintf(`(() => {
		const e = document.getElementById("sizes-plot");
		e.scrollIntoView({block: "center"});
		const [x, y] = echarts.getInstanceByDom(e).convertToPixel({gridIndex: 0}, [%d, 0]);
		const r = e.getBoundingClientRect();
		return [r.left + x, r.top + y - 3];
	})()`, bin))
	b.do(mouse(at[0], at[1]))
	b.settle()
}

// rows are the lines in the table, as far as they are shown.
func rows(b *tab) []string {
	b.t.Helper()
	return eval[[]string](b, `[...document.querySelectorAll("#lines-table tr[data-line] .at-name")].map((e) => e.title)`)
}

func TestClickOnASizeFiltersTheLines(t *testing.T) {
	page := recorded(t, "../testdata/std.pb.gz", alloccount.ReportOptions{})
	b := newTab(t, 1280, false)
	b.open(write(t, page) + "#scope=encoding/xml.BenchmarkMarshal-2")
	s := page.Report.Scopes[9]
	clickBar(b, 2) // 17 to 32 bytes, after 1 to 8 and 9 to 16
	var want []string
	var sum int64
	for _, x := range s.Sites {
		var objects int64
		for _, c := range x.SizeClasses {
			if c.Max > 16 && c.Max <= 32 {
				objects += c.Objects
			}
		}
		if objects > 0 {
			sum += objects
			want = append(want, fmt.Sprintf("%s/%s:%d", x.Package, x.File[strings.LastIndex(x.File, "/")+1:], x.Line))
		}
	}
	got := rows(b)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("lines that make objects of 17 to 32 bytes:\n%q\nwant\n%q", got, want)
	}
	if got := b.text("#chips .chip"); got != "17 to 32 bytes" {
		t.Errorf("the filter is called %q", got)
	}
	if got, want := eval[string](b, `location.hash`), "#scope=encoding/xml.BenchmarkMarshal-2&size=17-32"; got != want {
		t.Errorf("the fragment is %q, want %q", got, want)
	}

	b.do(eval0(`history.back()`))
	b.settle()
	if n := len(rows(b)); n <= len(want) {
		t.Errorf("after the way back there are %d lines, want all", n)
	}
}

// Each kind of mark filters the other views, the chips say by what, and Escape
// drops the last filter.
func TestMarksFilter(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open(write(t, standard(t)) + "#scope=encoding/xml.BenchmarkUnmarshal-2")
	total := b.text("#lines-sub")
	for _, c := range []struct{ name, click, chip string }{
		{"heaviest line", ".top-line", "encoding/xml/xml.go:1206"},
		{"part of the strip", ".strip button", "encoding/xml/xml.go:1206"},
		{"row of the table", `tr[data-line] .at-name`, "encoding/xml/xml.go:1206"},
		{"key of the legend", "#sizes-legend button", "encoding/xml/xml.go:1206"},
		{"cause", "#lines-table td.cause button", "string from bytes"},
		{"function", "#lines-table td.at .under button", "encoding/xml.(*Decoder).name"},
		{"size in the table", "#sizes-table button", "1 to 8 bytes"},
	} {
		if c.name == "size in the table" {
			b.click("#sizes summary")
		}
		b.click(c.click)
		if got := b.text("#chips .chip"); got != c.chip {
			t.Errorf("a click on a %s filters by %q, want %q", c.name, got, c.chip)
		}
		b.do(keys(escape))
		b.settle()
		if got := b.text("#lines-sub"); got != total || !eval[bool](b, `document.getElementById("chips").hidden`) {
			t.Errorf("after Escape there are %s, want %s", got, total)
		}
	}
}

// inChart returns an expression for where a chart has drawn a text that begins
// with the given one, in the window.
const inChart = `((id, text) => {
	const e = document.getElementById(id);
	e.scrollIntoView({block: "center"});
	const r = e.getBoundingClientRect();
	for (const d of echarts.getInstanceByDom(e).getZr().storage.getDisplayList(true)) {
		if (!d.style || !String(d.style.text || "").startsWith(text)) continue;
		const box = d.getBoundingRect().clone();
		if (d.transform) box.applyTransform(d.transform);
		return [r.left + box.x + 3, r.top + box.y + box.height / 2];
	}
	return [];
})(%q, %q)`

func clickText(b *tab, plot, text string) {
	b.t.Helper()
	at := eval[[]float64](b, fmt.Sprintf(inChart, plot, text))
	if len(at) == 0 {
		b.t.Fatalf("%s has no text %q", plot, text)
	}
	b.do(mouse(at[0], at[1]))
	b.settle()
}

func TestChartsFilter(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open(write(t, standard(t)) + "#scope=encoding/csv.BenchmarkRead-2")
	for _, c := range []struct {
		name, plot, text string
		chips            string
		share            string
	}{
		{"rectangle of a line", "tree-plot", "reader.go:444", "encoding/csv/reader.go:444", "62.5 %"},
		{"package", "tree-plot", "encoding/csv", "encoding/csv", "99.9 %"},
		{"function", "tree-plot", "(*Reader).readRecord", "encoding/csv.(*Reader).readRecord", "99.9 %"},
		{"call", "flame-plot", "csv.BenchmarkRead", "calls through encoding/csv.BenchmarkRead", "100.0 %"},
		{"line in the flame graph", "flame-plot", "reader.go:441", "encoding/csv/reader.go:441", "37.5 %"},
		{"cell of the heat map", "heat-plot", "10", "33 to 64 bytes|encoding/csv/reader.go:444", "62.5 %"},
	} {
		clickText(b, c.plot, c.text)
		if got := eval[string](b, `[...document.querySelectorAll("#chips .chip")].map((e) => e.innerText).join("|")`); got != c.chips {
			t.Errorf("a click on a %s filters by %q, want %q", c.name, got, c.chips)
			continue
		}
		if got := b.text("#chips b"); got != c.share {
			t.Errorf("a click on a %s leaves %s, want %s", c.name, got, c.share)
		}
		b.click("#chips .link")
	}
}

// A call that is chosen leaves exactly what was counted below it.
func TestCallPathsCrossFilter(t *testing.T) {
	b := newProfile()
	p := b.p
	fn := func(name string) *profile.Location {
		f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, Filename: "/src/app/a.go", StartLine: 1}
		p.Function = append(p.Function, f)
		l := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f, Line: int64(10 * f.ID)}}}
		p.Location = append(p.Location, l)
		return l
	}
	leaf, left, right := fn("example.com/app.leaf"), fn("example.com/app.left"), fn("example.com/app.right")
	for _, s := range []struct {
		n, size int64
		via     *profile.Location
	}{{70, 8, left}, {5, 100, left}, {25, 8, right}} {
		p.Sample = append(p.Sample, &profile.Sample{
			Location: []*profile.Location{leaf, s.via}, Value: []int64{s.n, s.n * s.size, s.n * s.size},
			NumLabel: map[string][]int64{"bytes": {s.size}},
		})
	}
	tab := newTab(t, 1280, false)
	tab.open(write(t, pageOf(t, p, alloccount.ReportOptions{})))
	clickText(tab, "flame-plot", "app.left")
	if got, want := tab.text("#chips b"), "75.0 %"; got != want {
		t.Errorf("below left there are %s, want %s", got, want)
	}
	if got, want := tab.text("#lines-table td.strong"), "75"; got != want {
		t.Errorf("below left the line makes %s, want %s", got, want)
	}
	clickBar(tab, 0)
	if got, want := tab.text("#lines-table td.strong"), "70"; got != want {
		t.Errorf("below left the line makes %s of 8 bytes, want %s", got, want)
	}
}

func TestFragmentRestoresAView(t *testing.T) {
	file := write(t, standard(t))
	b := newTab(t, 1280, false)
	b.open(file)
	b.click(`#scopes li:nth-child(3) button`)
	b.click(`#measure [data-value=bytes]`)
	b.click(`#per [data-value="0"]`)
	b.click(`#sizes-scale [data-value="1"]`)
	b.click(`.top-line`)
	b.do(typing("#lines-search", "make slice"))
	b.settle()
	view := `document.getElementById("main").innerText + document.getElementById("chips").innerText`
	want := eval[string](b, view)
	address := eval[string](b, "location.href")
	if !strings.Contains(want, "make slice") || !strings.Contains(address, "m=bytes") {
		t.Fatalf("the view was not chosen: %s", address)
	}
	again := newTab(t, 1280, false)
	again.open(address)
	if got := eval[string](again, view); got != want {
		t.Errorf("%s shows\n%s\nwant\n%s", address, got, want)
	}
}

func TestSwitches(t *testing.T) {
	page := standard(t)
	b := newTab(t, 1280, false)
	b.open(write(t, page) + "#scope=encoding/csv.BenchmarkRead-2")
	for _, c := range []struct{ click, headline, row string }{
		{`#per [data-value="0"]`, "2 lines make 99 % of 460,044 allocations", "287,520"},
		{`#measure [data-value=bytes]`, "1 line makes 96 % of 18.2 MiB", "17.5 MiB"},
		{`#per [data-value="1"]`, "1 line makes 96 % of 664.2 B per op", "640 B"},
		{`#measure [data-value=requested]`, "1 line makes 97 % of 658.2 B requested per op", "640 B"},
		{`#measure [data-value=objects]`, "2 lines make 99 % of 16.0 allocations per op", "10"},
	} {
		b.click(c.click)
		if got := b.text("h1"); got != c.headline {
			t.Errorf("%s: the headline is %q, want %q", c.click, got, c.headline)
		}
		if got := b.text("#lines-table td.strong"); got != c.row {
			t.Errorf("%s: the first line makes %q, want %q", c.click, got, c.row)
		}
	}
}

func TestNothingCounted(t *testing.T) {
	for name, c := range map[string]struct {
		scopes   []*alloccount.Scope
		headline string
	}{
		"no scope":       {nil, "Nothing was counted"},
		"no allocations": {[]*alloccount.Scope{{Kind: alloccount.KindBenchmark, Name: "BenchmarkNone", Records: 1000, Iterations: 1000, Runtime: &alloccount.Counted{}}}, "No allocations per op"},
	} {
		b := newTab(t, 1280, false)
		b.open(write(t, web.Page{Report: alloccount.Merge(&alloccount.Report{Schema: alloccount.Schema, Engine: alloccount.Exact, Scopes: c.scopes})}))
		if got := b.text("h1"); got != c.headline {
			t.Errorf("%s: the headline is %q, want %q", name, got, c.headline)
		}
	}
}

// The lines beyond what a page shows are counted, and said to be.
func TestManySites(t *testing.T) {
	const sites = 100_000
	page := manySites(t, sites)
	b := newTab(t, 1280, false)
	b.open(write(t, page))
	b.click(`#per [data-value="0"]`)
	if got, want := eval[int64](b, stacked), page.Report.Totals.Objects; got != want {
		t.Errorf("the chart has %d objects, the report %d", got, want)
	}
	b.show("rows=8000")
	if got, want := b.text("#lines-table tr.rest:last-child td:last-child"), "… and 92,000 more rows, each too small to be in this page"; got != want {
		t.Errorf("the last row is %q, want %q", got, want)
	}
	if got, want := eval[int](b, `document.querySelectorAll("tr[data-line]").length`), 8000; got != want {
		t.Errorf("%d lines are in the table, want %d", got, want)
	}
	t.Logf("from opening to the last chart: %.0f ms", eval[float64](b, `performance.getEntriesByType("mark").length ? performance.getEntriesByName("ready")[0].startTime : -1`))
}
