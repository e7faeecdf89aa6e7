package workbook_test

import (
	"archive/zip"
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/examples/xlsx/workbook"
)

// A minimal workbook: one sheet, whose data a test gives.
const (
	rootRels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`
	book = `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">` +
		`<sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`
	bookRels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>`
	sst = `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>zero</t></si><si><t>one</t></si></sst>`
)

func worksheet(data string) string {
	return `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>` + data + `</sheetData></worksheet>`
}

// files returns the parts of a workbook with this sheet data, some replaced; an
// empty part is left out.
func files(data string, replaced map[string]string) map[string]string {
	parts := map[string]string{
		"_rels/.rels":                rootRels,
		"xl/workbook.xml":            book,
		"xl/_rels/workbook.xml.rels": bookRels,
		"xl/sharedStrings.xml":       sst,
		"xl/worksheets/sheet1.xml":   worksheet(data),
	}
	maps.Copy(parts, replaced)
	return parts
}

func archive(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if parts[name] == "" {
			continue
		}
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(parts[name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// cellsOf returns the cells of all sheets, read at one level.
func cellsOf(file []byte, opts workbook.Options) ([]workbook.Cell, error) {
	w, err := workbook.Read(bytes.NewReader(file), int64(len(file)), opts)
	if err != nil {
		return nil, err
	}
	var cells []workbook.Cell
	for _, sheet := range w.Sheets {
		cells = slices.AppendSeq(cells, sheet.Cells())
	}
	return cells, nil
}

// wantCells checks the cells of a workbook at every level.
func wantCells(t *testing.T, parts map[string]string, want ...workbook.Cell) {
	t.Helper()
	file := archive(t, parts)
	for _, level := range workbook.Levels() {
		got, err := cellsOf(file, workbook.Options{Level: level})
		if err != nil {
			t.Errorf("%v: %v", level, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v: (-want +got)\n%s", level, diff)
		}
	}
}

// wantError checks that a file cannot be read, at any level, and why.
func wantError(t *testing.T, file []byte, want string) {
	t.Helper()
	for _, level := range workbook.Levels() {
		if _, err := cellsOf(file, workbook.Options{Level: level}); err == nil || err.Error() != want {
			t.Errorf("%v: %v\n  want %s", level, err, want)
		}
	}
}
