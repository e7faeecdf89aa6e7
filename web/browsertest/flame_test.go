package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/web"
)

// paths is the page of three call paths: leaf is called by left 75 times, and
// by right 25 times; both by main.
func paths(t testing.TB) web.Page {
	p := newProfile().p
	at := make(map[string]*profile.Location)
	for i, name := range []string{"leaf", "left", "right", "main"} {
		f := &profile.Function{ID: uint64(i + 1), Name: "example.com/app." + name, Filename: "/src/app/a.go", StartLine: 1}
		at[name] = &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f, Line: int64(10 * (i + 1))}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, at[name])
	}
	for _, s := range []struct {
		n, size int64
		via     string
	}{{70, 8, "left"}, {5, 100, "left"}, {25, 8, "right"}} {
		p.Sample = append(p.Sample, &profile.Sample{
			Location: []*profile.Location{at["leaf"], at[s.via], at["main"]}, Value: []int64{s.n, s.n * s.size, s.n * s.size},
			NumLabel: map[string][]int64{"bytes": {s.size}},
		})
	}
	return pageOf(t, p, alloccount.ReportOptions{})
}

// frames are the rectangles of the flame graph: row, width of the whole in per
// cent, and the text in it.
const frames = `(() => {
	const chart = echarts.getInstanceByDom(document.getElementById("flame-plot"));
	const list = chart.getZr().storage.getDisplayList(true);
	const texts = list.filter((d) => d.style?.text && !d.ignore);
	return list.filter((d) => d.type === "rect" && d.shape.height === 19).map((d) => {
		const r = d.shape, x = r.x, y = r.y;
		const inside = texts.find((t) => { const b = t.getBoundingRect().clone(); if (t.transform) b.applyTransform(t.transform); return b.x >= x - 1 && b.x < x + r.width && b.y >= y - 3 && b.y < y + 19; });
		return Math.round(y / 20) + " " + Math.round(100 * (r.width + 1) / chart.getWidth()) + " " + (inside?.style.text || "");
	}).sort();
})()`

func TestFlameGraphInBothDirections(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open(write(t, paths(t)))
	want := []string{"0 100 all", "1 100 app.main", "2 25 app.right", "2 75 app.left", "3 25 app.leaf", "3 75 app.leaf", "4 25 a.go:10", "4 75 a.go:10"}
	if got := eval[[]string](b, frames); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("from the top the graph is\n%q\nwant\n%q", got, want)
	}
	b.click(`#flame-direction [data-value=up]`)
	want = []string{"0 100 all", "1 100 a.go:10", "2 100 app.leaf", "3 25 app.right", "3 75 app.left", "4 25 app.main", "4 75 app.main"}
	if got := eval[[]string](b, frames); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("from the lines the graph is\n%q\nwant\n%q", got, want)
	}
	clickText(b, "flame-plot", "app.right")
	if got, want := b.text("#chips"), "25.0 %"; !strings.HasPrefix(got, want) {
		t.Errorf("what leaf makes for right is %q, want %s", got, want)
	}
	want = []string{"0 100 all", "1 100 a.go:10", "2 100 app.leaf", "3 100 app.right", "4 100 app.main"}
	if got := eval[[]string](b, frames); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("zoomed in the graph is\n%q\nwant\n%q", got, want)
	}
	b.click("#flame-crumbs button")
	if got := len(eval[[]string](b, frames)); got != 7 {
		t.Errorf("after the way back the graph has %d frames, want all 7", got)
	}
}

func TestFlameSearch(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open(write(t, paths(t)))
	for query, want := range map[string]string{"left": "75.0 %", "RIGHT": "25.0 %", "app.": "100.0 %", "nowhere": "0.0 %"} {
		b.do(eval0(`document.getElementById("flame-search").value = ""`))
		b.do(typing("#flame-search", query))
		b.settle()
		if got := b.text("#flame-sub"); !strings.HasSuffix(got, want+" go through calls found") {
			t.Errorf("of %q the graph says %q, want %s", query, got, want)
		}
	}
}

func TestTableSortsAndSearches(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open(write(t, standard(t)) + "#scope=encoding/xml.BenchmarkUnmarshal-2")
	all := rows(b)
	b.click(`#lines-table th:nth-child(6) button`)
	sorted := rows(b)
	if len(sorted) != len(all) || !isSorted(sorted) {
		t.Errorf("sorted by line the table has %q", sorted)
	}
	if got := eval[string](b, `document.querySelector("#lines-table th[aria-sort]").getAttribute("aria-sort")`); got != "ascending" {
		t.Errorf("the head says %q", got)
	}
	b.do(typing("#lines-search", "make slice"))
	b.settle()
	if n := eval[int](b, `[...document.querySelectorAll("#lines-table tr[data-line] td.cause")].filter((e) => !e.innerText.includes("make slice")).length`); n > 0 || len(rows(b)) == 0 {
		t.Errorf("of %d lines found %d are of another cause", len(rows(b)), n)
	}
	b.do(typing("#lines-search", " nothing has this"))
	b.settle()
	if got := b.text("#lines-table .empty"); !strings.HasPrefix(got, "No line passes the filters.") {
		t.Errorf("when nothing is found the table says %q", got)
	}
}

// isSorted looks at files; lines within one are numbers.
func isSorted(lines []string) bool {
	last := ""
	for _, l := range lines {
		file := l[:strings.LastIndexByte(l, ':')]
		if file < last {
			return false
		}
		last = file
	}
	return true
}

// On the logarithmic scale the highest bar is the largest, and a bar's parts
// share it as they share its objects.
func TestLogarithmicScale(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open(write(t, standard(t)) + "#scope=encoding/xml.BenchmarkUnmarshal-2&log=1&per=0")
	const heights = `(() => {
		const s = echarts.getInstanceByDom(document.getElementById("sizes-plot")).getOption().series;
		return s[0].data.map((_, i) => s.reduce((n, x) => n + (x.data[i].value || 0), 0));
	})()`
	log := eval[[]float64](b, heights)
	b.show("scope=encoding/xml.BenchmarkUnmarshal-2&per=0")
	linear := eval[[]float64](b, heights)
	for i := range linear {
		for j := range linear {
			if linear[i] > linear[j] && log[i] <= log[j] {
				t.Errorf("bar %d has %v objects and bar %d %v, but heights are %v and %v", i, linear[i], j, linear[j], log[i], log[j])
			}
		}
	}
}
