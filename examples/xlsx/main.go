// Command xlsx is the study of a spreadsheet reader that more threads did not make
// faster, from the data to the finding:
//
//	go run ./examples/xlsx
//
// It writes a workbook, has alloctop count what three levels of one reader and three
// public readers allocate for a cell, and by which lines, and times the loader on
// one thread and on several.
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
	"os"
	"path/filepath"
	"time"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/internal/study"
	"github.com/alloctop/alloctop/examples/xlsx/internal/testbook"
)

func main() { study.Main("xlsx", run) }

// options are the command line.
type options struct {
	size   testbook.Size
	rounds int
	full   bool   // all rounds, however long they take
	count  string // a directory with the workbooks: only count, and write the report as JSON
}

// times is how often a thing is timed.
func (o options) times() study.Rounds {
	if o.full {
		return study.Rounds{Most: o.rounds}
	}
	return study.Rounds{Most: o.rounds, Within: 20 * time.Second}
}

func parseOptions(args []string, stderr io.Writer) (options, error) {
	o := options{size: testbook.Study}
	fs := flag.NewFlagSet("xlsx", flag.ContinueOnError)
	fs.IntVar(&o.size.Sheets, "sheets", o.size.Sheets, "sheets of the workbook")
	fs.IntVar(&o.size.Rows, "rows", o.size.Rows, "rows of a sheet")
	fs.IntVar(&o.rounds, "rounds", 7, "how often each thing is timed, if that takes no more than 20 seconds")
	fs.BoolVar(&o.full, "full", false, "time all rounds, however long they take")
	fs.StringVar(&o.count, "count", "", "only count, and write the report as JSON: what the study runs under alloctop; the `directory` has its workbooks")
	if err := study.ParseFlags(fs, args, stderr); err != nil {
		return o, err
	}
	if o.size.Sheets < 1 || o.size.Rows < 1 || o.rounds < 1 {
		return o, errors.New("-sheets, -rows and -rounds have to be 1 or more")
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	if o.count != "" {
		return study.CountOnly(stdout, func() (*alloccount.Report, error) { return count(ctx, booksIn(o.count, o.size)) })
	}
	dir, err := os.MkdirTemp("", "xlsx-study")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := &session{ctx: ctx, options: o, books: booksIn(dir, o.size), progress: study.NewProgress(stderr), log: stderr}
	if err := s.collect(); err != nil {
		return err
	}
	return study.Print(stdout, s.write)
}

// books are the workbooks of the study.
type books struct {
	dir         string
	study, tiny string // paths
	size        testbook.Size
}

func booksIn(dir string, size testbook.Size) books {
	return books{dir: dir, study: filepath.Join(dir, "study.xlsx"), tiny: filepath.Join(dir, "tiny.xlsx"), size: size}
}

func (b books) create() error {
	if err := testbook.Write(b.study, b.size); err != nil {
		return err
	}
	return testbook.Write(b.tiny, testbook.Tiny)
}
