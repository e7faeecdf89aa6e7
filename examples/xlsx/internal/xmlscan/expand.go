package xmlscan

import (
	"strconv"
	"unicode/utf8"
)

// needsExpanding says whether text holds a reference or a carriage return.
func needsExpanding[T string | []byte](text T) bool {
	for i := 0; i < len(text); i++ {
		if text[i] == '&' || text[i] == '\r' {
			return true
		}
	}
	return false
}

// appendExpanded appends text to dst with references replaced and line ends made
// "\n". The offset is that of text in the document, for the error.
func appendExpanded[T string | []byte](dst []byte, text T, offset int) ([]byte, error) {
	for i := 0; i < len(text); {
		switch text[i] {
		case '\r':
			dst = append(dst, '\n')
			i = pastLineEnd(text, i)
		case '&':
			end := i + 1
			for end < len(text) && text[end] != ';' {
				end++
			}
			if end == len(text) {
				return dst, syntaxError(offset+i, "'&' that begins no reference: write &amp;")
			}
			r, ok := reference(string(text[i+1 : end]))
			if !ok {
				return dst, syntaxError(offset+i, "unknown reference &%.20s;", string(text[i+1:end]))
			}
			dst = utf8.AppendRune(dst, r)
			i = end + 1
		default:
			dst = append(dst, text[i])
			i++
		}
	}
	return dst, nil
}

// appendLines appends text to dst with line ends made "\n".
func appendLines[T string | []byte](dst []byte, text T) []byte {
	for i := 0; i < len(text); {
		if text[i] == '\r' {
			dst = append(dst, '\n')
			i = pastLineEnd(text, i)
			continue
		}
		dst = append(dst, text[i])
		i++
	}
	return dst
}

// pastLineEnd returns the index after the "\r" or "\r\n" at i.
func pastLineEnd[T string | []byte](text T, i int) int {
	if i+1 < len(text) && text[i+1] == '\n' {
		return i + 2
	}
	return i + 1
}

// reference returns the character that &name; stands for.
func reference(name string) (rune, bool) {
	switch name {
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "amp":
		return '&', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	digits, base := name[1:], 10
	if digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || n == 0 || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		return 0, false
	}
	return rune(n), true
}
