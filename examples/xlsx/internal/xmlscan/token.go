package xmlscan

import (
	"fmt"
)

// Kind says what a token is.
type Kind uint8

// The kinds of token. <a/> is a Start and an End.
const (
	Start Kind = iota + 1
	End
	Text
)

// Attr is an attribute of a start tag.
type Attr struct {
	Name, Value string
}

// Token is one token of a [Scanner]. Attrs is valid until the next call of Next.
type Token struct {
	Kind  Kind
	Name  string // of a Start or an End
	Attrs []Attr // of a Start
	Text  string // of a Text, which is never empty
}

// Attr returns the value of the attribute with this local name, or "".
func (t *Token) Attr(local string) string {
	for i := range t.Attrs {
		if Local(t.Attrs[i].Name) == local {
			return t.Attrs[i].Value
		}
	}
	return ""
}

// Local returns a name without its namespace prefix.
func Local[T string | []byte](name T) T {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == ':' {
			return name[i+1:]
		}
	}
	return name
}

// SyntaxError is a document that is not the XML that a scanner reads.
type SyntaxError struct {
	Offset int // in bytes, after a byte order mark
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("malformed XML at byte %d: %s", e.Offset, e.Reason)
}

func syntaxError(offset int, format string, args ...any) error {
	return &SyntaxError{Offset: offset, Reason: fmt.Sprintf(format, args...)}
}

// maxDepth bounds the elements open at once. Spreadsheet parts nest less than 20
// deep, so a deeper document is an attack or an accident.
const maxDepth = 1024
