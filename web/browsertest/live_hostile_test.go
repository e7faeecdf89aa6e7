package browsertest

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/web"
)

// Names of a program that runs, and what is said of it, stay text as well.
func TestHostileNamesStayTextLive(t *testing.T) {
	var steps atomic.Int64
	var broken atomic.Bool
	take := func(context.Context) (web.Snapshot, error) {
		if broken.Load() {
			return web.Snapshot{}, errors.New(hostile[1])
		}
		n := steps.Add(1)
		b := newProfile()
		for i, name := range hostile {
			b.add(n*int64(1000/(i+1)), int64(i*7+1), name, "/src/"+name+".go", int64(i+3), name)
		}
		return web.Snapshot{Page: pageOf(t, b.p, alloccount.ReportOptions{}), Time: time.Unix(1_800_000_000+n, 0)}, nil
	}
	s := httptest.NewServer((&web.Live{Take: take, Interval: 10 * time.Millisecond}).Handler())
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	b := newTab(t, 1280, false)
	b.open(s.URL)
	harmless := func(when string) {
		t.Helper()
		if eval[string](b, `typeof pwned`) != "undefined" || eval[int](b, `document.querySelectorAll("img, iframe, object, embed, form").length`) != 0 || eval[int](b, `document.scripts.length`) != 4 {
			t.Errorf("%s: a name became more than text", when)
		}
	}
	b.waitFor(`Number(document.body.dataset.ticks || 0) > 5 && !document.getElementById("rates").hidden`)
	harmless("with rates")
	if got := b.text("#rates-legend"); !strings.Contains(got, "pwned") {
		t.Errorf("no hostile name is in the legend, so this tested nothing: %q", got)
	}
	for plot, want := range map[string]string{"rate-plot": "pwned", "rate-heat-plot": "a second"} {
		found := ""
		for index := range 5 {
			found += evalAsync[string](b, fmt.Sprintf(showTip, plot, 0, index))
		}
		if !strings.Contains(found, want) {
			t.Errorf("the tooltips of %s are %q, want %q in them", plot, found, want)
		}
	}
	harmless("with tooltips")
	broken.Store(true)
	b.waitFor(`Boolean(document.getElementById("live-trouble"))`)
	if got := b.text("#live-trouble"); got != hostile[1] {
		t.Errorf("the page says %q, want %q", got, hostile[1])
	}
	harmless("with trouble")
}
