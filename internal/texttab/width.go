package texttab

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wide are the runes that take two columns (East Asian Width W and F, and the
// pictographs).
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, {Lo: 0x2e80, Hi: 0x303e, Stride: 1}, {Lo: 0x3041, Hi: 0x33ff, Stride: 1},
		{Lo: 0x3400, Hi: 0x4dbf, Stride: 1}, {Lo: 0x4e00, Hi: 0x9fff, Stride: 1}, {Lo: 0xa000, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xa960, Hi: 0xa97f, Stride: 1}, {Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1}, {Lo: 0xff00, Hi: 0xff60, Stride: 1}, {Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x16fe0, Hi: 0x18aff, Stride: 1}, {Lo: 0x1b000, Hi: 0x1b2ff, Stride: 1}, {Lo: 0x1f300, Hi: 0x1f64f, Stride: 1},
		{Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1}, {Lo: 0x1f900, Hi: 0x1faff, Stride: 1}, {Lo: 0x20000, Hi: 0x3fffd, Stride: 1},
	},
}

// runeWidth returns the columns that a rune takes.
func runeWidth(r rune) int {
	switch {
	case r < 0x300 && unicode.IsPrint(r):
		return 1
	case unicode.IsControl(r), unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), 0x1160 <= r && r <= 0x11ff:
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// Width returns the columns that s takes in a terminal.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// Clean returns s without what could move the cursor, change the colours or
// turn the direction of a terminal: names come from files that others made.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) && !unicode.Is(unicode.Mn, r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// CutLeft shortens s to width columns by cutting its beginning, before a slash
// if it can: "…/reader.go:249".
func CutLeft(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	if width <= 0 {
		return ""
	}
	start, slash, n := len(s), -1, 1 // one column for the ellipsis
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:start])
		if n += runeWidth(r); n > width {
			break
		}
		start -= size
		if r == '/' {
			slash = start
		}
	}
	if slash >= 0 {
		start = slash
	}
	return "…" + s[start:]
}

// CutMiddle shortens s to width columns by cutting its middle.
func CutMiddle(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	if width <= 0 {
		return ""
	}
	tail := CutRight(reverse(s), width/2)
	tail = strings.TrimPrefix(reverse(tail), "…")
	head := strings.TrimSuffix(CutRight(s, width-Width(tail)), "…")
	return head + "…" + tail
}

// CutRight shortens s to width columns by cutting its end.
func CutRight(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	if width <= 0 {
		return ""
	}
	n := 1
	for i, r := range s {
		n += runeWidth(r)
		if n > width {
			return s[:i] + "…"
		}
	}
	return s
}

func reverse(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

// Wrap breaks text between its words into lines of at most width columns, all
// but the first indented. A number stays with the word behind it, which is its
// unit. A longer word is cut.
func Wrap(text string, width, indent int) []string {
	var lines []string
	line := ""
	for _, word := range wrapped(text) {
		switch {
		case strings.TrimSpace(line) == "":
			line += word
		case Width(line)+1+Width(word) <= width:
			line += " " + word
		default:
			lines = append(lines, CutRight(line, width))
			line = strings.Repeat(" ", indent) + word
		}
	}
	return append(lines, CutRight(line, width))
}

// wrapped returns the pieces of a text that stay in a line.
func wrapped(text string) (pieces []string) {
	number := false
	for word := range strings.FieldsSeq(text) {
		if number {
			pieces[len(pieces)-1] += " " + word
		} else {
			pieces = append(pieces, word)
		}
		number = strings.Trim(word, "0123456789.,") == ""
	}
	return pieces
}
