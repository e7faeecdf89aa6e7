package browsertest

import (
	"fmt"
	"os"
	"testing"
)

// Numbers read as they do in the report at the terminal.
func TestFormats(t *testing.T) {
	text, err := os.ReadFile("../assets/js/10-format.js")
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t, 1280, false)
	for _, c := range []struct{ call, want string }{
		{"count(4800886)", "4,800,886"}, {"count(0)", "0"},
		{"many(1, 'line', 'lines')", "1 line"}, {"many(2000, 'line', 'lines')", "2,000 lines"},
		{"ratio(32, 2)", "16"}, {"ratio(460044, 28752)", "16.0"}, {"ratio(998, 100)", "9.98"}, {"ratio(31, 10000)", "0.0031"}, {"ratio(0, 7)", "0"}, {"ratio(1, 0)", ""},
		{"cell(1, 1000)", "<0.01"}, {"cell(33, 100)", "0.33"}, {"cell(0, 3)", "0"},
		{"percent(1, 1)", "100.0 %"}, {"percent(99999, 100000)", "99.9 %"}, {"percent(1, 100000)", "<0.1 %"}, {"percent(0, 5)", "0.0 %"}, {"percent(0, 0)", "100.0 %"},
		{"percent(100001, 100000)", "100.1 %"}, {"percent(681, 1000)", "68.1 %"}, {"percent(9999, 10000, 2)", "99.99 %"}, {"percent(999999, 1000000, 0)", "99 %"},
		{"bytes(0)", "0 B"}, {"bytes(664)", "664 B"}, {"bytes(664.2)", "664.2 B"}, {"bytes(1536)", "1.5 KiB"}, {"bytes(1048576)", "1.0 MiB"}, {"bytes(0.5)", "0.5 B"}, {"bytes(2**41)", "2.0 TiB"},
		{"bound(512)", "512 B"}, {"bound(1024)", "1 KiB"}, {"bound(1152)", "1152 B"},
		{"seconds(0)", "0 s"}, {"seconds(1.234)", "1.23 s"}, {"seconds(0.045)", "45.0 ms"}, {"seconds(0.0000123)", "12.3 µs"}, {"seconds(1.82e-8)", "18.2 ns"}, {"seconds(120)", "120.0 s"},
		{"brief(0)", "0"}, {"brief(950)", "950"}, {"brief(1234)", "1.23k"}, {"brief(45e6)", "45M"}, {"brief(0.0036)", "0.0036"}, {"brief(0.0000359)", "3.6e-5"}, {"brief(0.000015000000000000002)", "1.5e-5"}, {"brief(1e-5)", "1e-5"}, {"brief(999.9)", "1k"},
		{"briefBytes(2048)", "2 KiB"}, {"briefBytes(0)", "0 B"}, {"briefBytes(0.01)", "0.01 B"}, {"briefBytes(0.00002)", "2e-5 B"},
		{"cutLeft('encoding/csv/reader.go:1', 40)", "encoding/csv/reader.go:1"}, {"cutLeft('github.com/a/b/c/reader.go:1', 18)", "…/b/c/reader.go:1"},
		{"cutRight('abcdef', 4)", "abc…"},
	} {
		if got := eval[string](b, fmt.Sprintf("(() => {%s; return %s;})()", text, c.call)); got != c.want {
			t.Errorf("%s is %q, want %q", c.call, got, c.want)
		}
	}
}
