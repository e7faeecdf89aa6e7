package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/internal/study"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/document"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/parsers"
	"github.com/alloctop/alloctop/internal/figure"
	"github.com/alloctop/alloctop/internal/texttab"
)

// width is that of the study's text, in columns.
const width = 100

// write writes the study.
func (f *findings) write(w io.Writer) {
	fmt.Fprintf(w, "jsonparse: an object of %d arrays of %s elements, %s\n",
		document.Arrays, figure.Count(int64(f.elements/document.Arrays)), megabytes(float64(f.bytes)))
	fmt.Fprintf(w, "%s %s/%s, %d CPUs\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if len(f.contests) == 0 {
		paragraph(w, "This program was built by alloctop, with the counter in it. So it only counts; for the times: go run ./examples/jsonparse")
		fmt.Fprintln(w)
	} else {
		paragraph(w, f.method())
		fmt.Fprintln(w)
	}
	for _, c := range f.contests {
		f.writeContest(w, c)
	}
	f.writeCounts(w)
	fmt.Fprintln(w, "Finding")
	for _, sentence := range f.sentences() {
		fmt.Fprintln(w, strings.Join(texttab.Wrap("- "+sentence, width, 2), "\n"))
	}
}

// method says how it was timed, and what the columns are.
func (f *findings) method() string {
	s := fmt.Sprintf("Each parse has a process of its own. All are done in turn; figures are medians, rounds: %d. ", len(f.base().rounds))
	if f.measure.name != "time" {
		s += fmt.Sprintf("This machine was busy: %s had a processor for %.0f %% of its time. So contenders are compared by processor time. ",
			parsers.Standard, 100*f.base().median(busy))
	}
	return s + fmt.Sprintf("A ratio is that of the %s to the first row's in the same round. GC is processor time, what the runtime "+
		"estimates for the cycles that ended, idle processors that helped included. Peak memory is that of the process, with the "+
		"document. Allocations are those of an element.", f.measure.name)
}

func paragraph(w io.Writer, text string) {
	fmt.Fprintln(w, strings.Join(texttab.Wrap(text, width, 0), "\n"))
}

// writeContest writes the table of a contest, with a bar for each time.
func (f *findings) writeContest(w io.Writer, c contest) {
	fmt.Fprintln(w, c.title)
	t := texttab.Table{Indent: 2, Width: width, Columns: []texttab.Column{
		{Head: ""}, {Head: "time", Align: texttab.Right}, {Head: "CPU", Align: texttab.Right}, {Head: "ratio", Align: texttab.Decimal},
		{Head: ""}, {Head: "GC", Align: texttab.Right}, {Head: "cycles", Align: texttab.Right},
		{Head: "peak", Align: texttab.Right}, {Head: "allocs", Align: texttab.Decimal},
	}}
	slowest := 0.0
	for _, x := range c.contenders {
		slowest = math.Max(slowest, f.results[x.work()].median(f.measure.of))
	}
	base := f.results[c.contenders[0].work()]
	var notes []string
	for _, x := range c.contenders {
		o := f.results[x.work()]
		if o.failed != nil {
			reason, _, _ := strings.Cut(o.failed.Error(), "\n")
			t.Add(x.name, "failed")
			notes = append(notes, x.name+" failed: "+reason)
			continue
		}
		if x.note != "" {
			notes = append(notes, x.name+": "+x.note)
		}
		t.Add(x.name, figure.Seconds(o.median(wall)), figure.Seconds(o.median(cpu)),
			fmt.Sprintf("%.2fx", o.ratio(base, f.measure.of)), bar(o.median(f.measure.of), slowest), figure.Seconds(o.median(gc)),
			fmt.Sprintf("%.0f", o.median(cycles)), megabytes(o.median(peak)),
			figure.Cell(int64(o.median(objects)), int64(f.elements)))
	}
	fmt.Fprint(w, t.String())
	for _, n := range append(notes, c.missing...) {
		fmt.Fprintln(w, "  "+strings.Join(texttab.Wrap(n, width-2, 4), "\n"))
	}
	fmt.Fprintln(w)
}

// bar draws a time.
func bar(seconds, most float64) string { return texttab.Bar(int64(1e6*seconds), int64(1e6*most), 10) }

// megabytes prints a size as people name that of a document, "60 MB".
func megabytes(n float64) string {
	if n < 10e6 {
		return fmt.Sprintf("%.1f MB", n/1e6)
	}
	return fmt.Sprintf("%.0f MB", n/1e6)
}

// Of each parser so many lines are shown, if they make so much of its allocations.
const (
	shownLines = 4
	shownShare = 0.01
)

// writeCounts writes what each parser allocates, and by which lines.
func (f *findings) writeCounts(w io.Writer) {
	fmt.Fprintln(w, "Where the allocations come from")
	t := texttab.Table{Indent: 2, Width: width, Columns: []texttab.Column{
		{Head: "per element", Align: texttab.Decimal}, {Head: "bytes", Align: texttab.Right}, {Head: "", Cut: texttab.CutRight},
	}}
	for _, c := range f.counts {
		s := c.middle()
		t.Add(figure.Cell(s.Totals.Objects, s.Records), perElement(s.Totals.Requested, s), c.name)
		for _, x := range heaviest(s) {
			t.Add(figure.Cell(x.Objects, s.Records), perElement(x.Requested, s), "  "+place(x))
			if what := study.What(x); what != "" {
				t.AddBelow(texttab.Plain, "    "+what)
			}
		}
	}
	fmt.Fprint(w, t.String())
	for _, line := range f.reconciliation() {
		paragraph(w, line)
	}
	fmt.Fprintln(w)
}

// place names a line, and says of what has none that it is no Go code.
func place(x *alloccount.Site) string {
	switch {
	case x.File != "":
		return study.Place(x)
	case lineless(x):
		return x.Function
	case x.Cause == "":
		return x.Function + " (machine code made at run time)"
	}
	return fmt.Sprintf("%s (machine code made at run time), %s", x.Function, x.Cause)
}

// lineless reports whether a site stands for the objects of which the runtime's
// profile does not know the line.
func lineless(x *alloccount.Site) bool { return x.File == "" && strings.HasPrefix(x.Function, "(") }

// perElement prints how many bytes were asked for.
func perElement(bytes int64, s *alloccount.Scope) string {
	return fmt.Sprintf("%.1f", float64(bytes)/float64(s.Records))
}

// heaviest returns the lines to show of a parser: those of most objects, and where
// the objects are few, those of most bytes.
func heaviest(s *alloccount.Scope) []*alloccount.Site {
	measure, whole := func(x *alloccount.Site) int64 { return x.Objects }, s.Totals.Objects
	if few(s) {
		measure, whole = func(x *alloccount.Site) int64 { return x.Requested }, s.Totals.Requested
	}
	sites := slices.SortedStableFunc(slices.Values(s.Sites), func(a, b *alloccount.Site) int {
		return cmp.Compare(measure(b), measure(a))
	})
	sites = sites[:min(len(sites), shownLines)]
	return slices.DeleteFunc(sites, func(x *alloccount.Site) bool {
		return float64(measure(x)) < shownShare*float64(whole)
	})
}

// few reports whether a parser allocates for the document and not for its elements.
func few(s *alloccount.Scope) bool { return s.Totals.Objects < s.Records/100 }
