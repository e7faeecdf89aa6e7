package xmlscan

import "bytes"

// AttrView is an attribute of a start tag, as it stands in the document.
type AttrView struct {
	Name, Value []byte
}

// View is one token of a [ViewScanner]: slices of the document, as they stand
// there. Attr and AppendText replace the entities.
type View struct {
	Kind    Kind
	Name    []byte     // of a Start or an End
	Attrs   []AttrView // of a Start, valid until the next call of Next
	Text    []byte     // of a Text, never empty
	literal bool       // Text is a CDATA section, in which '&' is a letter
}

// Attr returns the value of the attribute with this local name, or nil.
func (v *View) Attr(local string) []byte {
	for i := range v.Attrs {
		if string(Local(v.Attrs[i].Name)) == local {
			return v.Attrs[i].expanded()
		}
	}
	return nil
}

// expanded allocates only for a value that is not as it stands.
func (a *AttrView) expanded() []byte {
	if !needsExpanding(a.Value) {
		return a.Value
	}
	value, _ := appendExpanded(nil, a.Value, 0) // checked by Next
	return value
}

// ViewScanner reads the same documents as [Scanner] and allocates nothing per
// token. Use it from one goroutine.
type ViewScanner struct {
	doc   []byte // UTF-8
	pos   int
	attrs []AttrView
	open  [][]byte
	due   bool
	root  bool
}

// NewViews returns a scanner of a whole document, which must not change while it
// or what it returned is used. A document in UTF-16 is converted first; offsets
// in errors are then those of the conversion.
func NewViews(doc []byte) (*ViewScanner, error) {
	enc, body, err := detect(doc)
	if err != nil {
		return nil, err
	}
	if enc != utf8Bytes {
		body = enc.appendUTF8(make([]byte, 0, len(body)/2+len(body)/8), body)
	}
	return &ViewScanner{doc: body}, nil
}

// Depth returns the number of elements open, that of the last Start counted.
func (s *ViewScanner) Depth() int { return len(s.open) }

// AppendText appends the text of a Text to dst.
func (v *View) AppendText(dst []byte) []byte {
	switch {
	case !needsExpanding(v.Text):
		return append(dst, v.Text...)
	case v.literal:
		return appendLines(dst, v.Text)
	default:
		dst, _ = appendExpanded(dst, v.Text, 0) // checked by Next
		return dst
	}
}

// Next returns the next token. At the end of the document its Kind is 0. The
// error is a [*SyntaxError]; do not call Next again after it.
func (s *ViewScanner) Next() (View, error) {
	if s.due {
		s.due = false
		return s.closeElement()
	}
	for s.pos < len(s.doc) {
		rest := s.doc[s.pos:]
		switch {
		case rest[0] != '<':
			text, err := s.text()
			if err != nil || len(text) > 0 {
				return View{Kind: Text, Text: text}, err
			}
		case len(rest) > 1 && rest[1] == '/':
			s.pos += 2
			return s.endTag()
		case len(rest) > 1 && (rest[1] == '!' || rest[1] == '?'):
			text, err := s.special()
			if err != nil || len(text) > 0 {
				return View{Kind: Text, Text: text, literal: true}, err
			}
		default:
			s.pos++
			return s.startTag()
		}
	}
	if len(s.open) > 0 {
		return View{}, syntaxError(s.pos, "the document ends inside <%s>", s.open[len(s.open)-1])
	}
	if !s.root {
		return View{}, syntaxError(s.pos, "the document has no element")
	}
	return View{}, nil
}

func (s *ViewScanner) startTag() (View, error) {
	from := s.pos
	name, err := s.name("a tag")
	if err != nil {
		return View{}, err
	}
	if len(s.open) == 0 && s.root {
		return View{}, syntaxError(from, "a second root element <%s>", name)
	}
	if len(s.open) == maxDepth {
		return View{}, syntaxError(from, "elements nested more than %d deep", maxDepth)
	}
	s.root = true
	s.open = append(s.open, name)
	s.attrs = s.attrs[:0]
	for {
		spaced := s.space()
		switch {
		case s.accept("/>"):
			s.due = true
			return View{Kind: Start, Name: name, Attrs: s.attrs}, nil
		case s.accept(">"):
			return View{Kind: Start, Name: name, Attrs: s.attrs}, nil
		case s.pos >= len(s.doc):
			return View{}, syntaxError(s.pos, "the document ends inside the tag <%s>", name)
		case !spaced:
			return View{}, syntaxError(s.pos, "no space before an attribute of <%s>", name)
		}
		if err := s.attribute(); err != nil {
			return View{}, err
		}
	}
}

// attribute reads an attribute into s.attrs.
func (s *ViewScanner) attribute() error {
	name, err := s.name("an attribute")
	if err != nil {
		return err
	}
	s.space()
	if !s.accept("=") {
		return syntaxError(s.pos, "attribute %s without a value", name)
	}
	s.space()
	if s.pos >= len(s.doc) || s.doc[s.pos] != '"' && s.doc[s.pos] != '\'' {
		return syntaxError(s.pos, "the value of attribute %s without quotes", name)
	}
	from := s.pos + 1
	n := bytes.IndexByte(s.doc[from:], s.doc[s.pos])
	if n < 0 {
		return syntaxError(from, "the document ends inside an attribute's value")
	}
	value := s.doc[from : from+n]
	if err := checkReferences(value, from); err != nil {
		return err
	}
	s.attrs = append(s.attrs, AttrView{Name: name, Value: value})
	s.pos = from + n + 1
	return nil
}

func (s *ViewScanner) endTag() (View, error) {
	from := s.pos
	name, err := s.name("an end tag")
	if err != nil {
		return View{}, err
	}
	s.space()
	if !s.accept(">") {
		return View{}, syntaxError(s.pos, "the end tag </%s> is not closed", name)
	}
	if len(s.open) == 0 {
		return View{}, syntaxError(from, "</%s> without a start", name)
	}
	if open := s.open[len(s.open)-1]; !bytes.Equal(open, name) {
		return View{}, syntaxError(from, "</%s> where <%s> is open", name, open)
	}
	return s.closeElement()
}

func (s *ViewScanner) closeElement() (View, error) {
	name := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	return View{Kind: End, Name: name}, nil
}

// special moves past a comment, a processing instruction or a CDATA section, and
// returns the text of the latter.
func (s *ViewScanner) special() ([]byte, error) {
	switch {
	case s.accept("<!--"):
		_, err := s.until("-->", "a comment")
		return nil, err
	case s.accept("<?"):
		_, err := s.until("?>", "a processing instruction")
		return nil, err
	case s.accept("<![CDATA["):
		from := s.pos
		text, err := s.until("]]>", "a CDATA section")
		if err == nil && len(s.open) == 0 {
			err = syntaxError(from, "text outside the root element")
		}
		return text, err
	}
	return nil, syntaxError(s.pos+2, "a document type, which parts of a workbook do not have")
}

func (s *ViewScanner) accept(lit string) bool {
	if s.pos+len(lit) <= len(s.doc) && string(s.doc[s.pos:s.pos+len(lit)]) == lit {
		s.pos += len(lit)
		return true
	}
	return false
}

func (s *ViewScanner) space() bool {
	from := s.pos
	for s.pos < len(s.doc) && isSpace(uint16(s.doc[s.pos])) {
		s.pos++
	}
	return s.pos > from
}

func (s *ViewScanner) name(of string) ([]byte, error) {
	from := s.pos
	for s.pos < len(s.doc) && !endsName(uint16(s.doc[s.pos])) {
		s.pos++
	}
	if s.pos == from {
		return nil, syntaxError(from, "%s without a name", of)
	}
	return s.doc[from:s.pos], nil
}

func (s *ViewScanner) until(lit, in string) ([]byte, error) {
	n := bytes.Index(s.doc[s.pos:], []byte(lit))
	if n < 0 {
		return nil, syntaxError(s.pos, "the document ends inside %s", in)
	}
	text := s.doc[s.pos : s.pos+n]
	s.pos += n + len(lit)
	return text, nil
}

func (s *ViewScanner) text() ([]byte, error) {
	from := s.pos
	n := bytes.IndexByte(s.doc[from:], '<')
	if n < 0 {
		n = len(s.doc) - from
	}
	text := s.doc[from : from+n]
	s.pos += n
	if len(s.open) > 0 {
		return text, checkReferences(text, from)
	}
	for i := range text {
		if !isSpace(uint16(text[i])) {
			return nil, syntaxError(from, "text outside the root element")
		}
	}
	return nil, nil
}

// checkReferences finds the bad references in text, so that View need not and
// that text which nobody expands is checked too.
func checkReferences(text []byte, offset int) error {
	for {
		i := bytes.IndexByte(text, '&')
		if i < 0 {
			return nil
		}
		offset += i
		n := bytes.IndexByte(text[i:], ';')
		if n < 0 {
			return syntaxError(offset, "'&' that begins no reference: write &amp;")
		}
		if _, ok := reference(string(text[i+1 : i+n])); !ok {
			return syntaxError(offset, "unknown reference &%.20s;", text[i+1:i+n])
		}
		offset += n
		text = text[i+n:]
	}
}
