// Command lines is the study of a pipeline of lines, from the data to the finding:
//
//	go run ./examples/lines
//
// 400,000 lines come through a buffered pipe. A task for each, gathered in a list, is
// compared with a channel and three readers, and with what a Go engineer would try
// then; the number of readers is swept.
//
// Counting needs the counter in the runtime, which slows a program down, so counts
// and times are of two builds: this program runs itself once more under alloctop for
// the counts. Started under alloctop, it does all in one.
package main

import (
	"context"
	"errors"
	"flag"
	"io"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/internal/study"
)

func main() { study.Main("lines", run) }

// The size of the study, which is that of the story.
const (
	defaultLines   = 400_000
	defaultReaders = 3
)

// options are the command line.
type options struct {
	lines   int
	readers int
	rounds  int
	full    bool // all rounds, however long they take
	count   bool // only count, and write the report as JSON
}

func parseOptions(args []string, stderr io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("lines", flag.ContinueOnError)
	fs.IntVar(&o.lines, "lines", defaultLines, "lines that come through the pipe")
	fs.IntVar(&o.readers, "readers", defaultReaders, "readers that the shapes are compared with")
	fs.IntVar(&o.rounds, "rounds", 7, "how often each shape is timed, if that takes no more than a minute")
	fs.BoolVar(&o.full, "full", false, "time all rounds, however long they take")
	fs.BoolVar(&o.count, "count", false, "only count, and write the report as JSON: what the study runs under alloctop")
	if err := study.ParseFlags(fs, args, stderr); err != nil {
		return o, err
	}
	if o.lines < 1 || o.readers < 1 || o.rounds < 1 {
		return o, errors.New("-lines, -readers and -rounds have to be 1 or more")
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	if o.count {
		return study.CountOnly(stdout, func() (*alloccount.Report, error) { return count(ctx, o) })
	}
	s := &session{ctx: ctx, options: o, progress: study.NewProgress(stderr), log: stderr}
	if err := s.collect(); err != nil {
		return err
	}
	return study.Print(stdout, s.write)
}
