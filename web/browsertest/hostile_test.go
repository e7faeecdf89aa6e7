package browsertest

import (
	"fmt"
	"strings"
	"testing"
)

// unharmed reports what names did to the page that they must not.
func unharmed(b *tab, when string) {
	b.t.Helper()
	if got := eval[string](b, `typeof pwned`); got != "undefined" {
		b.t.Errorf("%s: a name ran as a script", when)
	}
	if got := eval[int](b, `document.querySelectorAll("img, iframe, object, embed, a[href], form").length`); got != 0 {
		b.t.Errorf("%s: names became %d elements", when, got)
	}
	if got := eval[int](b, `document.scripts.length`); got != 4 {
		b.t.Errorf("%s: there are %d scripts, want 4", when, got)
	}
}

func TestHostileNamesStayText(t *testing.T) {
	b := newTab(t, 1280, false)
	file := write(t, hostilePage(t))
	b.open(file)
	unharmed(b, "as opened")
	if got := eval[string](b, `document.title`); !strings.HasPrefix(got, "alloctop: <img src=x onerror=pwned=1>") {
		t.Errorf("the title is %q", got)
	}
	text := eval[string](b, `document.body.textContent`)
	for _, name := range hostile {
		if first, _, _ := strings.Cut(name, "\n"); !strings.Contains(text, first) {
			t.Errorf("%q is not in the page as text", first)
		}
	}
	for _, choice := range []string{"m=bytes", "log=1", "each=1", "dir=up", "q=img", "under=d1", "size=1-8"} {
		b.show(choice)
		unharmed(b, choice)
	}
	for _, address := range b.requests {
		if address != file {
			t.Errorf("the page asked for %s", address)
		}
	}
}

// showTip shows the tooltip of a mark, and returns the name of the first
// element in it that is not one of ours.
const showTip = `(async (id, series, index) => {
	const chart = echarts.getInstanceByDom(document.getElementById(id));
	document.getElementById(id).scrollIntoView({block: "center"});
	chart.dispatchAction({type: "showTip", seriesIndex: series, dataIndex: index});
	await new Promise((done) => setTimeout(done, 60));
	const tips = [...document.querySelectorAll(".tip")].filter((e) => e.textContent);
	const strange = tips.flatMap((e) => [...e.querySelectorAll("*")]).find((e) => !["DIV", "B", "TABLE", "TR", "TD", "SPAN", "I"].includes(e.tagName));
	const text = tips.map((e) => e.textContent).join("");
	chart.dispatchAction({type: "hideTip"});
	return strange ? "<" + strange.tagName + ">" : text;
})(%q, %d, %d)`

func TestHostileNamesStayTextInTooltips(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open(write(t, hostilePage(t)))
	for _, plot := range append([]string{"wall-plot"}, plots...) {
		found := false
		for index := range 6 {
			text := evalAsync[string](b, fmt.Sprintf(showTip, plot, 0, index))
			if strings.HasPrefix(text, "<") && strings.HasSuffix(text, ">") && !strings.Contains(text, " ") {
				t.Errorf("the tooltip of %s holds an element %s", plot, text)
			}
			found = found || strings.Contains(text, "pwned") || plot == "cost-plot" && text != ""
		}
		if !found {
			t.Errorf("no tooltip of %s has a hostile name in it, so this tested nothing", plot)
		}
	}
	unharmed(b, "with tooltips")
}

func TestHostileFragmentsAreNoViews(t *testing.T) {
	b := newTab(t, 1280, false)
	file := write(t, standard(t))
	for _, fragment := range []string{
		"scope=<img src=x onerror=pwned=1>&line=</script>", "under=d99999999", "under=u-1.x", "under=dNaN", "size=8-Infinity&each=1",
		"size=--", "m=toString", "sort=constructor.1", "sort=at.nan", "rows=-5", "rows=1e99", "q=%22%3E%3Cimg%20src=x%3E&calls=(((", "%E0%A4%A", "=&&=&__proto__=1", "dir=sideways&per=7&log=x",
	} {
		b.open(file + "#" + fragment)
		unharmed(b, fragment)
		if got := b.text("h1"); got == "" {
			t.Errorf("#%s shows nothing", fragment)
		}
	}
}
