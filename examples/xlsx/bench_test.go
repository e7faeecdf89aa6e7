// The benchmarks of the study: what three levels of one reader, and three public
// readers, allocate for a cell. Run them with
//
//	alloctop --per cells/op -- go test -bench . ./examples/xlsx
package main

import (
	"path/filepath"
	"testing"

	"github.com/tealeg/xlsx/v3"
	"github.com/thedatashed/xlsxreader"
	"github.com/xuri/excelize/v2"

	"github.com/alloctop/alloctop/examples/xlsx/internal/testbook"
	"github.com/alloctop/alloctop/examples/xlsx/workbook"
)

// book writes a workbook outside the timed region and returns its path.
func book(b *testing.B, size testbook.Size) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "book.xlsx")
	if err := testbook.Write(path, size); err != nil {
		b.Fatal(err)
	}
	return path
}

// read reports the cells that one call of do returns.
func read(b *testing.B, want int, do func() (cells int, err error)) {
	b.Helper()
	for b.Loop() {
		cells, err := do()
		if err != nil {
			b.Fatal(err)
		}
		if cells != want {
			b.Fatalf("%d cells: want %d", cells, want)
		}
	}
	b.ReportMetric(float64(want), "cells/op")
}

func BenchmarkRead(b *testing.B) {
	path := book(b, testbook.Study)
	for _, level := range workbook.Levels() {
		b.Run(level.String(), func(b *testing.B) {
			read(b, testbook.Study.Cells(), func() (int, error) {
				return readOurs(path, workbook.Options{Level: level})
			})
		})
	}
}

// BenchmarkParallel parses the sheets on as many threads as -cpu says.
func BenchmarkParallel(b *testing.B) {
	path := book(b, testbook.Study)
	for _, level := range workbook.Levels() {
		b.Run(level.String(), func(b *testing.B) {
			read(b, testbook.Study.Cells(), func() (int, error) {
				return readOurs(path, workbook.Options{Level: level, ParallelParse: true})
			})
		})
	}
}

// BenchmarkTiny shows the fixed cost of an open.
func BenchmarkTiny(b *testing.B) {
	path := book(b, testbook.Tiny)
	for _, level := range workbook.Levels() {
		b.Run(level.String(), func(b *testing.B) {
			read(b, testbook.Tiny.Cells(), func() (int, error) {
				return readOurs(path, workbook.Options{Level: level})
			})
		})
	}
	for _, lib := range libraries {
		b.Run(lib.name, func(b *testing.B) {
			read(b, testbook.Tiny.Cells(), func() (int, error) { return lib.read(path) })
		})
	}
}

// BenchmarkLibrary reads the same workbook by what others wrote.
func BenchmarkLibrary(b *testing.B) {
	path := book(b, testbook.Study)
	for _, lib := range libraries {
		b.Run(lib.name, func(b *testing.B) {
			read(b, testbook.Study.Cells(), func() (int, error) { return lib.read(path) })
		})
	}
}

func readOurs(path string, opts workbook.Options) (cells int, err error) {
	w, err := workbook.Open(path, opts)
	if err != nil {
		return 0, err
	}
	return w.Len(), nil
}

// libraries are public readers, each used as its documentation shows for reading
// all cells. They return the number of cells.
var libraries = []struct {
	name string
	read func(path string) (int, error)
}{
	{"excelize", readExcelize},
	{"tealeg", readTealeg},
	{"xlsxreader", readXlsxreader},
}

func readExcelize(path string) (cells int, err error) {
	f, err := excelize.OpenFile(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for _, sheet := range f.GetSheetList() {
		rows, err := f.GetRows(sheet)
		if err != nil {
			return 0, err
		}
		for _, row := range rows {
			cells += len(row)
		}
	}
	return cells, nil
}

func readTealeg(path string) (cells int, err error) {
	f, err := xlsx.OpenFile(path)
	if err != nil {
		return 0, err
	}
	for _, sheet := range f.Sheets {
		err := sheet.ForEachRow(func(row *xlsx.Row) error {
			return row.ForEachCell(func(cell *xlsx.Cell) error {
				cells++
				return nil
			})
		})
		if err != nil {
			return 0, err
		}
		sheet.Close()
	}
	return cells, nil
}

func readXlsxreader(path string) (cells int, err error) {
	f, err := xlsxreader.OpenFile(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for _, sheet := range f.Sheets {
		for row := range f.ReadRows(sheet) {
			if row.Error != nil {
				return 0, row.Error
			}
			cells += len(row.Cells)
		}
	}
	return cells, nil
}
