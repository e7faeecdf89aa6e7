package xmlscan

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
)

// events write what a scanner returns in one line per token, the error last.
type events []string

func (e *events) start(name string) { *e = append(*e, "<"+name) }
func (e *events) attr(name, value string) {
	*e = append(*e, fmt.Sprintf("  %s=%q", name, value))
}
func (e *events) text(s string)   { *e = append(*e, fmt.Sprintf("  %q", s)) }
func (e *events) end(name string) { *e = append(*e, "</"+name) }

// failed adds an error, without its offset where that depends on the encoding.
func (e *events) failed(err error, offset bool) {
	var bad *SyntaxError
	switch {
	case !errors.As(err, &bad):
		*e = append(*e, "not a SyntaxError: "+err.Error())
	case offset:
		*e = append(*e, bad.Error())
	default:
		*e = append(*e, bad.Reason)
	}
}

func stringEvents(doc []byte, how Strings, offset bool) events {
	var got events
	s, err := New(doc, how)
	for err == nil {
		var tok Token
		tok, err = s.Next()
		if err != nil || tok.Kind == 0 {
			break
		}
		switch tok.Kind {
		case Start:
			got.start(tok.Name)
			for _, a := range tok.Attrs {
				got.attr(a.Name, a.Value)
			}
		case End:
			got.end(tok.Name)
		case Text:
			got.text(tok.Text)
		}
	}
	if err != nil {
		got.failed(err, offset)
	}
	return got
}

func viewEvents(doc []byte, offset bool) events {
	var got events
	s, err := NewViews(doc)
	for err == nil {
		var tok View
		tok, err = s.Next()
		if err != nil || tok.Kind == 0 {
			break
		}
		switch tok.Kind {
		case Start:
			got.start(string(tok.Name))
			for _, a := range tok.Attrs {
				got.attr(string(a.Name), string(a.expanded()))
			}
		case End:
			got.end(string(tok.Name))
		case Text:
			got.text(string(tok.AppendText(nil)))
		}
	}
	if err != nil {
		got.failed(err, offset)
	}
	return got
}

// agree checks that all scanners return the same for a document and, where it is
// UTF-8, for the same document in UTF-16. It returns what that is.
func agree(t *testing.T, doc string) events {
	t.Helper()
	enc, _, err := detect([]byte(doc))
	want := stringEvents([]byte(doc), Fresh, true)
	same(t, "Cached", doc, stringEvents([]byte(doc), Cached, true), want)
	if err != nil || enc == utf8Bytes {
		same(t, "views", doc, viewEvents([]byte(doc), true), want)
	} else {
		same(t, "views", doc, viewEvents([]byte(doc), false), stringEvents([]byte(doc), Fresh, false))
	}
	if err != nil || enc != utf8Bytes {
		return want
	}
	short := stringEvents([]byte(doc), Fresh, false)
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		wide := toUTF16(doc, order)
		same(t, fmt.Sprint("Fresh, ", order), doc, stringEvents(wide, Fresh, false), short)
		same(t, fmt.Sprint("Cached, ", order), doc, stringEvents(wide, Cached, false), short)
		same(t, fmt.Sprint("views, ", order), doc, viewEvents(wide, false), short)
	}
	return want
}

func same(t *testing.T, which, doc string, got, want events) {
	t.Helper()
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("%s of %q:\n%s\nFresh has:\n%s", which, doc, g, w)
	}
}

// toUTF16 returns the document with a byte order mark.
func toUTF16(doc string, order binary.AppendByteOrder) []byte {
	doc = strings.TrimPrefix(doc, "\uFEFF")
	wide := order.AppendUint16(nil, 0xFEFF)
	for _, u := range utf16.Encode([]rune(doc)) {
		wide = order.AppendUint16(wide, u)
	}
	return wide
}
