package main

import (
	"strconv"
	"testing"

	"github.com/alloctop/alloctop/examples/lines/pipeline"
)

// BenchmarkLines has a benchmark for each shape, and where there is a choice one for
// each number of readers.
//
//	alloctop --per lines/op -- go test -bench . ./examples/lines
func BenchmarkLines(b *testing.B) {
	data := pipeline.Data(defaultLines)
	for _, v := range pipeline.Variants() {
		b.Run(v.Name, func(b *testing.B) {
			if v.Alone {
				read(b, v, data, defaultReaders)
				return
			}
			for _, n := range (options{readers: defaultReaders}).swept() {
				b.Run("readers="+strconv.Itoa(n), func(b *testing.B) { read(b, v, data, n) })
			}
		})
	}
}

func read(b *testing.B, v pipeline.Variant, data []byte, readers int) {
	b.Helper()
	for b.Loop() {
		if err := once(v, data, defaultLines, readers); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(defaultLines, "lines/op")
}
