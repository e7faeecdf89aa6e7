package sweep

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/alloctop/alloctop/internal/figure"
)

// When a benchmark is called allocation-bound: its processor time comes to this
// much for each allocation at most, or the collector takes this part of it at
// least. Small allocations take 20 to 50 ns with what they cost the collector.
const (
	boundNanoseconds = 100
	boundGC          = 0.25
)

// leastShare is the part of the allocations that a line has to make to be named.
const leastShare = 0.05

// leastCount is how many allocations of a record are worth a word on how they
// vary.
const leastCount = 0.01

// busy is the part of its threads that a benchmark uses which uses them.
const busy = 0.75

// oneThread is how many threads a benchmark of one goroutine is busy on at most:
// its own, and a little of the collector's.
const oneThread = 1.1

// words puts what was seen of a benchmark in sentences.
type words struct {
	r *Result
	x *BenchmarkResult
}

func (w words) all() (list []string) {
	for _, s := range [][]string{w.threads(), w.settings(), w.builds(), w.lines(), w.counts()} {
		list = append(list, s...)
	}
	return list
}

// reference is the cell that settings are compared in: with the most threads,
// and else the first values.
func (r *Result) reference() Cell {
	c := slices.Clone(r.Grid.Cells()[0])
	if at := r.Grid.index(CPU); at >= 0 {
		if _, most := threadRange(r.Grid[at]); most != "" {
			c[at] = most
		}
	}
	return c
}

// threads says how many threads were of use.
func (w words) threads() []string {
	c := w.x.cell(w.r.reference())
	if c.Threads == nil {
		return nil
	}
	at := w.r.Grid.index(CPU)
	threads, err := strconv.Atoi(w.r.Grid.Value(c.Settings, CPU))
	why, bound := w.bound(c)
	if at < 0 || err != nil || threads == 1 {
		if bound {
			return []string{"allocation-bound: " + why}
		}
		return nil
	}
	fewest, _ := threadRange(w.r.Grid[at])
	text := fmt.Sprintf("%d threads use %s", threads, short(*c.Threads))
	faster := false
	if c.SpeedUp != nil && fewest != w.r.Grid.Value(c.Settings, CPU) {
		from := w.x.cell(with(c.Settings, at, fewest))
		if change := compare(from.Seconds, c.Seconds, alpha); change.Sure {
			faster = change.Ratio < 1
			text += fmt.Sprintf(" and are %s times as fast as %s", short(*c.SpeedUp), fewest)
		} else {
			text += fmt.Sprintf(" and are not surely faster than %s", fewest) + w.tooFew(from, 1)
		}
	}
	used := *c.Threads / float64(min(threads, w.r.Processors))
	switch {
	case *c.Threads <= oneThread && !faster && w.r.loaded(w.x):
		text = "the benchmark runs on one thread, or the machine had no other to spare: " + text
	case *c.Threads <= oneThread && !faster:
		text = "the benchmark runs on one thread: " + text
	case bound && (used < busy || c.Efficiency != nil && *c.Efficiency < busy):
		text = "allocation-bound: " + text + "; " + why
	case used < busy && *c.Threads < 1.5 && !w.r.loaded(w.x):
		text += "; the others have nothing to do"
	}
	list := []string{text}
	if threads > w.r.Processors {
		list = append(list, fmt.Sprintf("the machine has %s; more threads than that take turns on them", figure.Things(int64(w.r.Processors), "processor", "processors")))
	}
	return list
}

// bound reports whether allocations are what the benchmark is busy with, and
// how that shows.
func (w words) bound(c *CellResult) (why string, bound bool) {
	var parts []string
	if n := w.allocs(c); n > 0 {
		each := c.Time.Median * *c.Threads / n * 1e9
		bound = each <= boundNanoseconds
		parts = append(parts, fmt.Sprintf("an allocation every %s of processor time", figure.Seconds(each/1e9)))
	}
	if c.GCShare != nil && *c.GCShare > 0 {
		bound = bound || *c.GCShare >= boundGC
		parts = append(parts, fmt.Sprintf("the collector takes %s of it", percent(*c.GCShare)))
	}
	return strings.Join(parts, ", "), bound
}

// allocs returns the allocations of one operation.
func (w words) allocs(c *CellResult) float64 {
	if w.x.Count != nil {
		return w.x.Count.PerOp
	}
	return c.AllocsMax
}

// settings says what the settings of the collector buy.
func (w words) settings() []string {
	best := w.collector()
	switch {
	case best == nil:
		return nil
	case best.to == nil:
		return []string{"GC settings buy nothing that is sure" + w.tooFew(best.from, best.comparisons)}
	}
	text := w.gain(best)
	if from, to := best.from.Peak, best.to.Peak; from > 0 && to > 0 {
		text += fmt.Sprintf(", with %s of memory at the peak in place of %s", figure.Bytes(float64(to)), figure.Bytes(float64(from)))
	}
	return []string{text}
}

// gain is what settings of the collector buy at best, and against what; "" if
// that is not sure.
func (w words) gain(best *step) string {
	if best == nil || best.to == nil {
		return ""
	}
	vary := w.axes(GOGC, MemLimit)
	return fmt.Sprintf("GC settings buy %s (%s against %s%s)", percent(1-best.change.Ratio),
		w.named(best.to.Settings, vary), w.named(best.from.Settings, vary), w.atThreads(best.from.Settings))
}

// step is from one cell to another that is surely faster.
type step struct {
	from, to    *CellResult // to is nil if there is none
	change      *Change
	comparisons int // that were made to find it
}

// collector finds the settings of the collector that buy most: with the threads
// of the first cell, or else with the most. What is slower than the first cell
// is no advice, whatever it is faster than. It returns nil if there is nothing
// to compare.
func (w words) collector() *step {
	vary := w.axes(GOGC, MemLimit)
	first := &w.x.Cells[0]
	var tries []*step
	comparisons := 0
	for _, from := range []*CellResult{first, w.x.cell(w.r.reference())} {
		if n := len(w.varied(from.Settings, vary)); from.Time != nil && n > 0 && (len(tries) == 0 || from != tries[0].from) {
			tries = append(tries, &step{from: from})
			comparisons += n
		}
	}
	for _, try := range tries {
		try.comparisons = comparisons
		others := slices.DeleteFunc(w.varied(try.from.Settings, vary), func(c *CellResult) bool {
			return first.Time != nil && c.Time.Median > first.Time.Median
		})
		if try.to, try.change = w.best(try.from, others, comparisons); try.to != nil {
			return try
		}
	}
	if len(tries) == 0 {
		return nil
	}
	return tries[0]
}

// atThreads names the threads of a cell, if they were set.
func (w words) atThreads(c Cell) string {
	if at := w.r.Grid.index(CPU); at >= 0 {
		return " at cpu=" + c[at]
	}
	return ""
}

// builds says for each other experiment and debug setting what it buys or
// costs.
func (w words) builds() (list []string) {
	ref := w.r.reference()
	base := w.x.cell(ref)
	if base.Time == nil {
		return nil
	}
	for _, at := range w.axes(Experiment, GODEBUG) {
		others := w.varied(ref, []int{at})
		for _, c := range others {
			change := compare(base.Seconds, c.Seconds, alpha/float64(len(others)))
			text := w.named(c.Settings, []int{at})
			switch {
			case !change.Sure:
				text += " makes no difference that is sure" + w.tooFew(base, len(others))
			case change.Ratio < 1:
				text += fmt.Sprintf(" buys %s", percent(1-change.Ratio))
			default:
				text += fmt.Sprintf(" costs %s", percent(change.Ratio-1))
			}
			list = append(list, text)
		}
	}
	return list
}

// axes returns the indexes of those of the axes that the grid has.
func (w words) axes(names ...string) (list []int) {
	for _, name := range names {
		if i := w.r.Grid.index(name); i >= 0 {
			list = append(list, i)
		}
	}
	return list
}

// varied returns the cells that were timed and differ from c in these axes
// only.
func (w words) varied(c Cell, axes []int) (list []*CellResult) {
	for i := range w.x.Cells {
		other := &w.x.Cells[i]
		same := true
		for at := range c {
			same = same && (slices.Contains(axes, at) || other.Settings[at] == c[at])
		}
		if same && other.Time != nil && !slices.Equal(other.Settings, c) {
			list = append(list, other)
		}
	}
	return list
}

// best returns the fastest of the cells that are surely faster than base. The
// more comparisons, the surer that has to be (Bonferroni).
func (w words) best(base *CellResult, others []*CellResult, comparisons int) (best *CellResult, how *Change) {
	for _, c := range others {
		change := compare(base.Seconds, c.Seconds, alpha/float64(comparisons))
		if change.Sure && change.Ratio < 1 && (best == nil || change.Ratio < how.Ratio) {
			best, how = c, change
		}
	}
	return best, how
}

// tooFew says so if no difference could be sure, however large: the least p of
// the U test for two samples of n is 2·n!²/(2n)!.
func (w words) tooFew(base *CellResult, comparisons int) string {
	n := len(base.Seconds)
	least := 2.0
	for i := 1; i <= n; i++ {
		least *= float64(i) / float64(n+i)
	}
	if least < alpha/float64(comparisons) {
		return ""
	}
	return fmt.Sprintf(": %s too few to tell, give a larger -n", areOf(n))
}

// named names the settings of a cell on some axes.
func (w words) named(c Cell, axes []int) string {
	var list []string
	for _, at := range axes {
		if len(w.r.Grid[at].Values) > 1 {
			list = append(list, w.r.Grid[at].Name+"="+c[at])
		}
	}
	return strings.Join(list, " ")
}

// lines says which lines make most of the allocations.
func (w words) lines() []string {
	if w.x.Count == nil || w.x.Count.PerOp < 1 || len(w.x.Count.Lines) == 0 {
		return nil
	}
	var names []string
	share := 0.0
	for _, l := range w.x.Count.Lines {
		if l.Share >= leastShare {
			share += l.Share
			names = append(names, l.String())
		}
	}
	if share < 0.25 {
		return nil
	}
	what := "one line makes"
	if len(names) > 1 {
		what = "two lines make"
	}
	return []string{fmt.Sprintf("%s %s of the allocations: %s", what, percent(share), strings.Join(names, ", "))}
}

// counts says by how much the counts vary, and why.
func (w words) counts() (list []string) {
	if c := w.x.Count; c != nil {
		low, high := slices.Min(c.PerRecord), slices.Max(c.PerRecord)
		if low != high && high >= leastCount {
			list = append(list, fmt.Sprintf("the exact counts of %d runs differ by %s: iterations are not the same, and the runtime allocates for itself",
				len(c.PerRecord), digits((high-low)/high)))
		}
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range w.x.Cells {
		if c.Time != nil {
			low, high = min(low, c.AllocsMin), max(high, c.AllocsMax)
		}
	}
	if low < high {
		list = append(list, fmt.Sprintf("by -benchmem %s to %s allocations per operation over all cells: pools, threads and iterations are not the same",
			figure.Number(low), figure.Number(high)))
	}
	return list
}

// siblings compares benchmarks of one parent: what fewer allocations buy.
func (r *Result) siblings() (list []string) {
	first := map[string]*BenchmarkResult{}
	ref := r.reference()
	for _, x := range r.Benchmarks {
		at := strings.LastIndexByte(x.Name, '/')
		if at < 0 || x.cell(ref).Time == nil || x.Count == nil {
			continue
		}
		group := x.Package + " " + x.Name[:at]
		base := first[group]
		if base == nil {
			first[group] = x
			continue
		}
		change := compare(base.cell(ref).Seconds, x.cell(ref).Seconds, alpha)
		fewer := x.Count.perRecord() < base.Count.perRecord()*0.95 && x.Count.Unit == base.Count.Unit
		if !change.Sure || change.Ratio > 1 || !fewer {
			continue
		}
		w := words{r, base}
		gain := w.gain(w.collector())
		if gain != "" {
			gain += ", "
		}
		list = append(list, fmt.Sprintf("%sfewer allocations%s buy %s: %s makes %s per %s, %s %s",
			gain, w.atThreads(ref), percent(1-change.Ratio), strings.TrimPrefix(x.Name, "Benchmark"), figure.Number(x.Count.perRecord()), x.Count.per(),
			strings.TrimPrefix(base.Name, "Benchmark"), figure.Number(base.Count.perRecord())))
	}
	return list
}

// note says what a reader of all numbers must know.
func (r *Result) note(m *Measured, c Context) {
	if !m.Complete {
		r.Notes = append(r.Notes, "the sweep was interrupted: the numbers are of the turns that were done")
	}
	if m.Turns < 6 {
		r.Notes = append(r.Notes, areOf(m.Turns)+" too few for a 95 % confidence interval; give -n 6 or more")
	}
	if c.Counts != nil && c.Counts.Missing != "" {
		r.Notes = append(r.Notes, "allocations are not counted exactly: "+c.Counts.Missing)
	}
	r.noteLoad()
	if slices.ContainsFunc(m.Series, func(cells []Series) bool {
		return slices.ContainsFunc(cells, func(s Series) bool { return s.First != nil && !s.First.gcKnown() })
	}) {
		r.Notes = append(r.Notes, "GC is left out where the collector says that it took more than the process got: the machine had other work to do")
	}
	var short []string
	for _, x := range r.Benchmarks {
		if cell := x.cell(r.reference()); cell.Time != nil && !cell.Loop {
			short = append(short, strings.TrimPrefix(x.Name, "Benchmark"))
		}
	}
	if len(short) > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("the timed loop of %s is shorter than %d ms, so threads and GC are of the whole process, with its preparation",
			strings.Join(short, ", "), leastLoop.Milliseconds()))
	}
}

// loaded reports whether a benchmark did not get the one processor that it
// wanted, in the first cell.
func (r *Result) loaded(x *BenchmarkResult) bool {
	c := x.Cells[0]
	return c.Threads != nil && *c.Threads < 0.8
}

// noteLoad says so if the machine did not have a processor for a benchmark.
func (r *Result) noteLoad() {
	for _, x := range r.Benchmarks {
		if r.loaded(x) {
			r.Notes = append(r.Notes, fmt.Sprintf("%s used %s processors in the first row: either it waits, or the machine had other work to do, and then times and threads say little",
				strings.TrimPrefix(x.Name, "Benchmark"), short(*x.Cells[0].Threads)))
			return // one is enough to make the reader look
		}
	}
}

// short prints a number below some hundreds with one decimal, or two if it is
// small.
func short(v float64) string {
	if v < 0.095 {
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}

// percent prints a part: "12 %", "0.4 %".
func percent(part float64) string {
	p := part * 100
	switch a := math.Abs(p); {
	case a == 0:
		return "0 %"
	case a < 0.05:
		return "<0.1 %"
	case a < 9.95:
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + " %"
}

// digits prints a part that may be small, with one or two digits.
func digits(part float64) string {
	switch {
	case part >= 0.1:
		return percent(part)
	case part < 0.0001:
		return "less than 0.01 %"
	}
	return strconv.FormatFloat(part*100, 'g', 2, 64) + " %"
}

func areOf(turns int) string {
	return figure.Things(int64(turns), "turn is", "turns are")
}
