package workbook_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/alloctop/alloctop/examples/xlsx/workbook"
)

type cell = workbook.Cell

func TestCellTypes(t *testing.T) {
	wantCells(t, files(`<row r="2">`+
		`<c r="A2"><v>12.5</v></c>`+
		`<c r="B2" t="n"><v>1E-3</v></c>`+
		`<c r="C2" t="s"><v> 1 </v></c>`+
		`<c r="D2" t="b"><v>1</v></c>`+
		`<c r="E2" t="e"><f>1/0</f><v>#DIV/0!</v></c>`+
		`<c r="F2" t="str"><f>A2&amp;"x"</f><v>12.5x</v></c>`+
		`<c r="G2" t="inlineStr"><is><t>in line</t></is></c>`+
		`<c r="H2" t="d"><v>2026-11-30</v></c>`+
		`<c r="I2" s="3"/>`+
		`<c r="J2"><f>A2*2</f><v>25</v></c>`+
		`<c r="K2" t="s"/>`+
		`<c r="L2" t="inlineStr"><v>old</v></c>`+
		`<c r="XFD2" t="str"><v></v></c>`+
		`</row>`, nil),
		cell{2, 1, workbook.Number, "12.5"},
		cell{2, 2, workbook.Number, "1E-3"},
		cell{2, 3, workbook.String, "one"},
		cell{2, 4, workbook.Bool, "1"},
		cell{2, 5, workbook.Error, "#DIV/0!"},
		cell{2, 6, workbook.String, "12.5x"},
		cell{2, 7, workbook.String, "in line"},
		cell{2, 8, workbook.Date, "2026-11-30"},
		cell{2, 9, workbook.Empty, ""},
		cell{2, 10, workbook.Number, "25"},
		cell{2, 11, workbook.Empty, ""},
		cell{2, 12, workbook.String, "old"},
		cell{2, 16384, workbook.String, ""},
	)
}

func TestReferencesLeftOut(t *testing.T) {
	wantCells(t, files(
		`<row><c><v>1</v></c><c><v>2</v></c><c r="E1"><v>3</v></c><c><v>4</v></c></row>`+
			`<row><c><v>5</v></c></row>`+
			`<row r="7"><c><v>6</v></c></row>`+
			`<row><c r="b8"><v>7</v></c></row>`, nil),
		cell{1, 1, workbook.Number, "1"},
		cell{1, 2, workbook.Number, "2"},
		cell{1, 5, workbook.Number, "3"},
		cell{1, 6, workbook.Number, "4"},
		cell{2, 1, workbook.Number, "5"},
		cell{7, 1, workbook.Number, "6"},
		cell{8, 2, workbook.Number, "7"},
	)
}

// TestText has everything that the text of a cell may hold.
func TestText(t *testing.T) {
	for _, c := range []struct{ item, want string }{
		{`<t>plain</t>`, "plain"},
		{`<t/>`, ""},
		{``, ""},
		{`<t xml:space="preserve">  both ends </t>`, "  both ends "},
		{`<t> kept too </t>`, " kept too "},
		{"<t>two\r\nlines</t>", "two\nlines"},
		{`<t>a &lt;b&gt; &amp; &#99;</t>`, "a <b> & c"},
		{`<t><![CDATA[a<b]]>c<!-- d -->e</t>`, "a<bce"},
		{`<r><rPr><b/></rPr><t>bold</t></r><r><t xml:space="preserve"> not</t></r>`, "bold not"},
		{`<t>漢字</t><rPh sb="0" eb="2"><t>かんじ</t></rPh><phoneticPr fontId="1"/>`, "漢字"},
		{`<t>_x0041__x000D_</t>`, "A\r"},
		{`<t>_x005F_x0041_</t>`, "_x0041_"},
		{`<t>_x00e4_ _X0041_ _x004_ _x00g1_ _x0041</t>`, "ä _X0041_ _x004_ _x00g1_ _x0041"},
		{`<t>_xD83C__xDF89_ _xD83C_</t>`, "🎉 \uFFFD"},
		{`<r><t>_x00</t></r><r><t>41_</t></r>`, "A"},
	} {
		shared := map[string]string{"xl/sharedStrings.xml": `<sst><si>` + c.item + `</si></sst>`}
		data := `<row><c t="s"><v>0</v></c><c t="inlineStr"><is>` + c.item + `</is></c></row>`
		wantCells(t, files(data, shared), cell{1, 1, workbook.String, c.want}, cell{1, 2, workbook.String, c.want})
	}
}

func TestPrefixesAndUnknownElements(t *testing.T) {
	wantCells(t, files("", map[string]string{
		"xl/worksheets/sheet1.xml": `<x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:sheetPr><x:c/></x:sheetPr><x:sheetData>` +
			`<x:new><x:row><x:c><x:v>0</x:v></x:c></x:row></x:new>` +
			`<x:row x:r="3"><x:new/><x:c r="B3"><x:new><x:v>1</x:v></x:new><x:v>2<x:new>3</x:new></x:v></x:c></x:row>` +
			`</x:sheetData><x:extLst><x:row/></x:extLst></x:worksheet><!-- end -->`,
	}), cell{3, 2, workbook.Number, "2"})
}

func TestWhereParts(t *testing.T) {
	sheet := worksheet(`<row><c t="s"><v>0</v></c></row>`)
	want := cell{1, 1, workbook.String, "zero"}
	strict := strings.NewReplacer("schemas.openxmlformats.org/officeDocument/2006/relationships", "purl.oclc.org/ooxml/officeDocument/relationships")
	for name, replaced := range map[string]map[string]string{
		"absolute targets": {
			"_rels/.rels":                strings.ReplaceAll(rootRels, `Target="xl/`, `Target="/xl/`),
			"xl/_rels/workbook.xml.rels": strings.ReplaceAll(bookRels, `Target="`, `Target="/xl/`),
		},
		"another folder": {
			"_rels/.rels":     strings.ReplaceAll(rootRels, "xl/workbook.xml", "book/b.xml"),
			"xl/workbook.xml": "", "xl/_rels/workbook.xml.rels": "",
			"book/b.xml":            book,
			"book/_rels/b.xml.rels": strings.ReplaceAll(bookRels, `Target="`, `Target="../xl/./`),
		},
		"no root relationships": {"_rels/.rels": ""},
		"strict namespace":      {"_rels/.rels": strict.Replace(rootRels), "xl/_rels/workbook.xml.rels": strict.Replace(bookRels)},
		"upper case":            {"xl/worksheets/sheet1.xml": "", "xl/Worksheets/Sheet1.xml": sheet},
		"backslashes":           {"xl/worksheets/sheet1.xml": "", `xl\worksheets\sheet1.xml`: sheet},
		"UTF-16":                {"xl/worksheets/sheet1.xml": wide(sheet), "xl/sharedStrings.xml": wide(sst), "xl/workbook.xml": wide(book)},
		"a chart's sheet": {
			"xl/workbook.xml":            strings.Replace(book, `<sheets>`, `<sheets><sheet name="Chart" sheetId="2" r:id="rId3"/>`, 1),
			"xl/_rels/workbook.xml.rels": strings.Replace(bookRels, `</Rel`, `<Relationship Id="rId3" Type="http://x/chartsheet" Target="nowhere.xml"/></Rel`, 1),
		},
	} {
		t.Run(name, func(t *testing.T) {
			wantCells(t, files(`<row><c t="s"><v>0</v></c></row>`, replaced), want)
		})
	}
}

func TestNoSharedStrings(t *testing.T) {
	rels := strings.Replace(bookRels, "sharedStrings\"", "theme\"", 1)
	wantCells(t, files(`<row><c><v>1</v></c></row>`, map[string]string{"xl/sharedStrings.xml": "", "xl/_rels/workbook.xml.rels": rels}),
		cell{1, 1, workbook.Number, "1"})
}

// wide returns a document in UTF-16 with a byte order mark.
func wide(doc string) string {
	out := binary.LittleEndian.AppendUint16(nil, 0xFEFF)
	for _, u := range utf16.Encode([]rune(doc)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return string(out)
}
