package workbook_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// TestForeignCellsAreThoseOfExcelize reads what spreadsheet programs wrote: our own
// file by LibreOffice, and those that the readers we compare with are tested on,
// by Excel, LibreOffice, Gnumeric, Numbers, WPS Office and Google's.
func TestForeignCellsAreThoseOfExcelize(t *testing.T) {
	cells := 0
	for _, path := range append(foreign(t), "testdata/libreoffice.xlsx") {
		if damaged[filepath.Base(path)] == "" {
			t.Run(filepath.Base(path), func(t *testing.T) { cells += sameAsExcelize(t, path) })
		}
	}
	if cells < 10_000 {
		t.Errorf("%d cells were compared: want 10,000 or more", cells)
	}
}

// damaged are the foreign workbooks that cannot be read, and why. Some readers
// take such a file and leave cells out.
var damaged = map[string]string{
	"badfile_noWorkbookRels.xlsx":             "xl/_rels/workbook.xml.rels: the file has no such part",
	"badfile_noWorksheets.xlsx":               `sheet "Tabelle1": xl/worksheets/sheet1.xml: the file has no such part`,
	"test-shared-strings.xlsx":                "a cell has shared string 117, but the workbook has 3 of them",
	"test-shared-strings-with-r-element.xlsx": "a cell has shared string 117, but the workbook has 3 of them",
	"BadWorkbook.xlsx":                        "xl/workbook.xml: the workbook has no worksheet",
	"encryptAES.xlsx":                         "save it as XLSX without a password",
	"encryptSHA1.xlsx":                        "save it as XLSX without a password",
	"encryptSHA512.xlsx":                      "save it as XLSX without a password",
}

func TestDamagedForeignFilesSayWhy(t *testing.T) {
	found := 0
	for _, path := range foreign(t) {
		want := damaged[filepath.Base(path)]
		if want == "" {
			continue
		}
		found++
		for _, level := range workbook.Levels() {
			if _, err := workbook.Open(path, workbook.Options{Level: level}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %s: %v\nwant %s", level, path, err, want)
			}
		}
	}
	if found != len(damaged) {
		t.Errorf("%d of the %d damaged files were found", found, len(damaged))
	}
}

// foreign are the workbooks among the tests of the modules that we depend on.
func foreign(t *testing.T) []string {
	t.Helper()
	dirs, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}",
		"github.com/tealeg/xlsx/v3", "github.com/thedatashed/xlsxreader", "github.com/xuri/excelize/v2").Output()
	if err != nil {
		t.Fatalf("go list: %v: is this run in the module examples/xlsx?", err)
	}
	var paths []string
	for dir := range strings.Lines(string(dirs)) {
		found, err := filepath.Glob(filepath.Join(strings.TrimSpace(dir), "test*", "*.xlsx"))
		if err != nil || len(found) == 0 {
			t.Fatalf("no workbooks in %s: %v", dir, err)
		}
		for _, path := range found {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if info.Size() < 1<<20 { // two have two million cells, which takes a minute
				paths = append(paths, path)
			}
		}
	}
	return paths
}
