package workbook_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/examples/xlsx/workbook"
)

// levelsAgree reads a file at every level: all return the same cells, or none do.
func levelsAgree(t *testing.T, file []byte) {
	t.Helper()
	want, wantErr := cellsOf(file, workbook.Options{})
	for _, level := range workbook.Levels()[1:] {
		got, err := cellsOf(file, workbook.Options{Level: level})
		if (err == nil) != (wantErr == nil) {
			t.Errorf("%v: %v\nnaive: %v", level, err, wantErr)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v: (-naive +%v)\n%s", level, level, diff)
		}
	}
}

// FuzzSheet has any document as a sheet and as the shared strings.
func FuzzSheet(f *testing.F) {
	f.Add([]byte(worksheet(`<row r="2" spans="1:2"><c r="A2" s="1" t="s"><v>0</v></c><c t="inlineStr"><is><r><t>_x0041_</t></r></is></c></row>`)), []byte(sst))
	f.Add([]byte(worksheet(`<row><c t="str"><f>A1</f><v><![CDATA[_x0041_]]>&amp;</v></c><c r="XFD9"/><c/></row>`)), []byte(wide(sst)))
	f.Add([]byte(wide(worksheet(`<x:row/><row r="7"><x:c x:r="b7" t="b"><v>1<v/>2</v><v>3</v></x:c></row>`))), []byte(`<sst/>`))
	f.Fuzz(func(t *testing.T, sheet, shared []byte) {
		levelsAgree(t, archive(t, files("", map[string]string{
			"xl/worksheets/sheet1.xml": string(sheet),
			"xl/sharedStrings.xml":     string(shared),
		})))
	})
}

// FuzzFile has any bytes as a file.
func FuzzFile(f *testing.F) {
	f.Add(archive(f, files(`<row><c><v>1</v></c></row>`, nil)))
	file, err := os.ReadFile("testdata/libreoffice.xlsx")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Fuzz(func(t *testing.T, file []byte) { levelsAgree(t, file) })
}
