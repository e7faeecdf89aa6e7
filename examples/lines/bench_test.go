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
	log := pipeline.NewLog(defaultLines)
	for _, v := range pipeline.Variants() {
		b.Run(v.Name, func(b *testing.B) {
			if v.Alone {
				read(b, v, log, defaultReaders)
				return
			}
			for _, n := range (options{readers: defaultReaders}).swept() {
				b.Run("readers="+strconv.Itoa(n), func(b *testing.B) { read(b, v, log, n) })
			}
		})
	}
}

func read(b *testing.B, v pipeline.Variant, log pipeline.Log, readers int) {
	b.Helper()
	for b.Loop() {
		if err := once(v, log, defaultLines, readers); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(defaultLines, "lines/op")
}
