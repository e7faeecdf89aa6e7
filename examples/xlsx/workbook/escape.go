package workbook

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unescape replaces _xHHHH_, by which strings carry characters that XML cannot:
// HHHH is a UTF-16 code unit.
func unescape(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	return string(appendUnescaped(nil, s))
}

// appendUnescaped appends s to dst with each _xHHHH_ replaced.
func appendUnescaped[T string | []byte](dst []byte, s T) []byte {
	for i := 0; i < len(s); {
		u, ok := escapedUnit(s[i:])
		if !ok {
			dst = append(dst, s[i])
			i++
			continue
		}
		i += escapeLen
		if utf16.IsSurrogate(u) {
			low, ok := escapedUnit(s[i:])
			if ok && utf16.DecodeRune(u, low) != utf8.RuneError {
				u = utf16.DecodeRune(u, low)
				i += escapeLen
			}
		}
		dst = utf8.AppendRune(dst, u) // U+FFFD for half a pair
	}
	return dst
}

const escapeLen = len("_xHHHH_")

// escapedUnit returns the code unit of an escape at the start of s.
func escapedUnit[T string | []byte](s T) (rune, bool) {
	if len(s) < escapeLen || s[0] != '_' || s[1] != 'x' || s[escapeLen-1] != '_' {
		return 0, false
	}
	var u rune
	for i := 2; i < escapeLen-1; i++ {
		c := rune(s[i])
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		u = u<<4 | c
	}
	return u, true
}
