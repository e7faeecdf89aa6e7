package main

import (
	"context"
	"io"
	"os"
	"strconv"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/internal/study"
	"github.com/alloctop/alloctop/examples/xlsx/internal/testbook"
)

// session is one run of the study, and what it found.
type session struct {
	ctx context.Context
	options
	books    books
	progress *study.Progress
	log      io.Writer

	hooked bool               // this process counts all the time
	counts *alloccount.Report // a scope for each reader

	loader, churn, tiny []timed
}

// collect makes all numbers.
func (s *session) collect() (err error) {
	s.progress.Step("writing a workbook: %d sheets, %d rows, %d cells", s.size.Sheets, s.size.Rows, s.size.Cells())
	if err := s.books.create(); err != nil {
		return err
	}
	if err := s.count(); err != nil {
		return err
	}
	s.progress.Step("timing the loader, %d rounds if they take no more than 20 seconds", s.rounds)
	if s.loader, err = timeLoader(s.ctx, s.books, s.times()); err != nil {
		return err
	}
	s.progress.Step("timing the tiny file")
	if s.tiny, err = timeTiny(s.ctx, s.books, s.times()); err != nil {
		return err
	}
	s.progress.Step("timing pure allocation")
	if s.churn, err = timeChurn(s.ctx, s.times()); err != nil {
		return err
	}
	s.progress.Step("done")
	return nil
}

// count has the readers counted: here if the program has the counter, else by the
// same program under alloctop.
func (s *session) count() (err error) {
	if s.hooked, err = study.Hooked(); err != nil {
		return err
	}
	if s.hooked {
		s.progress.Step("counting the allocations of %d readers", len(readers()))
		s.counts, err = count(s.ctx, s.books)
		return err
	}
	s.progress.Step("counting the allocations of %d readers, under alloctop; the first time it builds Go's standard library with the counter", len(readers()))
	s.counts, err = study.Recount(s.ctx, s.log, nil, pkg,
		"-count", s.books.dir, "-sheets", strconv.Itoa(s.size.Sheets), "-rows", strconv.Itoa(s.size.Rows))
	if err == nil || s.ctx.Err() != nil {
		return err
	}
	return s.countByProfile(err)
}

// pkg is this program, from the root of the repository.
const pkg = "./examples/xlsx"

// profileRows bounds the workbook that is counted by the runtime's profile, which
// makes a program many times slower.
const profileRows = 500

// countByProfile counts where alloctop cannot, and tells why that is.
func (s *session) countByProfile(why error) (err error) {
	s.progress.Step("counting by the runtime's own profile, since alloctop cannot count here: %v", why)
	dir, err := os.MkdirTemp(s.books.dir, "small")
	if err != nil {
		return err
	}
	small := booksIn(dir, testbook.Size{Sheets: s.size.Sheets, Rows: min(s.size.Rows, profileRows)})
	if err := small.create(); err != nil {
		return err
	}
	if s.counts, err = count(s.ctx, small); err != nil {
		return err
	}
	s.counts.Command = []string{"go", "run", pkg}
	return nil
}

// scope returns what was counted of a reader.
func (s *session) scope(name string) *alloccount.Scope {
	for _, scope := range s.counts.Scopes {
		if scope.Name == name {
			return scope
		}
	}
	return new(alloccount.Scope) // count makes one for every reader
}
