// The benchmarks of the study. Run them with
//
//	alloctop --per cells/op -- go test -bench . ./examples/xlsx
package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

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

// BenchmarkChurn does nothing but allocate, on as many threads as -cpu says.
func BenchmarkChurn(b *testing.B) {
	for _, size := range churnSizes {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			for b.Loop() {
				churn(runtime.GOMAXPROCS(0), churned, size)
			}
			b.ReportMetric(churned, "objects/op")
		})
	}
}
