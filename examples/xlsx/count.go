package main

import (
	"context"
	"fmt"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/xlsx/internal/testbook"
	"github.com/alloctop/alloctop/examples/xlsx/workbook"
	"github.com/alloctop/alloctop/sizeclass"
)

// A reader reads all cells of a file on one thread.
type reader struct {
	name   string
	module string // "" for our own
	read   func(path string) (cells int, err error)
}

// readers are the levels of our own, and then the public ones.
func readers() []reader {
	var all []reader
	for _, level := range workbook.Levels() {
		all = append(all, reader{level.String(), "", func(path string) (int, error) {
			return readOurs(path, workbook.Options{Level: level})
		}})
	}
	for _, lib := range libraries {
		all = append(all, reader{lib.name, lib.module, lib.read})
	}
	return all
}

// countedRuns is how often each reader is counted: counts that vary have to be seen.
const countedRuns = 3

// Before the reader's name in scopes.
const (
	tinyPrefix = "tiny/" // of the tiny file
	ownPrefix  = "own/"  // with the lines of the library itself
)

// count counts all readers on both workbooks, in scopes that have the readers' names.
// It has the best engine that this program has.
func count(ctx context.Context, b books) (*alloccount.Report, error) {
	var reports []*alloccount.Report
	for _, r := range readers() {
		report, err := countReader(ctx, r, b.study, b.size)
		if err != nil {
			return nil, err
		}
		report.Scope.Unit = "cells"
		reports = append(reports, report)
		if r.module != "" {
			reports = append(reports, own(report, r.module))
		}
	}
	for _, r := range readers() {
		r.name = tinyPrefix + r.name
		report, err := countReader(ctx, r, b.tiny, testbook.Tiny)
		if err != nil {
			return nil, err
		}
		report.Scope.Records = 0 // an open is what counts here
		reports = append(reports, report)
	}
	return alloccount.Merge(reports...), nil
}

// own returns a report with the lines of a module alone.
func own(report *alloccount.Report, module string) *alloccount.Report {
	scope := *report.Scope
	scope.Name, scope.Runtime = ownPrefix+scope.Name, nil // it is in the sum of all once
	scope.Sites = ownLines(report.Profile, module)
	return &alloccount.Report{Engine: report.Engine, Go: report.Go, Scopes: []*alloccount.Scope{&scope}}
}

func countReader(ctx context.Context, r reader, path string, size testbook.Size) (*alloccount.Report, error) {
	o := alloccount.MeasureOptions{
		Label: r.name, Runs: countedRuns, Context: ctx,
		Sizes: []sizeclass.Bound{8, 16, 32, 64, 128, sizeclass.Large},
	}
	return o.Measure(func() (int, error) {
		cells, err := r.read(path)
		if err == nil && cells != size.Cells() {
			err = fmt.Errorf("%s: %d cells: want %d", r.name, cells, size.Cells())
		}
		return cells, err
	})
}
