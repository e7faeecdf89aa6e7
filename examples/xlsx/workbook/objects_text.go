package workbook

import "github.com/alloctop/alloctop/examples/xlsx/internal/xmlscan"

// root moves into the root element, whose name is checked.
func (r *objectReader) root(want string) error {
	tok, err := r.scan.Next()
	if err != nil {
		return err
	}
	if got := xmlscan.Local(tok.Name); got != want {
		return wrongRoot(got, want)
	}
	return nil
}

// child returns the start of the next element inside the current one, past any
// text. It is not ok at the end of the current element, whose end it reads.
func (r *objectReader) child() (tok xmlscan.Token, ok bool, err error) {
	for {
		tok, err = r.scan.Next()
		if err != nil || tok.Kind == xmlscan.End {
			return tok, false, err
		}
		if tok.Kind == xmlscan.Start {
			return tok, true, nil
		}
	}
}

// end checks that nothing but comments follows the root element.
func (r *objectReader) end() error {
	_, err := r.scan.Next()
	return err
}

// skip reads to the end of the current element.
func (r *objectReader) skip() error {
	for depth := r.scan.Depth(); r.scan.Depth() >= depth; {
		if _, err := r.scan.Next(); err != nil {
			return err
		}
	}
	return nil
}

// text reads to the end of the current element and returns its own text.
func (r *objectReader) text() (string, error) {
	text := ""
	for {
		tok, err := r.scan.Next()
		if err != nil {
			return "", err
		}
		switch tok.Kind {
		case xmlscan.End:
			return text, nil
		case xmlscan.Text:
			text += tok.Text
		case xmlscan.Start:
			if err := r.skip(); err != nil {
				return "", err
			}
		}
	}
}

// richText reads to the end of the current element and returns the text of its t
// and of the t of its runs r. White space stays, with xml:space or without.
func (r *objectReader) richText() (string, error) {
	text, err := r.runs(true)
	return unescape(text), err
}

func (r *objectReader) runs(outer bool) (string, error) {
	text := ""
	for {
		tok, ok, err := r.child()
		if err != nil || !ok {
			return text, err
		}
		var more string
		switch name := xmlscan.Local(tok.Name); {
		case name == "t":
			more, err = r.text()
		case name == "r" && outer:
			more, err = r.runs(false)
		default: // phonetic hints and formats
			err = r.skip()
		}
		if err != nil {
			return "", err
		}
		text += more
	}
}
