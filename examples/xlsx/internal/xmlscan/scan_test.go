package xmlscan

import (
	"encoding/xml"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		{`<a/>`, `<a </a`},
		{`<?xml version="1.0" encoding="utf-8"?><!-- x --><a></a>` + "\n", `<a </a`},
		{"\uFEFF<a/>", `<a </a`},
		{`<x:c r="B7" t='s'><v>12</v></x:c>`, `<x:c r="B7" t="s" <v "12" </v </x:c`},
		{"<a\n b = \"1\"\t/>", `<a b="1" </a`},
		{`<a b="&lt;&#65;&#x42;&quot;'"/>`, `<a b="<AB\"'" </a`},
		{`<t>a &amp; b</t>`, `<t "a & b" </t`},
		{"<t>a\r\nb\rc\nd&#13;</t>", `<t "a\nb\nc\nd\r" </t`},
		{"<t>a<![CDATA[<b>&amp;\r\n]]>c<!-- no -->d</t>", `<t "a" "<b>&amp;\n" "c" "d" </t`},
		{`<t><![CDATA[]]></t>`, `<t </t`},
		{`<t xml:space="preserve"> ü 世 🎉 </t>`, `<t xml:space="preserve" " ü 世 🎉 " </t`},
		{`<ключ ä="ö"/>`, `<ключ ä="ö" </ключ`},
		{`<a> <b/> </a>`, `<a " " <b </b " " </a`},
	} {
		got := agree(t, c.doc)
		var line []string
		for _, event := range got {
			line = append(line, strings.TrimSpace(event))
		}
		if s := strings.Join(line, " "); s != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.doc, s, c.want)
		}
	}
}

func TestMalformed(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		{``, "the document has no element"},
		{`<!-- -->`, "the document has no element"},
		{`x`, "text outside the root element"},
		{`<a/>x`, "text outside the root element"},
		{`<a/><![CDATA[x]]>`, "text outside the root element"},
		{`<a/><b/>`, "a second root element <b>"},
		{`<a>`, "the document ends inside <a>"},
		{`<a><b`, "the document ends inside the tag <b>"},
		{`<a b`, "attribute b without a value"},
		{`<a b=1/>`, "the value of attribute b without quotes"},
		{`<a b="1`, "the document ends inside an attribute's value"},
		{`<a b="1"c="2"/>`, "no space before an attribute of <a>"},
		{`<a ="1"/>`, "an attribute without a name"},
		{`<`, "a tag without a name"},
		{`< a/>`, "a tag without a name"},
		{`</>`, "an end tag without a name"},
		{`</a>`, "</a> without a start"},
		{`<a></b>`, "</b> where <a> is open"},
		{`<a></a`, "the end tag </a> is not closed"},
		{`<a>&`, "'&' that begins no reference: write &amp;"},
		{`<a>&nbsp;</a>`, "unknown reference &nbsp;"},
		{`<a>&#0;</a>`, "unknown reference &#0;"},
		{`<a>&#xD800;</a>`, "unknown reference &#xD800;"},
		{`<a>&#x110000;</a>`, "unknown reference &#x110000;"},
		{`<a b="&x;"/>`, "unknown reference &x;"},
		{`<a><!-- `, "the document ends inside a comment"},
		{`<?xml `, "the document ends inside a processing instruction"},
		{`<a><![CDATA[`, "the document ends inside a CDATA section"},
		{`<!DOCTYPE a><a/>`, "a document type, which parts of a workbook do not have"},
		{strings.Repeat("<a>", maxDepth+1), "elements nested more than 1024 deep"},
	} {
		got := agree(t, c.doc)
		if last := got[len(got)-1]; !strings.HasSuffix(last, ": "+c.want) {
			t.Errorf("%.60q: %s\nwant %s", c.doc, last, c.want)
		}
	}
}

func TestBadEncoding(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		{"<a>\xff</a>", "malformed XML at byte 3: invalid UTF-8"},
		{`<?xml version="1.0" encoding='ISO-8859-1'?><a/>`, `malformed XML at byte 0: encoding "ISO-8859-1", but parts of a workbook are UTF-8 or UTF-16`},
		{"\xFF\xFE<\x00a", "malformed XML at byte 3: UTF-16 that ends inside a character"},
		{"<\x00\x00\xD8", "malformed XML at byte 2: UTF-16 with half a surrogate pair"},
		{"\x00<\xDC\x00\x00>", "malformed XML at byte 2: UTF-16 with half a surrogate pair"},
	} {
		got := agree(t, c.doc)
		if s := strings.Join(got, "\n"); s != c.want {
			t.Errorf("%q: %s\nwant %s", c.doc, s, c.want)
		}
	}
}

// TestNamesThatShareASlot has more names than slots, so that some share one.
func TestNamesThatShareASlot(t *testing.T) {
	var doc strings.Builder
	doc.WriteString("<root>")
	for range 2 {
		for i := range 4 * nameSlots {
			fmt.Fprintf(&doc, `<e%d a%d="1"/>`, i, i)
		}
	}
	doc.WriteString("</root>")
	agree(t, doc.String())
}

// TestSameAsEncodingXML has the standard library as the judge of text.
func TestSameAsEncodingXML(t *testing.T) {
	doc := "<t>a &lt;&#x1F389; \r\n<![CDATA[&amp;\r]]>ü</t>"
	var want string
	if err := xml.Unmarshal([]byte(doc), &want); err != nil {
		t.Fatal(err)
	}
	s, err := New([]byte(doc), Cached)
	if err != nil {
		t.Fatal(err)
	}
	var got string
	for {
		tok, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		if tok.Kind == 0 {
			break
		}
		got += tok.Text
	}
	if got != want {
		t.Errorf("%q: encoding/xml has %q", got, want)
	}
}

// TestAllocationsPerToken is the difference between the scanners: two for every
// token, one for every value that is not a single byte, none.
func TestAllocationsPerToken(t *testing.T) {
	const cells = 1000
	doc := []byte("<sheetData>" + strings.Repeat(`<c r="AB12" t="s"><v>345</v></c>`, cells) + "</sheetData>")
	count := func(scan func()) int {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		scan()
		runtime.ReadMemStats(&after)
		return int(after.Mallocs - before.Mallocs)
	}
	drain := func(how Strings) func() {
		return func() {
			s, err := New(doc, how)
			for tok := (Token{Kind: Start}); err == nil && tok.Kind != 0; {
				tok, err = s.Next()
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
	views := func() {
		s, err := NewViews(doc)
		for tok := (View{Kind: Start}); err == nil && tok.Kind != 0; {
			tok, err = s.Next()
		}
		if err != nil {
			t.Error(err)
		}
	}
	for _, c := range []struct {
		name    string
		scan    func()
		perCell int
	}{
		{"Fresh", drain(Fresh), 2 * 9},   // c r AB12 t s v 345 v c
		{"Cached", drain(Cached), 2 * 1}, // AB12 345; "s" is one byte, which Go does not allocate
		{"views", views, 0},
	} {
		c.scan()
		got := count(c.scan)
		if low := cells * c.perCell; got < low || got > low+40 {
			t.Errorf("%s: %d allocations for %d cells: want %d per cell and fewer than 40 besides", c.name, got, cells, c.perCell)
		}
	}
}
