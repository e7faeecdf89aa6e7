package parsers_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/examples/jsonparse/internal/document"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/parsers"
)

// TestSameResult: all parsers find the same numbers and texts.
func TestSameResult(t *testing.T) {
	for _, elements := range []int{0, 1, 2, 3000} {
		doc := document.New(elements)
		want, err := parse(parsers.Standard, doc)
		if err != nil {
			t.Fatal(err)
		}
		if len(want) != document.Arrays || want.Elements() != elements*document.Arrays {
			t.Fatalf("%d arrays, %d elements: want %d, %d", len(want), want.Elements(), document.Arrays, elements*document.Arrays)
		}
		for _, p := range parsers.All() {
			if p.Parse == nil {
				t.Logf("%s does not run here: %s", p.Name, p.Lacks)
				continue
			}
			got, err := p.Parse(doc)
			if err != nil {
				t.Errorf("%s: %v", p.Name, err)
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %d elements: -%s +%s:\n%s", p.Name, elements, parsers.Standard, p.Name, diff)
			}
		}
	}
}

// TestKnown: the digest is that of what stands in the document.
func TestKnown(t *testing.T) {
	doc := []byte(`{"array0":[1.5,-2e2],"array1":["\u00e9a",""]}`)
	for _, p := range parsers.All() {
		if p.Parse == nil || p.Name == parsers.Typed { // which has all ten arrays
			continue
		}
		got, err := p.Parse(doc)
		if err != nil || len(got) != 2 {
			t.Errorf("%s: %v, %v", p.Name, got, err)
			continue
		}
		if a := got[0]; a.Name != "array0" || a.Numbers != 2 || a.Sum != 1.5-200 || a.Texts != 0 {
			t.Errorf("%s: %+v", p.Name, a)
		}
		if a := got[1]; a.Name != "array1" || a.Numbers != 0 || a.Texts != 2 || a.Bytes != len("éa") {
			t.Errorf("%s: %+v", p.Name, a)
		}
	}
}

// TestDamaged: a document that is cut off is an error, and no panic.
func TestDamaged(t *testing.T) {
	doc := document.New(100)
	for _, p := range parsers.All() {
		if p.Parse == nil {
			continue
		}
		if got, err := p.Parse(doc[:len(doc)/2]); err == nil {
			t.Errorf("%s: half a document is %d elements and no error", p.Name, got.Elements())
		}
	}
}

func TestFind(t *testing.T) {
	if _, err := parsers.Find("no such"); err == nil {
		t.Error("a parser that does not exist was found")
	}
}

func TestDocument(t *testing.T) {
	// The story's document is 60 MB; one of a hundredth has a hundredth.
	const elements = 5000
	doc := document.New(elements)
	if got := float64(len(doc)) / (document.Arrays * elements); math.Abs(got-12) > 0.01 {
		t.Errorf("%.3f bytes for an element, want 12", got)
	}
	if string(doc) != string(document.New(elements)) {
		t.Error("the same size gives two documents")
	}
}

func parse(name string, doc []byte) (document.Digest, error) {
	p, err := parsers.Find(name)
	if err != nil {
		return nil, err
	}
	return p.Parse(doc)
}
