package parsers

import (
	"fmt"

	"github.com/valyala/fastjson"

	"github.com/alloctop/alloctop/examples/jsonparse/internal/document"
)

// parseFast uses a parser of its own for each document. One who has many
// documents would keep it, and with it the memory of the largest.
func parseFast(doc []byte) (document.Digest, error) {
	var parser fastjson.Parser
	root, err := parser.ParseBytes(doc)
	if err != nil {
		return nil, err
	}
	object, err := root.Object()
	if err != nil {
		return nil, err
	}
	digest := make(document.Digest, 0, object.Len())
	var failed error
	object.Visit(func(name []byte, value *fastjson.Value) {
		a, err := digestFast(string(name), value)
		if err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", name, err)
		}
		digest = append(digest, a)
	})
	return digest, failed
}

func digestFast(name string, value *fastjson.Value) (document.Array, error) {
	a := document.NewArray(name)
	elements, err := value.Array()
	if err != nil {
		return a, err
	}
	for _, e := range elements {
		if e.Type() == fastjson.TypeNumber {
			f, err := e.Float64()
			if err != nil {
				return a, err
			}
			a.AddNumber(f)
			continue
		}
		text, err := e.StringBytes()
		if err != nil {
			return a, err
		}
		document.AddText(&a, text)
	}
	return a, nil
}
