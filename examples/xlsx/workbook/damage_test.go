package workbook_test

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
	"testing"

	"github.com/alloctop/alloctop/examples/xlsx/workbook"
)

func TestDamagedSheets(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{`<row r="0"/>`, `row number "0": want 1 to 1048576`},
		{`<row r="x"/>`, `row number "x": want 1 to 1048576`},
		{`<row r="1048577"/>`, `row 1048577: a sheet has 1048576`},
		{`<row r="1048576"/><row/>`, `row 1048577: a sheet has 1048576`},
		{`<row><c r="7"/></row>`, `cell reference "7": want one like B7`},
		{`<row><c r="B"/></row>`, `cell reference "B": want one like B7`},
		{`<row><c r="A0"/></row>`, `cell reference "A0": want one like B7`},
		{`<row><c r="XFE1"/></row>`, `cell reference "XFE1": want one like B7`},
		{`<row><c r="A99999999999999999999"/></row>`, `cell reference "A99999999999999999999": want one like B7`},
		{`<row><c r="XFD1"/><c/></row>`, `column 16385 in row 1: a sheet has 16384`},
		{`<row r="3"><c t="x"/></row>`, `row 3, column 1: cell type "x": want b, d, e, inlineStr, n, s or str`},
		{`<row><c t="s"><v>one</v></c></row>`, `row 1, column 1: shared string "one": want its index`},
		{`<row><c t="s"><v>-1</v></c></row>`, `row 1, column 1: shared string "-1": want its index`},
		{`<row></c></row>`, `malformed XML at byte 95: </c> where <row> is open`},
	} {
		wantError(t, archive(t, files(c.data, nil)), `sheet "One": xl/worksheets/sheet1.xml: `+c.want)
	}
	wantError(t, archive(t, files(`<row><c t="s"><v>2</v></c></row>`, nil)),
		`sheet "One": a cell has shared string 2, but the workbook has 2 of them`)
}

func TestDamagedParts(t *testing.T) {
	for _, c := range []struct{ part, content, want string }{
		{"xl/workbook.xml", "", "not a workbook: xl/workbook.xml: the file has no such part"},
		{"xl/_rels/workbook.xml.rels", "", "xl/_rels/workbook.xml.rels: the file has no such part"},
		{"xl/worksheets/sheet1.xml", "", `sheet "One": xl/worksheets/sheet1.xml: the file has no such part`},
		{"xl/sharedStrings.xml", "", "xl/sharedStrings.xml: the file has no such part"},
		{"xl/workbook.xml", "<workbook/>", "xl/workbook.xml: the workbook has no worksheet"},
		{"xl/workbook.xml", "<workbook>", "xl/workbook.xml: malformed XML at byte 10: the document ends inside <workbook>"},
		{"xl/_rels/workbook.xml.rels", "<Relationships/>", `xl/workbook.xml: sheet "One" has relationship "rId1", which xl/_rels/workbook.xml.rels lacks`},
		{"xl/worksheets/sheet1.xml", "<html/>", `sheet "One": xl/worksheets/sheet1.xml: the part is a <html>: want a <worksheet>`},
		{"xl/worksheets/sheet1.xml", "<worksheet/>x", `sheet "One": xl/worksheets/sheet1.xml: malformed XML at byte 12: text outside the root element`},
		{"xl/sharedStrings.xml", "<sst><si><t>", "xl/sharedStrings.xml: malformed XML at byte 12: the document ends inside <t>"},
		{"xl/sharedStrings.xml", "<table/>", "xl/sharedStrings.xml: the part is a <table>: want a <sst>"},
	} {
		wantError(t, archive(t, files("", map[string]string{c.part: c.content})), c.want)
	}
}

func TestDamagedArchive(t *testing.T) {
	good := archive(t, files(`<row><c><v>1</v></c></row>`, nil))
	wantError(t, nil, "not an XLSX file: zip: not a valid zip file")
	wantError(t, good[:len(good)/2], "not an XLSX file: zip: not a valid zip file")
	wantError(t, []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and more"),
		"not an XLSX file but an old or an encrypted one: save it as XLSX without a password")

	flipped := bytes.Clone(good)
	at := bytes.Index(good, []byte("xl/worksheets/sheet1.xml")) + len("xl/worksheets/sheet1.xml")
	flipped[at+12] ^= 0x55
	for _, level := range workbook.Levels() {
		_, err := cellsOf(flipped, workbook.Options{Level: level})
		if err == nil || !strings.Contains(err.Error(), `sheet "One": xl/worksheets/sheet1.xml: cannot be unzipped: `) {
			t.Errorf("%v: a flipped bit: %v", level, err)
		}
	}
}

// TestSizeThatLies has an archive whose directory claims sizes that the data do
// not have: no memory is set aside for them.
func TestSizeThatLies(t *testing.T) {
	const sheet = `sheet "One": xl/worksheets/sheet1.xml: `
	for _, c := range []struct {
		packed, size uint32
		want         string
	}{
		{11, 1 << 30, sheet + "11 bytes of a file of SIZE cannot unzip to 1073741824: it is damaged"},
		{1 << 30, 1 << 30, sheet + "1073741824 bytes of a file of SIZE cannot unzip to 1073741824: it is damaged"},
		{100, 1000, sheet + "cannot be unzipped: unexpected EOF"},
		{100, 10, sheet + "cannot be unzipped: zip: not a valid zip file"},
	} {
		file := archive(t, files(`<row><c><v>1</v></c></row>`, nil))
		entry := bytes.LastIndex(file, []byte("xl/worksheets/sheet1.xml")) - 46 // of the central directory
		binary.LittleEndian.PutUint32(file[entry+20:], c.packed)
		binary.LittleEndian.PutUint32(file[entry+24:], c.size)
		wantError(t, file, strings.ReplaceAll(c.want, "SIZE", strconv.Itoa(len(file))))
	}
}
