package main

import (
	"testing"

	"github.com/alloctop/alloctop/examples/jsonparse/internal/document"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/parsers"
)

// BenchmarkParse parses one document by each parser. What it allocates for an
// element, and where, is shown by
//
//	alloctop --per elements/op -- go test -bench . ./examples/jsonparse
func BenchmarkParse(b *testing.B) {
	const elements = 20_000
	doc := document.New(elements)
	for _, p := range parsers.All() {
		b.Run(p.Name, func(b *testing.B) {
			if p.Parse == nil {
				b.Skipf("it needs %s", p.Lacks)
			}
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				if _, err := p.Parse(doc); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(document.Arrays*elements, "elements/op")
		})
	}
}
