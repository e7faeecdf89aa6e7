package browsertest

import (
	"strings"
	"testing"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/web"
)

// costs is the page of a Measure whose calls were timed apart.
func costs(c alloccount.Cost) web.Page {
	return web.Page{Report: alloccount.Merge(&alloccount.Report{Schema: alloccount.Schema, Engine: alloccount.Exact, Scopes: []*alloccount.Scope{{
		Kind: alloccount.KindMeasure, Name: "parse", Records: 1000, Unit: "rows", Procs: 8, Cost: &c,
		Totals: alloccount.Totals{Objects: 2000}, Runtime: &alloccount.Counted{Objects: 2000},
		Runs: &alloccount.Runs{Calls: 5, PerRecord: alloccount.Spread{Min: 2, Median: 2, Max: 2.5}, WallSeconds: alloccount.Spread{Min: .1, Median: .2, Max: .4}},
	}}})}
}

func TestCost(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open(write(t, costs(alloccount.Cost{
		WallSeconds: 2, CPUSeconds: 2.6, GCCPUSeconds: 1.3, GCCycles: 1, PauseSeconds: 0.004,
		MutexWaitSeconds: 10, PeakHeapBytes: 3 << 20, Records: 4000, Uncounted: true,
	})))
	got := strings.Join(strings.Fields(b.text("#cost-facts dl")), " ")
	const want = "time 2.00 s 500 µs per row CPU time 2.60 s 650 µs per row processors busy 1.3 of 8 garbage collection 50.0 % of CPU time, 1 cycle " +
		"stopped 4.00 ms all goroutines, for the collector waiting for locks 10.00 s all goroutines together largest heap 3.0 MiB that was seen"
	if got != want {
		t.Errorf("the cost is\n%s\nwant\n%s", got, want)
	}
	const sub = "Timed in calls of their own, with the counter off. 5 calls: 2 to 2.5 allocations per row, median 2; 100 ms to 400 ms each, median 200 ms"
	if got := b.text("#cost-sub"); got != sub {
		t.Errorf("beside the cost is\n%s\nwant\n%s", got, sub)
	}
	if got := b.text(".lede"); !strings.HasSuffix(got, "500 µs per row") {
		t.Errorf("the headline says %q of the time", got)
	}
}

// What the runtime estimates can be more than there was: then it is no share.
func TestCostOfAShortTime(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open(write(t, costs(alloccount.Cost{CPUSeconds: 0.001, GCCPUSeconds: 0.004})))
	got := strings.Join(strings.Fields(b.text("#cost-facts dl")), " ")
	if want := "garbage collection 4.00 ms of CPU, 0 cycles"; !strings.Contains(got, want) || strings.Contains(got, "busy") {
		t.Errorf("the cost is %s, want %s and no processors", got, want)
	}
}
