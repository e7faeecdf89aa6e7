package workbook_test

import (
	"path/filepath"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/alloctop/alloctop/examples/xlsx/internal/testbook"
	"github.com/alloctop/alloctop/examples/xlsx/workbook"
)

// place is where a cell with a value lies.
type place struct {
	sheet    string
	row, col int
}

// values are the cells of a workbook that have a value, as our reader has them.
func values(t *testing.T, w *workbook.Workbook) map[place]string {
	t.Helper()
	got := make(map[place]string)
	for _, sheet := range w.Sheets {
		for c := range sheet.Cells() {
			if c.Value == "" {
				continue
			}
			at := place{sheet.Name, c.Row, c.Col}
			if _, twice := got[at]; twice {
				t.Errorf("%v comes twice", at)
			}
			got[at] = c.Value
		}
	}
	return got
}

// oracle are the cells of a file that have a value, as excelize has them.
func oracle(t *testing.T, path string) map[place]string {
	t.Helper()
	f, err := excelize.OpenFile(path, excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatalf("excelize: %v", err)
	}
	defer f.Close()
	want := make(map[place]string)
	for _, sheet := range f.GetSheetList() {
		rows, err := f.GetRows(sheet)
		if err != nil {
			t.Logf("excelize has no cells of sheet %q: %v", sheet, err)
			continue
		}
		for r, row := range rows {
			for c, value := range row {
				if value != "" {
					want[place{sheet, r + 1, c + 1}] = value
				}
			}
		}
	}
	return want
}

// sameAsExcelize checks every cell of a file at every level, and returns how many
// there are.
func sameAsExcelize(t *testing.T, path string) int {
	t.Helper()
	want := oracle(t, path)
	for _, level := range workbook.Levels() {
		w, err := workbook.Open(path, workbook.Options{Level: level})
		if err != nil {
			t.Errorf("%v: %v", level, err)
			continue
		}
		got := values(t, w)
		for at, value := range want {
			if got[at] != value {
				t.Errorf("%v: %v is %q: excelize has %q", level, at, got[at], value)
			}
		}
		for at, value := range got {
			if _, ok := want[at]; !ok {
				t.Errorf("%v: %v is %q: excelize has nothing there", level, at, value)
			}
		}
	}
	return len(want)
}

func TestGeneratedCellsAreThoseOfExcelize(t *testing.T) {
	size := testbook.Size{Sheets: 3, Rows: 400}
	path := filepath.Join(t.TempDir(), "book.xlsx")
	if err := testbook.Write(path, size); err != nil {
		t.Fatal(err)
	}
	if n := sameAsExcelize(t, path); n != size.Cells() {
		t.Errorf("%d cells were compared: want %d", n, size.Cells())
	}
}

// TestForeignCellsAreThoseOfExcelize reads what spreadsheet programs wrote.
func TestForeignCellsAreThoseOfExcelize(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.xlsx")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files in testdata: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			if sameAsExcelize(t, path) == 0 {
				t.Error("no cells were compared")
			}
		})
	}
}
