// Command jsonparse is the study of one JSON document under many memory managers,
// from the data to the finding:
//
//	go run ./examples/jsonparse
//
// It makes a document of numbers and texts, parses it under the settings of Go's
// garbage collector and by seven parsers, each time in a process of its own, and
// shows time, peak memory, and the lines that allocate. With -experiments it also
// builds itself with experiments of the Go toolchain, which compiles the standard
// library for each.
//
// Counting needs the counter in the runtime, which slows a program down, so counts
// and times are of two builds: this program runs itself once more under alloctop for
// the counts. Started under alloctop, it only counts.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/alloctop/alloctop/examples/internal/study"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/parsers"
)

func main() { study.Main("jsonparse", run) }

// The size of the study: what fits into two minutes, and that of the story.
const (
	shortElements = 100_000
	fullElements  = 500_000
	storyRounds   = 10
	shortBudget   = 60 * time.Second
)

// options are the command line.
type options struct {
	elements    int // of each array
	rounds      int
	budget      time.Duration // for the rounds, 0 is no end
	experiments bool
	html        string // a page of charts to write

	// What the study runs by itself.
	count bool   // only count, and write the report as JSON
	parse string // only parse once, by this parser, and write what it took as JSON
	file  string // the document to parse
}

func parseOptions(args []string, stderr io.Writer) (options, error) {
	o := options{budget: shortBudget}
	fs := flag.NewFlagSet("jsonparse", flag.ContinueOnError)
	full := fs.Bool("full", false, fmt.Sprintf("the document of the story, of 60 MB, -elements %d, and all rounds however long they take", fullElements))
	fs.IntVar(&o.elements, "elements", shortElements, "elements of each of the ten arrays")
	fs.IntVar(&o.rounds, "rounds", storyRounds, "how often each thing is timed")
	fs.BoolVar(&o.experiments, "experiments", false, "build with experiments of the Go toolchain too, about a minute for each when it is the first time")
	fs.StringVar(&o.html, "html", "", "also sweep the benchmarks of all parsers over GOGC, and write a page of charts to this `file`; takes another minute")
	fs.BoolVar(&o.count, "count", false, "only count, and write the report as JSON: what the study runs under alloctop")
	fs.StringVar(&o.parse, "parse", "", "only parse once by the `parser` of this name, and write what it took as JSON: what the study runs in turn")
	fs.StringVar(&o.file, "file", "", "the document for -parse")
	if err := study.ParseFlags(fs, args, stderr); err != nil {
		return o, err
	}
	given := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if *full {
		o.budget = 0
		if !given["elements"] {
			o.elements = fullElements
		}
	}
	if o.elements < 1 || o.rounds < 1 {
		return o, errors.New("-elements and -rounds have to be 1 or more")
	}
	if given["parse"] != given["file"] {
		return o, errors.New("-parse and -file go together")
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	switch {
	case err != nil:
		return err
	case o.parse != "":
		return parseOnce(stdout, o.parse, o.file)
	case o.count:
		report, err := count(ctx, parsers.All(), o.elements)
		if err != nil {
			return err
		}
		return report.WriteJSON(stdout)
	}
	return runStudy(ctx, o, stdout, stderr)
}
