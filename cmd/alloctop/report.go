package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/alloctop/alloctop/alloccount"
)

// report reads pprof files, made by anyone, and JSON reports, and prints the
// report of them.
func (a *app) report(args []string) error {
	var f reportFlags
	set := newFlags("report")
	f.register(set)
	files, err := parseMixed(set, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return a.help([]string{"report"})
	case err != nil:
		return err
	case len(files) == 0:
		return usagef("report needs a file: a pprof profile of allocations, or - for standard input")
	}
	var outs []output
	var all *alloccount.Report
	if f.json != "" {
		outs = []output{{"json", f.json, func(w io.Writer) error { return all.WriteJSON(w) }}}
	}
	if err := checkOutputs(outs); err != nil {
		return err
	}
	for _, file := range files {
		r, err := a.readReport(file, f)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		all = merge(all, r)
	}
	text := a.stdout
	if toStdout(outs) {
		text = a.stderr
	}
	if err := all.WriteText(text, textOptions(text, f.top)); err != nil {
		return fmt.Errorf("the report was not written: %w", err)
	}
	for _, o := range outs {
		if err := o.produce(a.stdout); err != nil {
			return err
		}
	}
	return nil
}

// readReport reads one file, "-" for standard input.
func (a *app) readReport(file string, f reportFlags) (*alloccount.Report, error) {
	in := a.stdin
	if file != "-" {
		opened, err := os.Open(file)
		if err != nil {
			var path *fs.PathError
			if errors.As(err, &path) {
				err = path.Err
			}
			return nil, err
		}
		defer opened.Close()
		in = opened
	}
	r := bufio.NewReader(in)
	if start, _ := r.Peek(1); string(start) == "{" {
		return alloccount.ReadReport(r)
	}
	p, err := alloccount.ReadProfile(r)
	if err != nil {
		return nil, err
	}
	report, err := alloccount.NewReport(p, alloccount.ReportOptions{By: f.by, Per: f.per})
	if err != nil {
		return nil, err
	}
	for _, s := range report.Scopes {
		if s.Process.Main == "" && s.Name == "profile" {
			s.Name = filepath.Base(file)
		}
	}
	return report, nil
}

// merge puts the scopes of two reports into one.
func merge(all, r *alloccount.Report) *alloccount.Report {
	if all == nil {
		return r
	}
	if all.Engine != r.Engine {
		all.Engine = alloccount.Sampled
	}
	if all.Go != r.Go {
		all.Go = ""
	}
	all.Scopes = append(all.Scopes, r.Scopes...)
	all.Notes = append(all.Notes, r.Notes...)
	return all
}
