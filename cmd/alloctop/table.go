package main

import (
	"errors"
	"fmt"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/internal/benchtable"
)

// tableFlags ask alloctop report for a table of benchmarks instead.
type tableFlags struct {
	table    bool
	baseline string
}

// check says which other flags of report do not go with these.
func (t tableFlags) check(f reportFlags) error {
	switch {
	case !t.table && t.baseline != "":
		return usagef("--baseline goes with --table, the table whose ratios it is for")
	case t.table && (f.json != "" || f.html != "" || f.top > 0 || f.by != "" || f.wall.from != ""):
		return usagef("--table goes with --baseline and --per only; leave it out for --json, --html, --top, --by and --wall")
	}
	return nil
}

// table prints one table of the benchmarks in all files: times from what go test
// -bench printed, counts from reports and profiles of alloctop.
func (a *app) table(files []string, f reportFlags, t tableFlags) error {
	var rows []benchtable.Row
	var counts []*alloccount.Report
	profiles := false
	for _, file := range files {
		r, isProfile, err := a.readTable(&rows, file, f)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if r != nil {
			counts, profiles = append(counts, r), profiles || isProfile
		}
	}
	if len(f.per) > 0 && !profiles {
		return errors.New("--per is for profiles, and there is none: give the one of --pprof beside the benchmarks' output")
	}
	// What was counted goes over what the benchmarks said themselves, whatever
	// the order of the files.
	if len(counts) > 0 {
		rows = benchtable.AddCounts(rows, alloccount.Merge(counts...))
	}
	if len(rows) == 0 {
		return errors.New("there are no benchmarks in these files")
	}
	table, err := benchtable.New(rows, benchtable.Options{Baseline: t.baseline})
	if err != nil {
		return err
	}
	o := textOptions(a.stdout, 0)
	return table.WriteText(a.stdout, benchtable.TextOptions{Width: o.Width, Color: o.Color})
}

// readTable reads one file: it adds the benchmarks of a text to rows, and
// returns the report of another file.
func (a *app) readTable(rows *[]benchtable.Row, file string, f reportFlags) (r *alloccount.Report, isProfile bool, err error) {
	in, err := a.openInput(file)
	if err != nil {
		return nil, false, err
	}
	defer in.Close()
	if in.kind != benchmarkFile {
		if in.kind == reportFile {
			f.per = nil // it is for the profiles among the files
		}
		r, _, err = in.report(f)
		return r, in.kind == profileFile, err
	}
	before := benchtable.Runs(*rows)
	if *rows, err = benchtable.Read(*rows, in); err == nil && benchtable.Runs(*rows) == before {
		err = errors.New("there is no result of a benchmark in it; give what go test -bench printed")
	}
	return nil, false, err
}
