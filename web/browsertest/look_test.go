package browsertest

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/web"
)

// spreadsheet is the page of the benchmarks in examples/xlsx, with source.
func spreadsheet(t testing.TB) web.Page {
	page := recorded(t, "../testdata/xlsx.pb.gz", alloccount.ReportOptions{Per: []alloccount.Per{{Metric: "cells/op"}}})
	page.Source = func(file string) (web.Source, error) {
		_, name, ok := bytes.Cut([]byte(file), []byte("/examples/xlsx/"))
		if !ok {
			return web.Source{}, os.ErrNotExist
		}
		text, err := os.ReadFile("../../examples/xlsx/" + string(name))
		return web.Source{Text: text}, err
	}
	return page
}

func TestNothingIsWiderThanTheWindow(t *testing.T) {
	for name, page := range map[string]web.Page{"spreadsheet": walled(t, spreadsheet(t)), "hostile": hostilePage(t)} {
		file := write(t, page)
		for _, width := range []int64{320, 400, 800, 1280, 1920} {
			b := newTab(t, width, false)
			b.open(file)
			if got := eval[int64](b, `document.documentElement.scrollWidth`); got > width {
				t.Errorf("%s: at %d pixels the page is %d wide, because of %s", name, width, got, eval[string](b, `(() => {
					const wide = [...document.querySelectorAll("main *, header *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".code-scroll, .table-scroll"));
					return wide.slice(-3).map((e) => e.tagName + "." + e.className + " " + Math.round(e.getBoundingClientRect().right)).join(", ");
				})()`))
			}
		}
	}
}

// stripNumbers are the numbers in the bar under the headline that show, whole or
// in part, each with whether it is whole.
const stripNumbers = `[...document.querySelectorAll(".strip .part")].flatMap((part) => {
	const range = document.createRange();
	range.selectNodeContents(part);
	const [a, b] = [range.getBoundingClientRect(), part.getBoundingClientRect()];
	if (!part.textContent || a.top >= b.bottom) return [];
	return [part.textContent + (a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom + 1 ? "" : " is cut off")];
})`

func TestNumbersInTheBarFitOrAreLeftOut(t *testing.T) {
	p := newProfile()
	for i, objects := range []int64{60, 16, 8, 8, 8} {
		p.add(objects, 16, fmt.Sprintf("main.f%d", i), "/src/app/f.go", int64(10+i), "")
	}
	file := write(t, pageOf(t, p.p, alloccount.ReportOptions{}))
	for width, want := range map[int64]string{400: "[60.0 %]", 1280: "[60.0 % 16.0 % 8.0 % 16.0 %]"} {
		b := newTab(t, width, false)
		b.open(file)
		if got := fmt.Sprint(eval[[]string](b, stripNumbers)); got != want {
			t.Errorf("at %d pixels the bar says %s, want %s", width, got, want)
		}
	}
}

// overlaps names the pairs of texts in a chart that lie over each other.
const overlaps = `((id) => {
	const chart = echarts.getInstanceByDom(document.getElementById(id));
	if (!chart) return [];
	const texts = [];
	for (const d of chart.getZr().storage.getDisplayList(true)) {
		if (!d.style?.text || d.ignore || d.invisible) continue;
		const box = d.getBoundingRect().clone();
		if (d.transform) box.applyTransform(d.transform);
		texts.push([String(d.style.text), box.x, box.y, box.x + box.width, box.y + box.height]);
	}
	const found = [];
	texts.forEach((a, i) => texts.slice(i + 1).forEach((b) => {
		const x = Math.min(a[3], b[3]) - Math.max(a[1], b[1]), y = Math.min(a[4], b[4]) - Math.max(a[2], b[2]);
		if (x > 1 && y > 2) found.push(a[0] + " | " + b[0]);
	}));
	texts.forEach((a) => { if (a[1] < -1 || a[3] > chart.getWidth() + 1 || a[2] < -1 || a[4] > chart.getHeight() + 1) found.push(a[0] + " is cut off"); });
	return found.slice(0, 5);
})(%q)`

func TestLabelsAreLegible(t *testing.T) {
	file := write(t, spreadsheet(t))
	for _, width := range []int64{400, 1280} {
		b := newTab(t, width, false)
		b.open(file)
		for _, view := range []string{"", "m=bytes&each=1", "log=1&per=0", "scope=github.com/alloctop/alloctop/examples/xlsx.BenchmarkLibrary/excelize-2"} {
			b.show(view)
			for _, plot := range plots {
				if got := eval[[]string](b, fmt.Sprintf(overlaps, plot)); len(got) > 0 {
					t.Errorf("%d pixels, #%s, %s: labels over each other: %q", width, view, plot, got)
				}
			}
		}
	}
}

// faint names the texts of the page that stand out too little from what is
// behind them: less than 4.5 to 1, or 3 to 1 where they are large.
const faint = `(() => {
	const rgb = (c) => { const m = c.match(/[\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
	const light = ([r, g, b]) => [r, g, b].map((c) => { c /= 255; return c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4; }).reduce((n, c, i) => n + c * [.2126, .7152, .0722][i], 0);
	const found = new Set();
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n; (n = walker.nextNode());) {
		const e = n.parentElement;
		if (!n.textContent.trim() || !e.checkVisibility() || ["SCRIPT", "STYLE", "NOSCRIPT", "OPTION"].includes(e.tagName) || e.closest(".away, .skip, .tip, .dim, :disabled")) continue;
		let at = e, back = [0, 0, 0, 0];
		while (at && back[3] < 1) { back = rgb(getComputedStyle(at).backgroundColor); at = at.parentElement; }
		const style = getComputedStyle(e);
		const [a, b] = [light(rgb(style.color)), light(back)].sort((x, y) => y - x);
		const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && Number(style.fontWeight) >= 700);
		const ratio = (a + .05) / (b + .05);
		if (ratio < (large ? 3 : 4.5)) found.add(n.textContent.trim().slice(0, 30) + " " + ratio.toFixed(2) + " " + e.className);
	}
	return [...found].slice(0, 12);
})()`

func TestTextStandsOut(t *testing.T) {
	file := write(t, walled(t, spreadsheet(t)))
	for _, dark := range []bool{false, true} {
		b := newTab(t, 1280, dark)
		b.open(file)
		b.show("size=1-8")
		if got := eval[[]string](b, faint); len(got) > 0 {
			t.Errorf("dark=%v: too faint: %q", dark, got)
		}
	}
}

func TestPaperIsLight(t *testing.T) {
	b := newTab(t, 1280, true)
	b.open(write(t, spreadsheet(t)))
	b.do(eval0(`dispatchEvent(new Event("beforeprint"))`))
	if got := eval[string](b, `getComputedStyle(document.body).getPropertyValue("--paper").trim()`); got != "#ffffff" {
		t.Errorf("paper is %s", got)
	}
	b.do(eval0(`dispatchEvent(new Event("afterprint"))`))
	if got := eval[string](b, `document.documentElement.dataset.theme`); got != "dark" {
		t.Errorf("after printing the page is %s, want dark", got)
	}
	pdf, err := chromedp.Run(b.ctx, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4), chromedp.PDFPrintBackground()))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) {
		t.Errorf("printing gave %q", pdf[:min(len(pdf), 20)])
	}
	picture(t, "report.pdf", pdf)
}

func TestThemeCanBeChosen(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open(write(t, standard(t)))
	var got []string
	for range 4 {
		got = append(got, eval[string](b, `document.documentElement.dataset.theme`))
		b.click("#theme")
	}
	if want := []string{"light", "light", "dark", "light"}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the colours go %v, want %v: as the system, light, dark, and again", got, want)
	}
	b.click("#theme") // dark, light
	b.click("#theme")
	b.theme(true)
	b.settle()
	if got := eval[string](b, `document.documentElement.dataset.theme`); got != "dark" {
		t.Errorf("when the system turns dark, the page is %s", got)
	}
}
