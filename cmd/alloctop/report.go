package main

import (
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
)

// report reads pprof files, made by anyone, and JSON reports, and prints the
// report of them.
func (a *app) report(args []string) error {
	var f reportFlags
	set := newFlags("report")
	f.register(set)
	f.wall.register(set)
	var t tableFlags
	set.BoolVar(&t.table, "table", false, "")
	set.StringVar(&t.baseline, "baseline", "", "")
	files, err := parseMixed(set, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return a.help([]string{"report"})
	case err != nil:
		return err
	case len(files) == 0:
		return usagef("report needs a file: a pprof profile of allocations, or - for standard input")
	}
	if err := onlyOnce(files); err != nil {
		return err
	}
	if err := f.checkSource(f.html != ""); err != nil {
		return err
	}
	if err := t.check(f); err != nil {
		return err
	}
	if t.table {
		return a.table(files, f, t)
	}
	if err := checkOutputs(f.outputs(nil, nil)); err != nil {
		return err
	}
	all, p, err := a.readReports(files, &f)
	if err != nil {
		return err
	}
	if err := f.wall.read(a.ctx); err != nil {
		return err
	}
	outs := f.outputs(all, p)
	text := a.stdout
	if toStdout(outs) {
		text = a.stderr
	}
	if err := all.WriteText(text, textOptions(text, f.top)); err != nil {
		return fmt.Errorf("the report was not written: %w", err)
	}
	if err := f.wall.writeText(text, f.top); err != nil {
		return err
	}
	for _, o := range outs {
		if err := o.produce(a.stdout); err != nil {
			return err
		}
	}
	return nil
}

// readReports reads all files into one report, and the profile if there is a
// single one.
func (a *app) readReports(files []string, f *reportFlags) (*alloccount.Report, *profile.Profile, error) {
	var reports []*alloccount.Report
	var p *profile.Profile
	for _, file := range files {
		r, from, err := a.readReport(file, *f)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		}
		f.addHashes(from)
		if reports = append(reports, r); len(files) == 1 {
			p = from
		} else {
			tellApart(r, file)
		}
	}
	return alloccount.Merge(reports...), p, nil
}

// readReport reads one file, "-" for standard input, and the profile in it, nil
// if it is a report.
func (a *app) readReport(file string, f reportFlags) (*alloccount.Report, *profile.Profile, error) {
	in, err := a.openInput(file)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	return in.report(f)
}

// report reads a report or a profile.
func (in *input) report(f reportFlags) (*alloccount.Report, *profile.Profile, error) {
	if in.kind == reportFile {
		if f.by != "" || len(f.per) > 0 {
			return nil, nil, errors.New("--by and --per do not go with a JSON report, which is grouped and divided already; give the profile of --pprof")
		}
		report, err := alloccount.ReadReport(in)
		return report, nil, err
	}
	p, err := alloccount.ReadProfile(in)
	if err != nil && in.kind == benchmarkFile {
		err = fmt.Errorf("%w; what go test -bench printed is read with alloctop report --table", err)
	}
	if err != nil {
		return nil, nil, err
	}
	report, err := alloccount.NewReport(p, alloccount.ReportOptions{By: f.by, Per: f.per})
	if err != nil {
		return nil, nil, err
	}
	for _, s := range report.Scopes {
		if s.Process.Main == "" && s.Name == "profile" {
			s.Name = filepath.Base(in.name)
		}
	}
	return report, p, nil
}

// tellApart notes where the scopes of one of several reports are from. What is a
// report of several itself says so already.
func tellApart(r *alloccount.Report, name string) {
	for _, s := range r.Scopes {
		if s.From != "" {
			s.From = name + ": " + s.From
			continue
		}
		s.From = name
	}
}

// onlyOnce refuses a file that is named twice, whose numbers would be as well.
func onlyOnce(files []string) error {
	for i, file := range files {
		if slices.Contains(files[:i], file) {
			return usagef("%s is given twice", file)
		}
	}
	return nil
}
