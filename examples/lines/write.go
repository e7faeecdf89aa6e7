package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/internal/study"
	"github.com/alloctop/alloctop/examples/lines/pipeline"
	"github.com/alloctop/alloctop/internal/benchtable"
	"github.com/alloctop/alloctop/internal/figure"
	"github.com/alloctop/alloctop/internal/texttab"
)

// write prints the study.
func (s *session) write(w io.Writer) error {
	fmt.Fprintf(w, "%s lines through a buffered pipe. %s %s/%s, %d CPUs.\n\n",
		figure.Count(int64(s.lines)), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	shapes := &texttab.Table{Columns: []texttab.Column{{}, {}}}
	for _, v := range pipeline.Variants() {
		shapes.Add(v.Name, v.What)
	}
	fmt.Fprint(w, shapes)
	study.Heading(w, fmt.Sprintf("%d shapes, %d readers", len(pipeline.Variants()), s.readers))
	if err := s.table(w); err != nil {
		return err
	}
	study.Heading(w, "The number of readers; speed against one loop, serial")
	fmt.Fprint(w, s.sweep())
	study.Heading(w, "Allocations by line")
	if err := s.counts.WriteText(w, alloccount.TextOptions{Width: study.Width, Top: 3}); err != nil {
		return err
	}
	study.Finding(w, s.finding())
	return nil
}

// table compares the shapes with the first: times, collections and bytes of a plain
// build, allocations as alloctop counted them.
func (s *session) table(w io.Writer) error {
	var rows []benchtable.Row
	for _, v := range pipeline.Variants() {
		row := benchtable.Row{Name: v.Name, Unit: "lines", Allocs: []float64{s.scope(v.Name).PerRecord()}}
		for _, run := range s.of(v.Name).runs {
			row.Seconds = append(row.Seconds, run.Wall.Seconds())
			row.GCs = append(row.GCs, float64(run.GCs))
			row.Bytes = append(row.Bytes, float64(run.Bytes))
		}
		rows = append(rows, row)
	}
	t, err := benchtable.New(rows, benchtable.Options{})
	if err != nil {
		return err
	}
	return t.WriteText(w, benchtable.TextOptions{Width: study.Width})
}

// sweep says how times change with the number of readers, compared with one loop.
func (s *session) sweep() *texttab.Table {
	t := &texttab.Table{Width: study.Width, Columns: []texttab.Column{
		{Head: "shape"},
		{Head: "readers", Align: texttab.Right},
		{Head: "time", Align: texttab.Right},
		{Head: "CPU", Align: texttab.Right},
		{Head: "threads busy", Align: texttab.Right},
		{Head: "speed", Align: texttab.Right},
		{},
	}}
	serial := s.of("serial").runs
	for _, row := range s.times {
		speed := study.SpeedUp(serial, row.runs)
		t.Add(row.variant.Name, row.number(), figure.Seconds(study.Median(row.runs, study.Seconds)),
			figure.Seconds(study.Median(row.runs, study.CPUSeconds)), fmt.Sprintf("%.2f", study.Median(row.runs, study.Busy)),
			fmt.Sprintf("%.2fx", speed), texttab.Bar(int64(speed*1000), 2000, 40))
	}
	return t
}

// number is how many readers there were, if there was a choice.
func (t timed) number() string {
	if t.variant.Alone {
		return ""
	}
	return figure.Count(int64(t.readers))
}
