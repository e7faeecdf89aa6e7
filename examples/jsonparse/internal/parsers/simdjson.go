package parsers

import (
	"fmt"

	"github.com/minio/simdjson-go"

	"github.com/alloctop/alloctop/examples/jsonparse/internal/document"
)

func parseSIMD(doc []byte) (document.Digest, error) {
	parsed, err := simdjson.Parse(doc, nil)
	if err != nil {
		return nil, err
	}
	iter := parsed.Iter()
	iter.AdvanceInto()
	_, root, err := iter.Root(nil)
	if err != nil {
		return nil, err
	}
	object, err := root.Object(nil)
	if err != nil {
		return nil, err
	}
	var (
		digest document.Digest
		value  simdjson.Iter
		array  *simdjson.Array
	)
	for {
		name, kind, err := object.NextElement(&value)
		if err != nil {
			return nil, err
		}
		if kind == simdjson.TypeNone {
			return digest, nil
		}
		if array, err = value.Array(array); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		a, err := digestSIMD(name, array)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		digest = append(digest, a)
	}
}

func digestSIMD(name string, array *simdjson.Array) (document.Array, error) {
	a := document.NewArray(name)
	elements := array.Iter()
	for {
		switch elements.Advance() {
		case simdjson.TypeNone:
			return a, nil
		case simdjson.TypeString:
			text, err := elements.StringBytes()
			if err != nil {
				return a, err
			}
			document.AddText(&a, text)
		default:
			f, err := elements.Float()
			if err != nil {
				return a, err
			}
			a.AddNumber(f)
		}
	}
}
