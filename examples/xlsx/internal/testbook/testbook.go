// Package testbook writes the workbooks that the reader is measured and tested on,
// with github.com/xuri/excelize/v2. The same size gives the same cells each time.
package testbook

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// Size is the size of a workbook.
type Size struct {
	Sheets, Rows int
}

// Columns is the number of columns of every sheet: a text, two numbers, a date.
const Columns = 4

// The sizes that are measured.
var (
	// Study is the workbook of the story.
	Study = Size{Sheets: 8, Rows: 5000}
	// Tiny shows what opening a file costs by itself.
	Tiny = Size{Sheets: 1, Rows: 1}
)

// Cells returns the number of cells.
func (s Size) Cells() int { return s.Sheets * s.Rows * Columns }

// words are the texts of a workbook, which repeat as names of products do.
const words = 500

// Write writes a workbook of this size to path.
func Write(path string, size Size) error {
	f := excelize.NewFile()
	defer f.Close()
	date, err := f.NewStyle(&excelize.Style{NumFmt: 14})
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(20, 32))
	texts := texts(rng)
	for i := range size.Sheets {
		name := fmt.Sprintf("Sheet%d", i+1)
		if _, err := f.NewSheet(name); err != nil {
			return err
		}
		if err := writeSheet(f, name, size.Rows, date, texts, rng); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return f.SaveAs(path)
}

func texts(rng *rand.Rand) []string {
	const letters = "abcdefghijklmnopqrstuvwxyzäöüéλж"
	alphabet := []rune(letters)
	texts := make([]string, words)
	for i := range texts {
		var b strings.Builder
		for range 6 + rng.IntN(12) {
			b.WriteRune(alphabet[rng.IntN(len(alphabet))])
		}
		texts[i] = b.String()
	}
	return texts
}

func writeSheet(f *excelize.File, name string, rows, date int, texts []string, rng *rand.Rand) error {
	from := time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC)
	day := func(t time.Time) int {
		return int(t.Sub(time.Date(1899, time.December, 30, 0, 0, 0, 0, time.UTC)).Hours() / 24)
	}
	for row := 1; row <= rows; row++ {
		cells := []any{
			texts[rng.IntN(len(texts))],
			rng.IntN(1000),
			float64(rng.IntN(1_000_000)) / 100,
			day(from.AddDate(0, 0, rng.IntN(2000))),
		}
		if err := f.SetSheetRow(name, fmt.Sprintf("A%d", row), &cells); err != nil {
			return err
		}
	}
	return f.SetCellStyle(name, "D1", fmt.Sprintf("D%d", rows), date)
}
