// Package workbook reads the cells of XLSX files. The same files come out the same
// from each of three readers, the [Level]s, which differ in how much they allocate.
//
// What a cell shows is read as it was saved: shared, inline and rich text, numbers,
// booleans, errors, ISO dates, and of a formula the value that it had. Number
// formats are not applied, so a date is mostly a Number of days.
package workbook

import (
	"fmt"
	"io"
	"iter"
	"os"
)

// Kind is the type of a cell's value.
type Kind uint8

// The kinds of cell.
const (
	Empty  Kind = iota // no value; the file has the cell for its style
	Number             // as the file has it: "12.5", "1E-3"
	String
	Bool  // "1" or "0"
	Error // "#DIV/0!"
	Date  // ISO 8601, which few programs write
)

func (k Kind) String() string {
	names := [...]string{"empty", "number", "string", "bool", "error", "date"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Cell is one cell of a sheet. Row and Col count from 1.
type Cell struct {
	Row, Col int
	Kind     Kind
	Value    string
}

// Level is one of the three readers.
type Level uint8

const (
	// Naive makes a string of every token of the XML and converts each into
	// another, and an object of every row and cell: some 20 allocations per cell.
	Naive Level = iota
	// Tuned is Naive with two lines changed: names come from a cache of 64 slots,
	// and text is decoded straight from the scan buffer.
	Tuned
	// Best makes strings only of values that are new, keeps them in slabs, and
	// keeps cells as values: less than one allocation per cell.
	Best
)

// Levels are all levels, in order.
func Levels() []Level { return []Level{Naive, Tuned, Best} }

func (l Level) String() string {
	names := [...]string{"naive", "tuned", "best"}
	if int(l) < len(names) {
		return names[l]
	}
	return fmt.Sprintf("Level(%d)", uint8(l))
}

// Options say how a workbook is read. The zero value is Naive on one thread.
type Options struct {
	Level Level
	// ParallelParse parses the sheets on several threads.
	ParallelParse bool
	// ParallelParseThreads is the number of threads for ParallelParse. 0 means the
	// smaller of the sheets and the cores (GOMAXPROCS).
	ParallelParseThreads int
}

// Workbook is a file that was read. It may be used by several goroutines.
type Workbook struct {
	Sheets []*Sheet // worksheets, in the order of their tabs
}

// Sheet is one worksheet.
type Sheet struct {
	Name   string
	cells  cells
	shared []string
}

// Len returns the number of cells that the file has for the sheet, those of kind
// Empty counted.
func (s *Sheet) Len() int { return s.cells.count() }

// Cells returns the cells in the order of the file, which is by rows.
func (s *Sheet) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) { s.cells.each(s.shared, yield) }
}

// Len returns the number of cells of all sheets.
func (w *Workbook) Len() int {
	n := 0
	for _, sheet := range w.Sheets {
		n += sheet.Len()
	}
	return n
}

// Open reads the named file. Errors name the file, the part within it, and what
// is wrong there.
func Open(path string, opts Options) (*Workbook, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	w, err := Read(f, info.Size(), opts)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return w, nil
}

// Read reads a file of this size.
func Read(r io.ReaderAt, size int64, opts Options) (*Workbook, error) {
	if opts.ParallelParseThreads < 0 {
		return nil, fmt.Errorf("ParallelParseThreads is %d: want 0, for the smaller of sheets and cores, or more", opts.ParallelParseThreads)
	}
	parser, err := newParser(opts.Level)
	if err != nil {
		return nil, err
	}
	parts, err := openParts(r, size)
	if err != nil {
		return nil, err
	}
	l := loader{parts: parts, parser: parser, opts: opts}
	return l.load()
}
