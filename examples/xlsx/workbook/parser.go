package workbook

import (
	"fmt"

	"github.com/alloctop/alloctop/examples/xlsx/internal/xmlscan"
)

// A parser is a level: it reads the parts that hold cells. Sheets are parsed by
// several goroutines at once.
type parser interface {
	sheet(doc []byte) (cells, error)
	sharedStrings(doc []byte) ([]string, error)
	// small says how the scanner of the small parts makes its strings.
	small() xmlscan.Strings
}

// cells are those of one sheet. A cell of a shared string knows its index only,
// since sheets are parsed before the strings are.
type cells interface {
	count() int
	// maxShared is the highest index of a shared string, or -1.
	maxShared() int
	each(shared []string, yield func(Cell) bool)
}

func newParser(level Level) (parser, error) {
	switch level {
	case Naive:
		return objectParser{xmlscan.Fresh}, nil
	case Tuned:
		return objectParser{xmlscan.Cached}, nil
	case Best:
		return slabParser{}, nil
	}
	return nil, fmt.Errorf("unknown level %d: want one of %v", level, Levels())
}

// The limits of a sheet, by the format.
const (
	maxRow = 1 << 20
	maxCol = 1 << 14
)

// position follows where cells lie, since rows and cells may leave out their
// reference and then follow the one before.
type position struct {
	row, col int
}

// wrap says in which cell an error is.
func (p *position) wrap(err error) error {
	return fmt.Errorf("row %d, column %d: %w", p.row, p.col, err)
}

func wrongRoot(got, want string) error {
	return fmt.Errorf("the part is a <%s>: want a <%s>", got, want)
}

// startRow moves to the row with this r attribute.
func startRow[T string | []byte](p *position, r T) error {
	p.col = 0
	if len(r) == 0 {
		p.row++
	} else {
		n, ok := parseUint(r)
		if !ok || n == 0 {
			return fmt.Errorf("row number %q: want 1 to %d", string(r), maxRow)
		}
		p.row = n
	}
	if p.row > maxRow {
		return fmt.Errorf("row %d: a sheet has %d", p.row, maxRow)
	}
	return nil
}

// startCell moves to the cell with this r attribute.
func startCell[T string | []byte](p *position, r T) error {
	if len(r) == 0 {
		p.col++
		if p.row == 0 {
			p.row = 1
		}
	} else {
		row, col, ok := parseRef(r)
		if !ok {
			return fmt.Errorf("cell reference %q: want one like B7", string(r))
		}
		p.row, p.col = row, col
	}
	if p.col > maxCol {
		return fmt.Errorf("column %d in row %d: a sheet has %d", p.col, p.row, maxCol)
	}
	return nil
}

// parseRef parses a reference like "B7".
func parseRef[T string | []byte](ref T) (row, col int, ok bool) {
	i := 0
	for ; i < len(ref); i++ {
		c := ref[i] &^ 0x20 // to upper case
		if c < 'A' || c > 'Z' {
			break
		}
		col = col*26 + int(c-'A') + 1
		if col > maxCol {
			return 0, 0, false
		}
	}
	row, ok = parseUint(ref[i:])
	return row, col, ok && col > 0 && row > 0 && row <= maxRow
}

// parseUint parses a number without sign that fits in 31 bits.
func parseUint[T string | []byte](s T) (n int, ok bool) {
	if len(s) == 0 || len(s) > 10 {
		return 0, false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, n < 1<<31
}

// cellType is the t attribute of a cell.
type cellType uint8

const (
	number cellType = iota
	sharedString
	inlineString
	formulaString
	boolean
	errorValue
	isoDate
)

func parseType[T string | []byte](t T) (cellType, error) {
	switch string(t) {
	case "", "n":
		return number, nil
	case "s":
		return sharedString, nil
	case "inlineStr":
		return inlineString, nil
	case "str":
		return formulaString, nil
	case "b":
		return boolean, nil
	case "e":
		return errorValue, nil
	case "d":
		return isoDate, nil
	}
	return 0, fmt.Errorf("cell type %q: want b, d, e, inlineStr, n, s or str", string(t))
}

func (t cellType) kind() Kind {
	switch t {
	case sharedString, inlineString, formulaString:
		return String
	case boolean:
		return Bool
	case errorValue:
		return Error
	case isoDate:
		return Date
	default:
		return Number
	}
}

// sharedIndex parses the value of a cell of type "s".
func sharedIndex[T string | []byte](v T) (int, error) {
	from, to := 0, len(v)
	for from < to && v[from] <= ' ' {
		from++
	}
	for to > from && v[to-1] <= ' ' {
		to--
	}
	n, ok := parseUint(v[from:to])
	if !ok {
		return 0, fmt.Errorf("shared string %q: want its index", string(v))
	}
	return n, nil
}
