package xmlscan

// Strings says how a [Scanner] makes the strings of its tokens.
type Strings uint8

const (
	// Fresh makes a string of every token, and converts it into another.
	Fresh Strings = iota
	// Cached takes names from a table of 64 and decodes text straight.
	Cached
)

// Scanner reads a document token by token. Use it from one goroutine.
type Scanner struct {
	doc   []byte // without its byte order mark
	enc   encoding
	width int // bytes of a code unit
	pos   int // bytes, of the next code unit
	make  maker

	attrs []Attr
	open  []string // names of the elements that are open
	due   bool     // the last start tag was <x/>: its end comes next
	root  bool     // the root element has been seen
}

// New returns a scanner of a whole document, which must not change while it is
// used. The error is a [*SyntaxError], for bytes that are no UTF-8 and no UTF-16.
func New(doc []byte, how Strings) (*Scanner, error) {
	enc, body, err := detect(doc)
	if err != nil {
		return nil, err
	}
	s := &Scanner{doc: body, enc: enc, width: enc.width()}
	if how == Fresh {
		s.make = newFresh(enc)
	} else {
		s.make = &cached{enc: enc}
	}
	return s, nil
}

// Depth returns the number of elements open, that of the last Start counted.
func (s *Scanner) Depth() int { return len(s.open) }

// Next returns the next token. At the end of the document its Kind is 0. The
// error is a [*SyntaxError]; do not call Next again after it.
func (s *Scanner) Next() (Token, error) {
	if s.due {
		s.due = false
		return s.closeElement(s.open[len(s.open)-1])
	}
	for s.pos < len(s.doc) {
		switch {
		case s.peek() != '<':
			text, err := s.text()
			if err != nil || text != "" {
				return Token{Kind: Text, Text: text}, err
			}
		case s.accept("</"):
			return s.endTag()
		case s.accept("<!--"):
			if _, err := s.until("-->", "a comment"); err != nil {
				return Token{}, err
			}
		case s.accept("<?"):
			if _, err := s.until("?>", "a processing instruction"); err != nil {
				return Token{}, err
			}
		case s.accept("<![CDATA["):
			text, err := s.cdata()
			if err != nil || text != "" {
				return Token{Kind: Text, Text: text}, err
			}
		case s.accept("<!"):
			return Token{}, syntaxError(s.pos, "a document type, which parts of a workbook do not have")
		default:
			s.pos += s.width
			return s.startTag()
		}
	}
	if len(s.open) > 0 {
		return Token{}, syntaxError(s.pos, "the document ends inside <%s>", s.open[len(s.open)-1])
	}
	if !s.root {
		return Token{}, syntaxError(s.pos, "the document has no element")
	}
	return Token{}, nil
}

func (s *Scanner) startTag() (Token, error) {
	from := s.pos
	name, err := s.name("a tag")
	if err != nil {
		return Token{}, err
	}
	if len(s.open) == 0 && s.root {
		return Token{}, syntaxError(from, "a second root element <%s>", name)
	}
	if len(s.open) == maxDepth {
		return Token{}, syntaxError(from, "elements nested more than %d deep", maxDepth)
	}
	s.root = true
	s.open = append(s.open, name)
	s.attrs = s.attrs[:0]
	for {
		spaced := s.space()
		switch {
		case s.accept("/>"):
			s.due = true
			return Token{Kind: Start, Name: name, Attrs: s.attrs}, nil
		case s.accept(">"):
			return Token{Kind: Start, Name: name, Attrs: s.attrs}, nil
		case s.pos >= len(s.doc):
			return Token{}, syntaxError(s.pos, "the document ends inside the tag <%s>", name)
		case !spaced:
			return Token{}, syntaxError(s.pos, "no space before an attribute of <%s>", name)
		}
		attr, err := s.attribute()
		if err != nil {
			return Token{}, err
		}
		s.attrs = append(s.attrs, attr)
	}
}

func (s *Scanner) attribute() (Attr, error) {
	name, err := s.name("an attribute")
	if err != nil {
		return Attr{}, err
	}
	s.space()
	if !s.accept("=") {
		return Attr{}, syntaxError(s.pos, "attribute %s without a value", name)
	}
	s.space()
	var quote string
	switch {
	case s.accept(`"`):
		quote = `"`
	case s.accept(`'`):
		quote = `'`
	default:
		return Attr{}, syntaxError(s.pos, "the value of attribute %s without quotes", name)
	}
	from := s.pos
	raw, err := s.until(quote, "an attribute's value")
	if err != nil {
		return Attr{}, err
	}
	value, err := s.expanded(from, raw)
	return Attr{Name: name, Value: value}, err
}

func (s *Scanner) endTag() (Token, error) {
	from := s.pos
	name, err := s.name("an end tag")
	if err != nil {
		return Token{}, err
	}
	s.space()
	if !s.accept(">") {
		return Token{}, syntaxError(s.pos, "the end tag </%s> is not closed", name)
	}
	if len(s.open) == 0 {
		return Token{}, syntaxError(from, "</%s> without a start", name)
	}
	if open := s.open[len(s.open)-1]; open != name {
		return Token{}, syntaxError(from, "</%s> where <%s> is open", name, open)
	}
	return s.closeElement(name)
}

func (s *Scanner) closeElement(name string) (Token, error) {
	s.open = s.open[:len(s.open)-1]
	return Token{Kind: End, Name: name}, nil
}
