package workbook_test

import (
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/alloctop/alloctop/examples/xlsx/internal/testbook"
	"github.com/alloctop/alloctop/examples/xlsx/workbook"
)

// TestAllocationsPerCell holds the three levels to what the study says of them.
func TestAllocationsPerCell(t *testing.T) {
	size := testbook.Size{Sheets: 4, Rows: 2500}
	path := filepath.Join(t.TempDir(), "book.xlsx")
	if err := testbook.Write(path, size); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		level    workbook.Level
		min, max float64
	}{
		{workbook.Naive, 18, 22},
		{workbook.Tuned, 1, 9.1},
		{workbook.Best, 0, 0.05}, // less than 1, and by far
	} {
		got := float64(mallocs(t, path, c.level)) / float64(size.Cells())
		t.Logf("%v: %.3f allocations per cell", c.level, got)
		if got < c.min || got > c.max {
			t.Errorf("%v: %.3f allocations per cell: want %v to %v", c.level, got, c.min, c.max)
		}
	}
}

// mallocs returns the objects that reading the file on one thread allocates.
func mallocs(t *testing.T, path string, level workbook.Level) uint64 {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which would empty pools
	var before, after runtime.MemStats
	for range 2 { // the first fills them
		runtime.ReadMemStats(&before)
		w, err := workbook.Open(path, workbook.Options{Level: level})
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		runtime.KeepAlive(w)
	}
	return after.Mallocs - before.Mallocs
}
