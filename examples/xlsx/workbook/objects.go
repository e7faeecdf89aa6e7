package workbook

import (
	"github.com/alloctop/alloctop/examples/xlsx/internal/xmlscan"
)

// objectParser reads a sheet into an object per row and per cell. It is the Naive
// and the Tuned level: these differ in the strings that the scanner makes.
type objectParser struct {
	strings xmlscan.Strings
}

type objectSheet struct {
	rows   []*row
	shared int
}

type row struct {
	number int
	cells  []*cell
}

type cell struct {
	row, col int
	kind     Kind
	value    string
	shared   int // index of its string, or -1
}

func (p objectParser) small() xmlscan.Strings { return p.strings }

func (s *objectSheet) maxShared() int { return s.shared }

func (s *objectSheet) count() int {
	n := 0
	for _, row := range s.rows {
		n += len(row.cells)
	}
	return n
}

func (s *objectSheet) each(shared []string, yield func(Cell) bool) {
	for _, row := range s.rows {
		for _, c := range row.cells {
			value := c.value
			if c.shared >= 0 {
				value = shared[c.shared]
			}
			if !yield(Cell{Row: c.row, Col: c.col, Kind: c.kind, Value: value}) {
				return
			}
		}
	}
}

// objectReader reads one part.
type objectReader struct {
	scan *xmlscan.Scanner
	at   position
}

func (p objectParser) sheet(doc []byte) (cells, error) {
	scan, err := xmlscan.New(doc, p.strings)
	if err != nil {
		return nil, err
	}
	r := &objectReader{scan: scan}
	if err := r.root("worksheet"); err != nil {
		return nil, err
	}
	sheet := &objectSheet{shared: -1}
	for {
		tok, ok, err := r.child()
		if err != nil {
			return nil, err
		}
		if !ok {
			return sheet, r.end()
		}
		if xmlscan.Local(tok.Name) == "sheetData" {
			err = r.rows(sheet)
		} else {
			err = r.skip()
		}
		if err != nil {
			return nil, err
		}
	}
}

func (r *objectReader) rows(sheet *objectSheet) error {
	for {
		tok, ok, err := r.child()
		if err != nil || !ok {
			return err
		}
		if xmlscan.Local(tok.Name) != "row" {
			err = r.skip()
		} else {
			err = r.row(sheet, &tok)
		}
		if err != nil {
			return err
		}
	}
}

func (r *objectReader) row(sheet *objectSheet, tok *xmlscan.Token) error {
	if err := startRow(&r.at, tok.Attr("r")); err != nil {
		return err
	}
	row := &row{number: r.at.row}
	sheet.rows = append(sheet.rows, row)
	for {
		tok, ok, err := r.child()
		if err != nil || !ok {
			return err
		}
		if xmlscan.Local(tok.Name) != "c" {
			if err := r.skip(); err != nil {
				return err
			}
			continue
		}
		cell, err := r.cell(&tok)
		if err != nil {
			return err
		}
		sheet.shared = max(sheet.shared, cell.shared)
		row.cells = append(row.cells, cell)
	}
}

func (r *objectReader) cell(tok *xmlscan.Token) (*cell, error) {
	if err := startCell(&r.at, tok.Attr("r")); err != nil {
		return nil, err
	}
	typ, err := parseType(tok.Attr("t"))
	if err != nil {
		return nil, r.at.wrap(err)
	}
	var value, inline string
	var hasValue, hasInline bool
	for {
		tok, ok, err := r.child()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		switch xmlscan.Local(tok.Name) {
		case "v":
			hasValue = true
			value, err = r.text()
		case "is":
			hasInline = true
			inline, err = r.richText()
		default:
			err = r.skip()
		}
		if err != nil {
			return nil, err
		}
	}
	c := &cell{row: r.at.row, col: r.at.col, kind: typ.kind(), value: value, shared: -1}
	switch {
	case typ == inlineString && hasInline:
		c.value = inline
	case !hasValue:
		c.kind = Empty
	case typ == formulaString:
		c.value = unescape(value)
	case typ == sharedString:
		if c.shared, err = sharedIndex(value); err != nil {
			return nil, r.at.wrap(err)
		}
	}
	return c, nil
}

func (p objectParser) sharedStrings(doc []byte) ([]string, error) {
	scan, err := xmlscan.New(doc, p.strings)
	if err != nil {
		return nil, err
	}
	r := &objectReader{scan: scan}
	if err := r.root("sst"); err != nil {
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
		if xmlscan.Local(tok.Name) != "si" {
			if err := r.skip(); err != nil {
				return nil, err
			}
			continue
		}
		text, err := r.richText()
		if err != nil {
			return nil, err
		}
		shared = append(shared, text)
	}
}
