package alloccount

import (
	"encoding/binary"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestMeasureOften: many Measures leave nothing behind, and count the same.
func TestMeasureOften(t *testing.T) {
	mustLeaveNothing(t, func(times int) {
		for range times {
			r := mustMeasure(t, MeasureOptions{WarmUp: 1}, func() (int, error) { return parse(100) })
			if ownObjects(r.Scope) != 110 || ownObjects(r.Scopes[1]) != 110 {
				t.Fatalf("report:\n%s", text(t, r))
			}
		}
	})
}

// mustLeaveNothing has many Measures made, and fails if each leaves something.
func mustLeaveNothing(t *testing.T, measure func(times int)) {
	t.Helper()
	times := 1000
	if testing.Short() || raceEnabled {
		times = 50
	}
	measure(times / 10)
	heap, goroutines := heapInUse(), runtime.NumGoroutine()
	// What is left in the counter file takes 16 bytes or more. A stack that is
	// seen for the first time, or a table that grows, is there once.
	const rounds = 3
	for round := 1; ; round++ {
		used := counterFileUsed(t)
		measure(times)
		left := counterFileUsed(t) - used
		if left < int64(times)*16 {
			break
		}
		if round == rounds {
			t.Fatalf("%d Measures made the counter file %d bytes longer", times, left)
		}
	}
	if more := int64(heapInUse()) - int64(heap); more > 200<<10 {
		t.Errorf("%d bytes more are in use after %d Measures", more, times)
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("%d goroutines, before %d", n, goroutines)
	}
}

// heapInUse returns the bytes of live objects.
func heapInUse() uint64 {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// counterFileUsed returns how much of this process's counter file is in use, 0
// without one. The number is in its head.
func counterFileUsed(t *testing.T) int64 {
	t.Helper()
	if !hooked() {
		return 0
	}
	f, err := os.Open(hookFile())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	head := make([]byte, 40)
	if _, err := f.ReadAt(head, 0); err != nil {
		t.Fatal(err)
	}
	return int64(binary.LittleEndian.Uint64(head[32:]))
}
