package benchtable

import (
	"strings"
	"testing"

	"github.com/alloctop/alloctop/internal/texttab"
)

func text(t *testing.T, rows []Row, width int) string {
	t.Helper()
	table, err := New(rows, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := table.WriteText(&b, TextOptions{Width: width}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWriteText(t *testing.T) {
	got := text(t, []Row{
		{Name: "BenchmarkListOfTasks-2", Seconds: []float64{.507, .509, .505}, GCs: []float64{20, 22}, Bytes: []float64{200.91 * (1 << 20)}, Allocs: []float64{2.5}, Unit: "lines"},
		{Name: "BenchmarkChannel/readers=3-2", Seconds: []float64{.279, .279, .279}, GCs: []float64{0.0005}, Bytes: []float64{251.62 * (1 << 20)}, Allocs: []float64{3, 3}, Unit: "lines"},
		{Name: "BenchmarkUnmeasured-2", Allocs: []float64{1, 2}, Unit: "lines"},
	}, 0)
	want := `benchmark              mean    error  std dev  ratio    dev   GC/1000   bytes/op  allocs/record
ListOfTasks        507.0 ms  36.5 ms   2.0 ms   1.00   0.00  21,000    200.9 MiB            2.5
Channel/readers=3  279.0 ms   0.0 ms   0.0 ms   0.55  <0.01       0.5  251.6 MiB            3
Unmeasured                                                                                  1.5

error: half of the 99.9 % confidence interval of the mean; std dev: standard deviation of the runs;
ratio: of the mean to that of ListOfTasks; dev: standard deviation of the ratio; GC/1000:
collections in 1,000 operations; records: lines; 3 runs
allocations differ between runs: Unmeasured by 50 %
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Numbers per different things say in each row what they are per.
func TestRecordsOfRows(t *testing.T) {
	got := text(t, []Row{
		{Name: "BenchmarkRows", Allocs: []float64{14.01, 14.01}, Unit: "rows"},
		{Name: "BenchmarkFile", Allocs: []float64{143.1, 143.10001}},
		{Name: "BenchmarkTimed", Seconds: []float64{1}},
	}, 0)
	want := `benchmark     mean  ratio  allocs/record  records
Rows                               14.01  rows
File                              143.1   operations
Timed      1.000 s   1.00

ratio: of the mean to that of Timed; records: what the allocations of a row are divided by; 1 run,
so there is no error
allocations differ between runs: File by less than 0.01 %
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Columns of which nothing is known are left out, and names are cut to the width.
func TestWidth(t *testing.T) {
	long := "Benchmark" + strings.Repeat("解析", 60) + "\x1b[2J"
	rows := []Row{
		{Name: long, Seconds: []float64{1e-9, 2e-9}, GCs: []float64{1.0 / 3}, Bytes: []float64{1e9}, Allocs: []float64{123456.789}},
		{Name: "BenchmarkB", Seconds: []float64{100, 200}, GCs: []float64{1e4}, Bytes: []float64{2}, Allocs: []float64{0.001}},
	}
	for line := range strings.Lines(text(t, rows[:1], 100)) {
		if line = strings.TrimSuffix(line, "\n"); texttab.Width(line) > 100 || strings.Contains(line, "\x1b") {
			t.Errorf("%d columns: %q", texttab.Width(line), line)
		}
	}
	if got := text(t, []Row{{Name: "a", Allocs: []float64{2}}}, 100); strings.Contains(got, "mean") || strings.Contains(got, "ratio") {
		t.Errorf("columns without values:\n%s", got)
	}
	got := text(t, rows, 120) // what is not 0 is not shown as 0, however far apart the values are
	for _, cell := range []string{"150,000,000,000.000 ns", "1,000,000,000 B", "0.001", "123,456.8", "10,000,000"} {
		if !strings.Contains(got, cell) {
			t.Errorf("no %s in\n%s", cell, got)
		}
	}
}

func TestNoRows(t *testing.T) {
	table, err := New(nil, Options{})
	if err != nil || table.Baseline != -1 || len(table.Lines) != 0 {
		t.Errorf("%+v, %v", table, err)
	}
}

// Sizes far apart have the unit in which both can be read.
func TestByteScale(t *testing.T) {
	for _, c := range []struct {
		sizes []float64
		want  string
	}{
		{[]float64{128.5 * 1024, 117.25 * (1 << 20)}, "0.13 MiB, 117.25 MiB"},
		{[]float64{458, 1 << 30}, "0.45 KiB, 1,048,576.00 KiB"},
		{[]float64{0, 48}, "0 B, 48 B"},
		{[]float64{0.25, 5000}, "<1 B, 5,000 B"},
		{[]float64{200 * (1 << 20), 250 * (1 << 20)}, "200.0 MiB, 250.0 MiB"},
	} {
		values := []*float64{&c.sizes[0], &c.sizes[1]}
		if got := strings.Join(byteScale(values).cells(values), ", "); got != c.want {
			t.Errorf("%v: %s, want %s", c.sizes, got, c.want)
		}
	}
}
