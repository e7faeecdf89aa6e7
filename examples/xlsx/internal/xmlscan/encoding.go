package xmlscan

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// encoding is how the characters of a document lie in its bytes.
type encoding uint8

const (
	utf8Bytes encoding = iota
	utf16Little
	utf16Big
)

// width returns the bytes of a code unit.
func (e encoding) width() int {
	if e == utf8Bytes {
		return 1
	}
	return 2
}

// unit returns the code unit at the start of b, which holds one.
func (e encoding) unit(b []byte) uint16 {
	switch e {
	case utf16Little:
		return binary.LittleEndian.Uint16(b)
	case utf16Big:
		return binary.BigEndian.Uint16(b)
	default:
		return uint16(b[0])
	}
}

// detect finds the encoding of a document and checks that its bytes are valid in
// it, so that scanners need not. The body is the document without its byte order
// mark.
func detect(doc []byte) (enc encoding, body []byte, err error) {
	switch {
	case bytes.HasPrefix(doc, []byte("\xEF\xBB\xBF")):
		doc = doc[3:]
	case bytes.HasPrefix(doc, []byte("\xFF\xFE")):
		return utf16Little, doc[2:], checkUTF16(utf16Little, doc[2:])
	case bytes.HasPrefix(doc, []byte("\xFE\xFF")):
		return utf16Big, doc[2:], checkUTF16(utf16Big, doc[2:])
	case bytes.HasPrefix(doc, []byte("<\x00")):
		return utf16Little, doc, checkUTF16(utf16Little, doc)
	case bytes.HasPrefix(doc, []byte("\x00<")):
		return utf16Big, doc, checkUTF16(utf16Big, doc)
	}
	if name := declaredEncoding(doc); name != "" && !strings.EqualFold(name, "UTF-8") && !strings.EqualFold(name, "US-ASCII") {
		return 0, nil, syntaxError(0, "encoding %q, but parts of a workbook are UTF-8 or UTF-16", name)
	}
	if !utf8.Valid(doc) {
		return 0, nil, syntaxError(invalidUTF8(doc), "invalid UTF-8")
	}
	return utf8Bytes, doc, nil
}

// declaredEncoding returns the encoding that the XML declaration names, or "".
func declaredEncoding(doc []byte) string {
	rest, ok := bytes.CutPrefix(doc, []byte("<?xml"))
	if !ok {
		return ""
	}
	end := bytes.Index(rest, []byte("?>"))
	if end < 0 {
		return ""
	}
	_, value, ok := bytes.Cut(rest[:end], []byte("encoding"))
	if !ok {
		return ""
	}
	value = bytes.TrimLeft(value, " \t\r\n=")
	if len(value) == 0 || value[0] != '"' && value[0] != '\'' {
		return ""
	}
	name, _, _ := bytes.Cut(value[1:], value[:1])
	return string(name)
}

func invalidUTF8(doc []byte) int {
	for i := 0; i < len(doc); {
		r, n := utf8.DecodeRune(doc[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(doc)
}

func checkUTF16(enc encoding, body []byte) error {
	if len(body)%2 != 0 {
		return syntaxError(len(body), "UTF-16 that ends inside a character")
	}
	for i := 0; i < len(body); i += 2 {
		if u := rune(enc.unit(body[i:])); utf16.IsSurrogate(u) {
			if i+4 > len(body) || utf16.DecodeRune(u, rune(enc.unit(body[i+2:]))) == utf8.RuneError {
				return syntaxError(i, "UTF-16 with half a surrogate pair")
			}
			i += 2
		}
	}
	return nil
}

// appendUTF8 appends to dst the UTF-8 of raw, which is whole characters in enc.
func (e encoding) appendUTF8(dst, raw []byte) []byte {
	if e == utf8Bytes {
		return append(dst, raw...)
	}
	for i := 0; i < len(raw); i += 2 {
		r := rune(e.unit(raw[i:]))
		if utf16.IsSurrogate(r) && i+4 <= len(raw) {
			i += 2
			r = utf16.DecodeRune(r, rune(e.unit(raw[i:])))
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}
