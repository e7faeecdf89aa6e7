package workbook

import (
	"bytes"
	"strings"

	"github.com/alloctop/alloctop/examples/xlsx/internal/xmlscan"
)

// child returns the start of the next element inside the current one, past any
// text. It is not ok at the end of the current element, whose end it reads.
func (r *slabReader) child() (tok xmlscan.View, ok bool, err error) {
	for {
		tok, err = r.scan.Next()
		if err != nil || tok.Kind == xmlscan.End {
			return tok, false, err
		}
		if tok.Kind == xmlscan.Start {
			return tok, true, nil
		}
	}
}

// end checks that nothing but comments follows the root element.
func (r *slabReader) end() error {
	_, err := r.scan.Next()
	return err
}

// skip reads to the end of the current element.
func (r *slabReader) skip() error {
	for depth := r.scan.Depth(); r.scan.Depth() >= depth; {
		if _, err := r.scan.Next(); err != nil {
			return err
		}
	}
	return nil
}

// appendText reads to the end of the current element and appends its own text.
func (r *slabReader) appendText(dst []byte) ([]byte, error) {
	for {
		tok, err := r.scan.Next()
		if err != nil {
			return dst, err
		}
		switch tok.Kind {
		case xmlscan.End:
			return dst, nil
		case xmlscan.Text:
			dst = tok.AppendText(dst)
		case xmlscan.Start:
			if err := r.skip(); err != nil {
				return dst, err
			}
		}
	}
}

// appendRuns reads to the end of the current element and appends the text of its
// t and, from outside a run, of the t of its runs r. White space stays, with
// xml:space or without.
func (r *slabReader) appendRuns(dst []byte, outer bool) ([]byte, error) {
	for {
		tok, ok, err := r.child()
		if err != nil || !ok {
			return dst, err
		}
		switch name := string(xmlscan.Local(tok.Name)); {
		case name == "t":
			dst, err = r.appendText(dst)
		case name == "r" && outer:
			dst, err = r.appendRuns(dst, false)
		default: // phonetic hints and formats
			err = r.skip()
		}
		if err != nil {
			return dst, err
		}
	}
}

// unescaped replaces _xHHHH_ in text. The result is valid until the next call.
func (r *slabReader) unescaped(text []byte) []byte {
	if !bytes.Contains(text, []byte("_x")) {
		return text
	}
	r.scratch = appendUnescaped(r.scratch[:0], text)
	return r.scratch
}

// textSlab keeps many short strings in few blocks. What was added lately is not
// kept twice.
type textSlab struct {
	block  strings.Builder
	recent [128]string
}

// The sizes of a block of text: the first is small, for tiny sheets.
const (
	firstBlock = 512
	lastBlock  = 64 << 10
)

// add returns text as a string.
func (t *textSlab) add(text []byte) string {
	if len(text) == 0 {
		return ""
	}
	recent := &t.recent[slot(text)%uint32(len(t.recent))]
	if *recent == string(text) {
		return *recent
	}
	if t.block.Cap()-t.block.Len() < len(text) {
		size := max(firstBlock, len(text), min(2*t.block.Cap(), lastBlock))
		t.block.Reset()
		t.block.Grow(size)
	}
	from := t.block.Len()
	t.block.Write(text)
	*recent = t.block.String()[from:]
	return *recent
}

// slot is FNV-1a.
func slot(text []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range text {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}
