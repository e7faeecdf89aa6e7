package alloccount

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares what r prints with testdata/text/NAME.txt.
func golden(t *testing.T, name string, r *Report, o TextOptions) {
	t.Helper()
	var got bytes.Buffer
	if err := r.WriteText(&got, o); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", "text", name+".txt")
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run go test -update to write it, and look at it", err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s: -want +got:\n%s", file, diff)
	}
}

func TestTextBenchmark(t *testing.T) {
	r := mustReport(t, mustProfile(t, appOptions, csvCounters()), ReportOptions{})
	golden(t, "benchmark", r, TextOptions{})
	golden(t, "benchmark80", r, TextOptions{Width: 80})
}
