package alloccount

import (
	"errors"
	"flag"
	"testing"
)

// setBenchtime sets -benchtime for testing.Benchmark.
func setBenchtime(t *testing.T, value string) {
	t.Helper()
	f := flag.Lookup("test.benchtime")
	old := f.Value.String()
	if err := f.Value.Set(value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Value.Set(old); err != nil {
			t.Error(err)
		}
	})
}

// TestBenchmark: the metrics are exact, and agree with what -benchmem prints.
func TestBenchmark(t *testing.T) {
	setBenchtime(t, "1000x")
	r := testing.Benchmark(func(b *testing.B) {
		_, _ = parse(100) // before the timer starts
		Benchmark(b, 20, func() error { _, err := parse(20); return err })
	})
	if r.AllocsPerOp() != 22 || r.AllocedBytesPerOp() != 20*48+2*208 {
		t.Fatalf("testing counts %d objects and %d bytes", r.AllocsPerOp(), r.AllocedBytesPerOp())
	}
	near := func(unit string, want, by float64) {
		if got := r.Extra[unit]; got < want || got > want+by {
			t.Errorf("%v %s, want %v", got, unit, want)
		}
	}
	near("allocs/record", 1.1, 0.001) // the runtime may start a thread
	near("B/record", (20*48+2*208)/20., 1)
	near("small-%", 0, 0.1)
}

func TestBenchmarkSmall(t *testing.T) {
	setBenchtime(t, "1000x")
	r := testing.Benchmark(func(b *testing.B) {
		Benchmark(b, 1, func() error {
			keptBytes = make([]byte, 5)
			keptBytes = make([]byte, 32)
			keptBytes = make([]byte, 33)
			return nil
		})
	})
	if got := r.Extra["small-%"]; got < 66 || got > 67 {
		t.Errorf("%v small-%%", got)
	}
}

func TestBenchmarkFails(t *testing.T) {
	setBenchtime(t, "10x")
	for name, f := range map[string]func(b *testing.B){
		"an error":   func(b *testing.B) { Benchmark(b, 1, func() error { return errors.New("a fault") }) },
		"no records": func(b *testing.B) { Benchmark(b, 0, func() error { return nil }) },
	} {
		failed := false
		testing.Benchmark(func(b *testing.B) {
			defer func() { failed = b.Failed() }()
			f(b)
		})
		if !failed {
			t.Errorf("%s: not failed", name)
		}
	}
}

var keptBytes []byte
