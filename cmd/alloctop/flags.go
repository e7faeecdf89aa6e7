package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
)

// reportFlags say how a report is made and where it goes.
type reportFlags struct {
	json, html, pprof string
	top               int
	by                alloccount.By
	per               []alloccount.Per
	all               bool
	source            bool
	hashes            map[string]string // of source files at run time
	wall              wallFlag
}

func (f *reportFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.json, "json", "", "")
	fs.StringVar(&f.html, "html", "", "")
	fs.BoolVar(&f.source, "source", false, "")
	f.registerGrouping(fs)
	fs.Func("top", "", func(s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return errors.New("it takes a number of lines, 1 or more")
		}
		f.top = n
		return nil
	})
}

// registerGrouping registers what decides which numbers a report has.
func (f *reportFlags) registerGrouping(fs *flag.FlagSet) {
	fs.Func("by", "", func(s string) error {
		f.by = alloccount.By(s)
		if f.by != alloccount.ByAllocation && f.by != alloccount.ByUser {
			return errors.New("it takes allocation or user")
		}
		return nil
	})
	fs.Func("per", "", func(s string) error {
		p, err := alloccount.ParsePer(s)
		f.per = append(f.per, p)
		return err
	})
}

// outputs are the files that were asked for; p may be nil.
func (f *reportFlags) outputs(r *alloccount.Report, p *profile.Profile) (outs []output) {
	if f.json != "" {
		outs = append(outs, output{"json", f.json, func(w io.Writer) error { return r.WriteJSON(w) }})
	}
	if f.html != "" {
		outs = append(outs, output{"html", f.html, f.page(r, p).WriteHTML})
	}
	if f.pprof != "" {
		outs = append(outs, output{"pprof", f.pprof, func(w io.Writer) error { return alloccount.WriteProfile(w, p) }})
	}
	return outs
}

// newFlags returns a flag set that says nothing by itself.
func newFlags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return fs
}

// parseFlags parses flags up to the first word that is none, or up to and with
// "--", and tells which of the two it was.
func parseFlags(fs *flag.FlagSet, args []string) (rest []string, dashes bool, err error) {
	if err := fs.Parse(args); err != nil {
		return nil, false, flagError(fs, err)
	}
	rest = fs.Args()
	at := len(args) - len(rest)
	return rest, at > 0 && args[at-1] == "--", nil
}

// parseMixed parses flags that may stand between the other words.
func parseMixed(fs *flag.FlagSet, args []string) (words []string, err error) {
	for {
		rest, dashes, err := parseFlags(fs, args)
		if err != nil {
			return nil, err
		}
		if dashes || len(rest) == 0 {
			return append(words, rest...), nil
		}
		words, args = append(words, rest[0]), rest[1:]
	}
}

// flagError turns what package flag says into what a user of --name reads.
func flagError(fs *flag.FlagSet, err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		if near := nearest(fs, name); near != "" {
			return usagef("unknown flag --%s; did you mean --%s?", name, near)
		}
		return usagef("unknown flag --%s; alloctop help lists them", name)
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return usagef("--%s needs a value", name)
	}
	if value, rest, ok := strings.Cut(strings.TrimPrefix(text, "invalid value "), " for flag -"); ok {
		if name, why, ok := strings.Cut(rest, ": "); ok {
			return usagef("--%s %s: %s", name, value, why)
		}
	}
	return usageError(text)
}

// nearest returns the flag whose name is least edits away from name, "" if all
// are far.
func nearest(fs *flag.FlagSet, name string) string {
	best, near := "", 1+max(1, len(name)/2)
	fs.VisitAll(func(f *flag.Flag) {
		if d := distance(name, f.Name); d < near {
			best, near = f.Name, d
		}
	})
	return best
}

// distance counts the letters to be inserted, removed, replaced or swapped with
// their neighbour to make b of a.
func distance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := d[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			d[i][j] = min(change, d[i-1][j]+1, d[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// quoteList writes names for a sentence.
func quoteList(names []string) string {
	quoted := slices.Clone(names)
	for i, n := range quoted {
		quoted[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(quoted, ", ")
}
