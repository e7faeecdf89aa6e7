package workbook

import (
	"fmt"
	"path"
	"strings"

	"github.com/alloctop/alloctop/examples/xlsx/internal/xmlscan"
)

// directory says which parts hold the sheets and the shared strings.
type directory struct {
	sheets  []sheetPart
	strings string // "" when the workbook has none
}

type sheetPart struct {
	name string
	part string
}

// relationship is one line of a .rels part. The kind is the last element of its
// type, which is the same in the two namespaces of the format.
type relationship struct {
	id, kind string
	target   string // part, without a leading slash; "" when external
}

func readDirectory(p *parts, how xmlscan.Strings) (*directory, error) {
	book := "xl/workbook.xml"
	if p.has("_rels/.rels") {
		rels, err := readRelationships(p, "", how)
		if err != nil {
			return nil, err
		}
		for _, rel := range rels {
			if rel.kind == "officeDocument" {
				book = rel.target
			}
		}
	}
	if !p.has(book) {
		return nil, fmt.Errorf("not a workbook: %s: %w", book, errNoPart)
	}
	rels, err := readRelationships(p, book, how)
	if err != nil {
		return nil, err
	}
	dir := &directory{}
	byID := make(map[string]relationship, len(rels))
	for _, rel := range rels {
		byID[rel.id] = rel
		if rel.kind == "sharedStrings" {
			dir.strings = rel.target
		}
	}
	return dir, dir.readBook(p, book, byID, how)
}

// readBook lists the worksheets; sheets of charts and dialogs have no cells.
func (d *directory) readBook(p *parts, book string, rels map[string]relationship, how xmlscan.Strings) error {
	err := eachElement(p, book, how, func(tok xmlscan.Token, depth int) error {
		if depth != 3 || xmlscan.Local(tok.Name) != "sheet" {
			return nil
		}
		name, id := tok.Attr("name"), tok.Attr("id")
		rel, ok := rels[id]
		if !ok {
			return fmt.Errorf("sheet %q has relationship %q, which %s lacks", name, id, relsOf(book))
		}
		if rel.kind == "worksheet" {
			d.sheets = append(d.sheets, sheetPart{name: name, part: rel.target})
		}
		return nil
	})
	if err == nil && len(d.sheets) == 0 {
		err = fmt.Errorf("%s: the workbook has no worksheet", book)
	}
	return err
}

// relsOf returns the part with the relationships of a part, or of the file for "".
func relsOf(part string) string {
	dir, file := path.Split(part)
	return dir + "_rels/" + file + ".rels"
}

func readRelationships(p *parts, part string, how xmlscan.Strings) ([]relationship, error) {
	var rels []relationship
	err := eachElement(p, relsOf(part), how, func(tok xmlscan.Token, depth int) error {
		if depth != 2 || xmlscan.Local(tok.Name) != "Relationship" {
			return nil
		}
		rel := relationship{id: tok.Attr("Id"), kind: path.Base(tok.Attr("Type"))}
		if tok.Attr("TargetMode") != "External" {
			rel.target = resolve(part, tok.Attr("Target"))
		}
		rels = append(rels, rel)
		return nil
	})
	return rels, err
}

// resolve returns the part that a target names: from the root, or from the folder
// of the part that has the relationship.
func resolve(part, target string) string {
	target = strings.ReplaceAll(target, `\`, "/")
	if !strings.HasPrefix(target, "/") {
		target = path.Join("/", path.Dir(part), target)
	}
	return strings.TrimPrefix(path.Clean(target), "/")
}

// eachElement calls visit with each start tag of a part, and its depth from 1.
func eachElement(p *parts, part string, how xmlscan.Strings, visit func(xmlscan.Token, int) error) error {
	doc, err := p.read(part)
	if err != nil {
		return err
	}
	scan, err := xmlscan.New(doc, how)
	for err == nil {
		var tok xmlscan.Token
		if tok, err = scan.Next(); err != nil || tok.Kind == 0 {
			break
		}
		if tok.Kind == xmlscan.Start {
			err = visit(tok, scan.Depth())
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", part, err)
	}
	return nil
}
