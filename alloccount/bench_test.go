package alloccount

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// manySites are the counters of a process that allocates at n lines, each
// reached by two stacks 20 calls deep.
func manySites(n int) *counterfile.Counters {
	c := testBinary()
	deep := make([]counterfile.Frame, 18)
	for i := range deep {
		deep[i] = counterfile.Frame{Function: fmt.Sprintf("example.com/app/parse.(*Parser).level%d", i), File: "/home/me/app/parse/parse.go", Line: 100 + i, StartLine: 90 + i}
	}
	entries := make([]counterfile.Entry, 0, 2*n)
	for i := range n {
		f := counterfile.Frame{Function: fmt.Sprintf("example.com/app/gen.f%d", i), File: fmt.Sprintf("/home/me/app/gen/gen%d.go", i%100), Line: i, StartLine: 1}
		for _, deeper := range [][]counterfile.Frame{deep, deep[1:]} {
			stack := stackOf(append([]counterfile.Frame{mallocgc, newObject, f}, deeper...)...)
			entries = append(entries, counterfile.Entry{Stack: stack, Size: int64(8 + i%500), Type: "gen.T", Objects: int64(i + 1), Bytes: 512})
		}
	}
	measured(c, finished("BenchmarkGen", 1000), entries...)
	return c
}

// BenchmarkHuge makes and prints the report of 100,000 sites.
func BenchmarkHuge(b *testing.B) {
	c := manySites(100_000)
	p := mustProfile(b, appOptions(), c)
	r := mustReport(b, p, ReportOptions{})
	var file bytes.Buffer
	if err := WriteProfile(&file, p); err != nil {
		b.Fatal(err)
	}
	for _, x := range []struct {
		name string
		f    func() error
	}{
		{"FromCounters", func() error { _, err := FromCounters([]*counterfile.Counters{c}, appOptions()); return err }},
		{"NewReport", func() error { _, err := NewReport(p, ReportOptions{}); return err }},
		{"ByUser", func() error { _, err := NewReport(p, ReportOptions{By: ByUser}); return err }},
		{"WriteText", func() error { return r.WriteText(io.Discard, TextOptions{}) }},
		{"WriteTextAll", func() error { return r.WriteText(io.Discard, TextOptions{Top: 1 << 30}) }},
		{"WriteProfile", func() error { return WriteProfile(io.Discard, p) }},
		{"ReadProfile", func() error { _, err := ReadProfile(bytes.NewReader(file.Bytes())); return err }},
		{"WriteJSON", func() error { return r.WriteJSON(io.Discard) }},
	} {
		b.Run(x.name, func(b *testing.B) {
			for b.Loop() {
				if err := x.f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
