// Package parsers has the JSON parsers of the study behind one function type:
// each reads a whole document, as its own documentation shows it, and then looks
// at every element once.
package parsers

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bytedance/sonic"
	goccy "github.com/goccy/go-json"
	"github.com/minio/simdjson-go"

	"github.com/alloctop/alloctop/examples/jsonparse/internal/document"
)

// Func parses a document and reads all elements of what it made. It does not
// change doc. It may be called from several goroutines.
type Func func(doc []byte) (document.Digest, error)

// Parser is one parser.
type Parser struct {
	Name  string
	Parse Func   // nil if it does not run here
	Lacks string // what it would need, "" if it runs
	Note  string // what a reader of its numbers must know
}

// Standard is the name of the parser that settings are compared with.
const Standard = "encoding/json"

// Typed is the name of the parser that is told the types of the document.
const Typed = "encoding/json into types"

// JSONv2 is the name of the parser that needs the experiment of that name.
const JSONv2 = "encoding/json/v2"

// All returns all parsers, that of the standard library first, those included
// that do not run here.
func All() []Parser {
	return []Parser{
		{Name: Standard, Parse: parseStandard},
		{Name: Typed, Parse: parseTyped},
		jsonV2(),
		{Name: "goccy/go-json", Parse: parseGoccy},
		newSonic(),
		{Name: "valyala/fastjson", Parse: parseFast},
		newSIMD(),
	}
}

// Find returns the parser of a name, if it runs here.
func Find(name string) (Parser, error) {
	for _, p := range All() {
		switch {
		case p.Name != name:
		case p.Parse == nil:
			return p, fmt.Errorf("%s does not run here: %s", name, p.Lacks)
		default:
			return p, nil
		}
	}
	return Parser{}, fmt.Errorf("there is no parser %q", name)
}

// Changes reports whether the experiment of [JSONv2] changes the parser of this
// name: all that are part of the standard library.
func Changes(name string) bool { return strings.HasPrefix(name, Standard) }

// unmarshal returns the Func of a parser that has the form of json.Unmarshal.
func unmarshal(f func([]byte, any) error) Func {
	return func(doc []byte) (document.Digest, error) {
		var tree map[string]any
		if err := f(doc, &tree); err != nil {
			return nil, err
		}
		return digestTree(tree)
	}
}

func parseStandard(doc []byte) (document.Digest, error) { return unmarshal(json.Unmarshal)(doc) }

func parseGoccy(doc []byte) (document.Digest, error) {
	return unmarshal(func(doc []byte, v any) error { return goccy.Unmarshal(doc, v) })(doc)
}

func newSonic() Parser {
	p := Parser{Name: "bytedance/sonic", Parse: unmarshal(sonic.Unmarshal)}
	if sonic.APIKind == sonic.UseStdJSON {
		p.Note = "it does not know this release of Go or this processor, and calls encoding/json"
	}
	return p
}

func newSIMD() Parser {
	p := Parser{Name: "minio/simdjson-go"}
	if simdjson.SupportedCPU() {
		p.Parse = parseSIMD
	} else {
		p.Lacks = "a processor with AVX2 and CLMUL"
	}
	return p
}

// digestTree reads a tree as encoding/json makes it.
func digestTree(tree map[string]any) (document.Digest, error) {
	digest := make(document.Digest, 0, len(tree))
	for name, value := range tree {
		elements, ok := value.([]any)
		if !ok {
			return nil, fmt.Errorf("%s is a %T: want an array", name, value)
		}
		a := document.NewArray(name)
		for _, e := range elements {
			switch e := e.(type) {
			case float64:
				a.AddNumber(e)
			case string:
				document.AddText(&a, e)
			default:
				return nil, fmt.Errorf("%s has a %T: want numbers and texts", name, e)
			}
		}
		digest = append(digest, a)
	}
	digest.Sort()
	return digest, nil
}
