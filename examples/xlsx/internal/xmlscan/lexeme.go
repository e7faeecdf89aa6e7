package xmlscan

import "strings"

// peek returns the code unit at the scan position, which is before the end.
func (s *Scanner) peek() uint16 {
	return s.enc.unit(s.doc[s.pos:])
}

// accept moves past lit, which is ASCII, if the document goes on with it.
func (s *Scanner) accept(lit string) bool {
	pos := s.pos
	for i := 0; i < len(lit); i++ {
		if pos >= len(s.doc) || s.enc.unit(s.doc[pos:]) != uint16(lit[i]) {
			return false
		}
		pos += s.width
	}
	s.pos = pos
	return true
}

// space moves past white space and says whether there was any.
func (s *Scanner) space() bool {
	from := s.pos
	for s.pos < len(s.doc) && isSpace(s.peek()) {
		s.pos += s.width
	}
	return s.pos > from
}

func isSpace(u uint16) bool {
	return u == ' ' || u == '\n' || u == '\t' || u == '\r'
}

// endsName says whether a code unit ends the name of an element or attribute.
func endsName(u uint16) bool {
	return isSpace(u) || u == '>' || u == '/' || u == '=' || u == '<' || u == '"' || u == '\''
}

func (s *Scanner) name(of string) (string, error) {
	from := s.pos
	for s.pos < len(s.doc) && !endsName(s.peek()) {
		s.pos += s.width
	}
	if s.pos == from {
		return "", syntaxError(from, "%s without a name", of)
	}
	return s.make.name(s.doc[from:s.pos]), nil
}

// until moves past the next lit and returns what stands before it.
func (s *Scanner) until(lit, in string) (raw []byte, err error) {
	from := s.pos
	for s.pos < len(s.doc) {
		at := s.pos
		if s.accept(lit) {
			return s.doc[from:at], nil
		}
		s.pos += s.width
	}
	return nil, syntaxError(from, "the document ends inside %s", in)
}

func (s *Scanner) text() (string, error) {
	from := s.pos
	blank := true
	for s.pos < len(s.doc) && s.peek() != '<' {
		blank = blank && isSpace(s.peek())
		s.pos += s.width
	}
	if len(s.open) == 0 {
		if blank {
			return "", nil
		}
		return "", syntaxError(from, "text outside the root element")
	}
	return s.expanded(from, s.doc[from:s.pos])
}

func (s *Scanner) cdata() (string, error) {
	from := s.pos
	raw, err := s.until("]]>", "a CDATA section")
	if err != nil {
		return "", err
	}
	if len(s.open) == 0 {
		return "", syntaxError(from, "text outside the root element")
	}
	if len(raw) == 0 {
		return "", nil
	}
	text := s.make.text(raw)
	if strings.IndexByte(text, '\r') < 0 {
		return text, nil
	}
	return string(appendLines(nil, text)), nil
}

// expanded makes the string of raw, with its references replaced.
func (s *Scanner) expanded(from int, raw []byte) (string, error) {
	if len(raw) == 0 {
		return "", nil
	}
	text := s.make.text(raw)
	if !needsExpanding(text) {
		return text, nil
	}
	full, err := appendExpanded(nil, text, from)
	return string(full), err
}
