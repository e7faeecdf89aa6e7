package xmlscan

import (
	"testing"
)

// FuzzScanners feeds the same document to all scanners, in three encodings: they
// agree on every token and on the error, and none returns more than it was given.
func FuzzScanners(f *testing.F) {
	for _, doc := range []string{
		`<?xml version="1.0" encoding="UTF-8"?><worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData></worksheet>`,
		`<x:a b='&#x41;&amp;'><![CDATA[]]]]><!-- -- -->&#10;` + "\r\n</x:a>",
		"\uFEFF<t> ü 世 🎉 </t>",
		"\xFF\xFE<\x00a\x00/\x00>\x00",
		"\x00<\x00a\x00>\xD8\x3C",
		`<a b="1"c>`, `<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>`,
	} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		got := agree(t, string(doc))
		if len(got) > 2*len(doc)+1 {
			t.Errorf("%d tokens and attributes of %d bytes", len(got), len(doc))
		}
	})
}
