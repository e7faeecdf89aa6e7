package workbook

import (
	"github.com/alloctop/alloctop/examples/xlsx/internal/xmlscan"
)

// slabParser is the Best level: cells are values in slabs, their text lies in
// slabs too, and what the scanner returns are views, which are made into a string
// only where a cell has one that is new.
type slabParser struct{}

func (slabParser) small() xmlscan.Strings { return xmlscan.Cached }

// slabCell is a cell without pointers but that of its text.
type slabCell struct {
	value  string
	shared int32 // index of its string, or -1
	row    int32
	col    int16
	kind   Kind
}

type slabSheet struct {
	slabs  [][]slabCell
	n      int
	shared int
}

func (s *slabSheet) count() int     { return s.n }
func (s *slabSheet) maxShared() int { return s.shared }

func (s *slabSheet) each(shared []string, yield func(Cell) bool) {
	for _, slab := range s.slabs {
		for i := range slab {
			c := &slab[i]
			value := c.value
			if c.shared >= 0 {
				value = shared[c.shared]
			}
			if !yield(Cell{Row: int(c.row), Col: int(c.col), Kind: c.kind, Value: value}) {
				return
			}
		}
	}
}

// The sizes of a slab of cells: the first is small, for tiny sheets.
const (
	firstSlab = 32
	lastSlab  = 4096
)

func (s *slabSheet) add(c slabCell) {
	last := len(s.slabs) - 1
	if last < 0 || len(s.slabs[last]) == cap(s.slabs[last]) {
		size := firstSlab
		if last >= 0 {
			size = min(2*cap(s.slabs[last]), lastSlab)
		}
		s.slabs = append(s.slabs, make([]slabCell, 0, size))
		last++
	}
	s.slabs[last] = append(s.slabs[last], c)
	s.n++
	s.shared = max(s.shared, int(c.shared))
}

// slabReader reads one part. The buffers keep the text of the current cell.
type slabReader struct {
	scan    *xmlscan.ViewScanner
	at      position
	text    textSlab
	value   []byte
	inline  []byte
	scratch []byte
}

func (slabParser) sheet(doc []byte) (cells, error) {
	r, err := newSlabReader(doc, "worksheet")
	if err != nil {
		return nil, err
	}
	sheet := &slabSheet{shared: -1}
	for {
		tok, ok, err := r.child()
		if err != nil {
			return nil, err
		}
		if !ok {
			return sheet, r.end()
		}
		if string(xmlscan.Local(tok.Name)) == "sheetData" {
			err = r.rows(sheet)
		} else {
			err = r.skip()
		}
		if err != nil {
			return nil, err
		}
	}
}

func newSlabReader(doc []byte, root string) (*slabReader, error) {
	scan, err := xmlscan.NewViews(doc)
	if err != nil {
		return nil, err
	}
	tok, err := scan.Next()
	if err != nil {
		return nil, err
	}
	if got := xmlscan.Local(tok.Name); string(got) != root {
		return nil, wrongRoot(string(got), root)
	}
	return &slabReader{scan: scan}, nil
}

func (r *slabReader) rows(sheet *slabSheet) error {
	for {
		tok, ok, err := r.child()
		if err != nil || !ok {
			return err
		}
		if string(xmlscan.Local(tok.Name)) != "row" {
			err = r.skip()
		} else if err = startRow(&r.at, tok.Attr("r")); err == nil {
			err = r.row(sheet)
		}
		if err != nil {
			return err
		}
	}
}

func (r *slabReader) row(sheet *slabSheet) error {
	for {
		tok, ok, err := r.child()
		if err != nil || !ok {
			return err
		}
		if string(xmlscan.Local(tok.Name)) != "c" {
			if err := r.skip(); err != nil {
				return err
			}
			continue
		}
		c, err := r.cell(&tok)
		if err != nil {
			return err
		}
		sheet.add(c)
	}
}

func (r *slabReader) cell(tok *xmlscan.View) (slabCell, error) {
	if err := startCell(&r.at, tok.Attr("r")); err != nil {
		return slabCell{}, err
	}
	typ, err := parseType(tok.Attr("t"))
	if err != nil {
		return slabCell{}, r.at.wrap(err)
	}
	hasValue, hasInline, err := r.content()
	if err != nil {
		return slabCell{}, err
	}
	c := slabCell{shared: -1, row: int32(r.at.row), col: int16(r.at.col), kind: typ.kind()}
	switch {
	case typ == inlineString && hasInline:
		c.value = r.text.add(r.unescaped(r.inline))
	case !hasValue:
		c.kind = Empty
	case typ == formulaString:
		c.value = r.text.add(r.unescaped(r.value))
	case typ == sharedString:
		n, err := sharedIndex(r.value)
		if err != nil {
			return slabCell{}, r.at.wrap(err)
		}
		c.shared = int32(n)
	default:
		c.value = r.text.add(r.value)
	}
	return c, nil
}

// content reads the elements of a cell into r.value and r.inline.
func (r *slabReader) content() (hasValue, hasInline bool, err error) {
	for {
		tok, ok, err := r.child()
		if err != nil || !ok {
			return hasValue, hasInline, err
		}
		switch string(xmlscan.Local(tok.Name)) {
		case "v":
			hasValue = true
			r.value, err = r.appendText(r.value[:0])
		case "is":
			hasInline = true
			r.inline, err = r.appendRuns(r.inline[:0], true)
		default:
			err = r.skip()
		}
		if err != nil {
			return false, false, err
		}
	}
}

func (slabParser) sharedStrings(doc []byte) ([]string, error) {
	r, err := newSlabReader(doc, "sst")
	if err != nil {
		return nil, err
	}
	var shared []string
	for {
		tok, ok, err := r.child()
		if err != nil {
			return nil, err
		}
		if !ok {
			return shared, r.end()
		}
		if string(xmlscan.Local(tok.Name)) != "si" {
			if err := r.skip(); err != nil {
				return nil, err
			}
			continue
		}
		if r.inline, err = r.appendRuns(r.inline[:0], true); err != nil {
			return nil, err
		}
		shared = append(shared, r.text.add(r.unescaped(r.inline)))
	}
}
