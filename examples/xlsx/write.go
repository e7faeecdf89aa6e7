package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/internal/study"
	"github.com/alloctop/alloctop/internal/figure"
	"github.com/alloctop/alloctop/internal/texttab"
)

// write prints the study.
func (s *session) write(w io.Writer) error {
	fmt.Fprintf(w, "A workbook of %d sheets, %s rows each, %d columns: %s cells. %s %s/%s, %d CPUs.\n",
		s.size.Sheets, figure.Count(int64(s.size.Rows)), s.size.Cells()/s.size.Sheets/s.size.Rows, figure.Count(int64(s.size.Cells())),
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	study.Heading(w, "Allocations per cell: one reader in three levels")
	if err := s.levels().WriteText(w, alloccount.TextOptions{Width: study.Width, Top: 3}); err != nil {
		return err
	}
	study.Heading(w, "Allocations per cell: public readers, each with its two heaviest lines")
	fmt.Fprint(w, s.libraries())
	fmt.Fprint(w, "\nThe same allocations by the lines of the libraries themselves, with all that a line calls elsewhere:\n\n")
	fmt.Fprint(w, s.ownLines())
	study.Heading(w, "The fixed cost of an open: a file of one row")
	fmt.Fprint(w, s.tinyTable())
	study.Heading(w, "More threads: loading the workbook")
	fmt.Fprint(w, threadTable("level", s.loader))
	study.Heading(w, fmt.Sprintf("More threads: pure allocation, %s objects", figure.Count(churned)))
	fmt.Fprint(w, threadTable("object", s.churn))
	study.Finding(w, s.finding())
	return nil
}

// levels is the report of our own readers alone, as alloctop prints it.
func (s *session) levels() *alloccount.Report {
	report := *s.counts
	report.Scopes = nil
	for _, r := range readers() {
		if r.module == "" {
			report.Scopes = append(report.Scopes, s.scope(r.name))
		}
	}
	report.Scope = report.Scopes[0]
	return &report
}

// libraries is the table of the public readers.
func (s *session) libraries() *texttab.Table {
	t := &texttab.Table{Width: study.Width, Columns: []texttab.Column{
		{Head: "reader"},
		{Head: "per cell", Align: texttab.Decimal},
		{Head: "bytes", Align: texttab.Right},
		{Head: "≤ 32 B", Align: texttab.Right},
		{Head: "share", Align: texttab.Right},
		{Head: "heaviest lines", Cut: texttab.CutLeft},
	}}
	for _, r := range readers() {
		if r.module == "" {
			continue
		}
		scope := s.scope(r.name)
		cells := []string{r.name, figure.Ratio(scope.Totals.Objects, scope.Records), bytesPerRecord(scope), smallShare(scope)}
		for _, site := range scope.Sites[:min(2, len(scope.Sites))] {
			t.Add(append(cells, figure.Percent(site.Objects, scope.Totals.Objects, 1), study.Place(site))...)
			t.AddBelow(texttab.Plain, texttab.CutRight(study.What(site), t.Room()))
			cells = []string{"", "", "", ""}
		}
	}
	return t
}

// ownLines is the table of what the libraries themselves could change.
func (s *session) ownLines() *texttab.Table {
	t := &texttab.Table{Width: study.Width, Columns: []texttab.Column{
		{Head: "reader"},
		{Head: "per cell", Align: texttab.Decimal},
		{Head: "share", Align: texttab.Right},
		{Head: "line", Cut: texttab.CutLeft},
	}}
	for _, r := range readers() {
		if r.module == "" {
			continue
		}
		scope, name := s.scope(ownPrefix+r.name), r.name
		for _, site := range scope.Sites[:min(2, len(scope.Sites))] {
			t.Add(name, figure.Cell(site.Objects, scope.Records), figure.Percent(site.Objects, scope.Totals.Objects, 1),
				study.Place(site)+" "+study.What(site))
			name = ""
		}
	}
	return t
}

// bytesPerRecord is how much memory a record takes.
func bytesPerRecord(s *alloccount.Scope) string {
	if s.Records == 0 {
		return ""
	}
	return figure.Bytes(float64(s.Totals.Bytes) / float64(s.Records))
}

// smallShare is the share of objects of 32 bytes or less.
func smallShare(s *alloccount.Scope) string {
	return figure.Percent(small(s), s.Totals.Objects, 1)
}

// small counts the objects of 32 bytes or less.
func small(s *alloccount.Scope) (n int64) {
	for _, c := range s.SizeClasses {
		if c.Max <= 32 {
			n += c.Objects
		}
	}
	return n
}

// tinyTable says what an open costs.
func (s *session) tinyTable() *texttab.Table {
	t := &texttab.Table{Width: study.Width, Columns: []texttab.Column{
		{Head: "reader"},
		{Head: "allocations", Align: texttab.Decimal},
		{Head: "bytes", Align: texttab.Right},
		{Head: "time", Align: texttab.Right},
		{Head: "share", Align: texttab.Right},
		{Head: "heaviest line", Cut: texttab.CutLeft},
	}}
	for _, row := range s.tiny {
		scope := s.scope(tinyPrefix + row.name)
		cells := []string{row.name, figure.Ratio(scope.Totals.Objects, countedRuns), figure.Bytes(float64(scope.Totals.Bytes) / countedRuns),
			figure.Seconds(study.Median(row.runs, study.Seconds) / opens)}
		if len(scope.Sites) > 0 {
			site := scope.Sites[0]
			cells = append(cells, figure.Percent(site.Objects, scope.Totals.Objects, 1), study.Place(site))
		}
		t.Add(cells...)
	}
	return t
}

// threadTable says how times change with threads.
func threadTable(what string, rows []timed) *texttab.Table {
	t := &texttab.Table{Width: study.Width, Columns: []texttab.Column{
		{Head: what},
		{Head: "threads", Align: texttab.Right},
		{Head: "time", Align: texttab.Right},
		{Head: "speed-up", Align: texttab.Right},
		{Head: "threads busy", Align: texttab.Right},
		{Head: "GC cycles", Align: texttab.Right},
		{},
	}}
	for _, row := range rows {
		t.Add(row.name, figure.Count(int64(row.threads)), figure.Seconds(study.Median(row.runs, study.Seconds)),
			fmt.Sprintf("%.2fx", row.speedUp), fmt.Sprintf("%.2f", study.Median(row.runs, study.Busy)),
			figure.Count(int64(study.Median(row.runs, func(r study.Run) float64 { return float64(r.GCs) }))),
			texttab.Bar(int64(row.speedUp*1000), int64(row.threads)*1000, 20)+"|")
	}
	return t
}
