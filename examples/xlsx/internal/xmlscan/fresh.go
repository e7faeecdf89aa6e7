package xmlscan

import (
	"unicode/utf16"
	"unicode/utf8"
)

// A maker makes the strings of tokens from the scan buffer.
type maker interface {
	name(raw []byte) string // of elements and attributes
	text(raw []byte) string // of attribute values and of what stands between tags
}

// fresh makes the strings as the scanner of the story did: each token becomes a
// string of its own in the encoding of the document, for which Go has []byte, and
// this is then converted into another.
type fresh struct {
	conv converter
}

func newFresh(enc encoding) *fresh {
	if enc == utf8Bytes {
		return &fresh{conv: &fromUTF8{}}
	}
	return &fresh{conv: &fromUTF16{enc: enc}}
}

func (f *fresh) name(raw []byte) string { return f.token(raw) }
func (f *fresh) text(raw []byte) string { return f.token(raw) }

func (f *fresh) token(raw []byte) string {
	token := make([]byte, len(raw))
	copy(token, raw)
	return f.conv.convert(token)
}

// A converter turns a token in the encoding of the document into a string, by way
// of code points, which all encodings have in common.
type converter interface {
	convert(token []byte) string
}

type fromUTF8 struct {
	points []rune
}

func (c *fromUTF8) convert(token []byte) string {
	c.points = c.points[:0]
	for len(token) > 0 {
		point, n := utf8.DecodeRune(token)
		c.points = append(c.points, point)
		token = token[n:]
	}
	return string(c.points)
}

type fromUTF16 struct {
	enc    encoding
	points []rune
}

func (c *fromUTF16) convert(token []byte) string {
	c.points = c.points[:0]
	for len(token) > 0 {
		point := rune(c.enc.unit(token))
		token = token[2:]
		if utf16.IsSurrogate(point) {
			point = utf16.DecodeRune(point, rune(c.enc.unit(token)))
			token = token[2:]
		}
		c.points = append(c.points, point)
	}
	return string(c.points)
}
