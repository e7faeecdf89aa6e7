package workbook

import "fmt"

// A loader reads a file in three phases: it unzips every sheet, one after the
// other, since that is bound by the archive; it parses them, in parallel if asked;
// and it reads the small parts.
type loader struct {
	parts  *parts
	parser parser
	opts   Options
}

func (l *loader) load() (*Workbook, error) {
	dir, err := readDirectory(l.parts, l.parser.small())
	if err != nil {
		return nil, err
	}
	docs := make([][]byte, len(dir.sheets))
	for i, sheet := range dir.sheets {
		if docs[i], err = l.parts.read(sheet.part); err != nil {
			return nil, fmt.Errorf("sheet %q: %w", sheet.name, err)
		}
	}
	w := &Workbook{Sheets: make([]*Sheet, len(dir.sheets))}
	err = forEach(len(docs), l.opts.threads(len(docs)), func(i int) error {
		cells, err := l.parser.sheet(docs[i])
		if err != nil {
			return fmt.Errorf("sheet %q: %s: %w", dir.sheets[i].name, dir.sheets[i].part, err)
		}
		docs[i] = nil
		w.Sheets[i] = &Sheet{Name: dir.sheets[i].name, cells: cells}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return w, l.small(w, dir)
}

// small reads the shared strings and gives them to the sheets.
func (l *loader) small(w *Workbook, dir *directory) error {
	var shared []string
	if dir.strings != "" {
		doc, err := l.parts.read(dir.strings)
		if err != nil {
			return err
		}
		if shared, err = l.parser.sharedStrings(doc); err != nil {
			return fmt.Errorf("%s: %w", dir.strings, err)
		}
	}
	for _, sheet := range w.Sheets {
		if n := sheet.cells.maxShared(); n >= len(shared) {
			return fmt.Errorf("sheet %q: a cell has shared string %d, but the workbook has %d of them", sheet.Name, n, len(shared))
		}
		sheet.shared = shared
	}
	return nil
}
