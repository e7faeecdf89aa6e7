package workbook_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/examples/xlsx/internal/testbook"
	"github.com/alloctop/alloctop/examples/xlsx/workbook"
)

// manySheets is a workbook whose sheets have the data given.
func manySheets(data ...string) map[string]string {
	var sheets, rels strings.Builder
	parts := files("", nil)
	for i, data := range data {
		fmt.Fprintf(&sheets, `<sheet name="S%d" sheetId="%d" r:id="s%d"/>`, i, i+1, i)
		fmt.Fprintf(&rels, `<Relationship Id="s%d" Type="x/worksheet" Target="worksheets/s%d.xml"/>`, i, i)
		parts[fmt.Sprintf("xl/worksheets/s%d.xml", i)] = worksheet(data)
	}
	parts["xl/workbook.xml"] = `<workbook xmlns:r="r"><sheets>` + sheets.String() + `</sheets></workbook>`
	parts["xl/_rels/workbook.xml.rels"] = strings.Replace(bookRels, `</Rel`, rels.String()+`</Rel`, 1)
	return parts
}

func TestParallelCellsAreTheSame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book.xlsx")
	if err := testbook.Write(path, testbook.Size{Sheets: 5, Rows: 100}); err != nil {
		t.Fatal(err)
	}
	want := read(t, path, workbook.Options{})
	for _, level := range workbook.Levels() {
		for _, threads := range []int{0, 1, 2, 3, 100} {
			got := read(t, path, workbook.Options{Level: level, ParallelParse: true, ParallelParseThreads: threads})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%v, %d threads: (-serial +parallel)\n%s", level, threads, diff)
			}
		}
	}
}

// read returns the cells of each sheet, which come under the sheet's name.
func read(t *testing.T, path string, opts workbook.Options) map[string][]workbook.Cell {
	t.Helper()
	w, err := workbook.Open(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	cells := make(map[string][]workbook.Cell)
	for _, sheet := range w.Sheets {
		for c := range sheet.Cells() {
			cells[sheet.Name] = append(cells[sheet.Name], c)
		}
		if sheet.Len() != len(cells[sheet.Name]) {
			t.Errorf("%s: Len is %d, but there are %d cells", sheet.Name, sheet.Len(), len(cells[sheet.Name]))
		}
	}
	return cells
}

// TestErrorsAreThoseOfTheFirstSheet has several bad sheets: the first is named, on
// any number of threads.
func TestErrorsAreThoseOfTheFirstSheet(t *testing.T) {
	const good, bad = `<row><c><v>1</v></c></row>`, `<row r="x"/>`
	file := archive(t, manySheets(good, good, bad, good, bad, bad))
	for _, level := range workbook.Levels() {
		for threads := range 8 {
			_, err := cellsOf(file, workbook.Options{Level: level, ParallelParse: threads > 0, ParallelParseThreads: threads})
			if err == nil || err.Error() != `sheet "S2": xl/worksheets/s2.xml: row number "x": want 1 to 1048576` {
				t.Errorf("%v, %d threads: %v", level, threads, err)
			}
		}
	}
}

func TestBadOptions(t *testing.T) {
	file := archive(t, files("", nil))
	for _, c := range []struct {
		opts workbook.Options
		want string
	}{
		{workbook.Options{ParallelParseThreads: -1}, "ParallelParseThreads is -1: want 0, for the smaller of sheets and cores, or more"},
		{workbook.Options{Level: 9}, "unknown level 9: want one of [naive tuned best]"},
	} {
		if _, err := cellsOf(file, c.opts); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v\nwant %s", c.opts, err, c.want)
		}
	}
	if _, err := workbook.Open("testdata/none.xlsx", workbook.Options{}); err == nil || !strings.Contains(err.Error(), "testdata/none.xlsx") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestCellsCanStopEarly stops in the middle of a sheet.
func TestCellsCanStopEarly(t *testing.T) {
	path := "testdata/libreoffice.xlsx"
	for _, level := range workbook.Levels() {
		w, err := workbook.Open(path, workbook.Options{Level: level})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for range w.Sheets[0].Cells() {
			if n++; n == 3 {
				break
			}
		}
		if n != 3 {
			t.Errorf("%v: %d cells", level, n)
		}
	}
}
