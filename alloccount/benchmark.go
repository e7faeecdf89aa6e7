package alloccount

import "testing"

// Benchmark runs f as the loop of a benchmark. One call of f works on the
// given number of records. Beside the time, Benchmark reports
//
//   - allocs/record, with decimals, where allocs/op is cut to a whole number;
//   - B/record, the bytes of the slots that the allocator took;
//   - small-%, the part of the allocations with slots of 32 bytes or less.
//
// benchstat compares them like all metrics. Nothing is profiled, so the times
// are f's own. The counts are those of the whole process, as for -benchmem.
//
// Benchmark fails b if f returns an error or records is not positive.
func Benchmark(b *testing.B, records int, f func() error) {
	b.Helper()
	if records < 1 {
		b.Fatalf("alloccount.Benchmark: a call that works on %d records; it must be 1 or more", records)
	}
	p := newPart(b.Name(), 0)
	var calls int64
	for b.Loop() {
		if calls == 0 { // by now the timer is reset
			b.StopTimer()
			p.openCounts()
			b.StartTimer()
		}
		if err := f(); err != nil {
			b.Fatal(err)
		}
		calls++
	}
	p.closeCounts()
	all := p.growth.counted
	b.ReportMetric(ratio(all.Objects, calls*int64(records)), "allocs/record")
	b.ReportMetric(ratio(all.Bytes, calls*int64(records)), "B/record")
	b.ReportMetric(100*ratio(p.smallSlots(), all.Objects), "small-%")
}

// smallSlots returns how many objects p counted in slots that are small.
func (p *part) smallSlots() int64 {
	n := p.growth.tiny
	for class, objects := range p.growth.byClass(p.from) {
		if class <= small {
			n += objects
		}
	}
	return n
}
