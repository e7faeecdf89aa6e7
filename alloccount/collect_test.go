package alloccount

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// recursive are the counters of a parser that calls itself up to depth times,
// below one line of the user's, and allocates in two lines.
func recursive(depth int) *counterfile.Counters {
	c := testBinary()
	value := counterfile.Frame{Function: "encoding/json.(*decodeState).value", File: "/go/src/encoding/json/decode.go", Line: 380, StartLine: 370}
	array := counterfile.Frame{Function: "encoding/json.(*decodeState).array", File: "/go/src/encoding/json/decode.go", Line: 555, StartLine: 500}
	outer := []counterfile.Frame{benchmark, runN}
	var entries []counterfile.Entry
	for i := range depth {
		outer = append([]counterfile.Frame{value, array}, outer...)
		entries = append(entries,
			counterfile.Entry{Stack: stackOf(append([]counterfile.Frame{toString, readRecord}, outer...)...), Size: int64(i % 40), Objects: 1, Bytes: 48},
			counterfile.Entry{Stack: stackOf(append([]counterfile.Frame{newObject, newReader}, outer...)...), Size: 112, Objects: 2, Bytes: 224})
	}
	measured(c, finished("BenchmarkDeep", 10), entries...)
	return c
}

// TestDeepRecursion: however deep and many the call paths are, the sites, the
// user's lines and all numbers are exact, and the profile stays small.
func TestDeepRecursion(t *testing.T) {
	for _, x := range []struct {
		name        string
		depth, refs int
		calls       int // of the longest path in the profile
		notes       int
	}{
		{"kept whole", 50, mostRefs, 103, 0},
		{"cut as runtime/pprof does", 1000, mostRefs, 131, 0},
		{"cut for their number", 1000, 5000, 67, 1},
		{"cut to the least", 1000, 10, 19, 1},
	} {
		t.Run(x.name, func(t *testing.T) {
			p, err := fromCounters([]*counterfile.Counters{recursive(x.depth)}, appOptions(), x.refs)
			if err != nil {
				t.Fatal(err)
			}
			longest := 0
			for _, s := range p.Sample {
				longest = max(longest, len(s.Location))
			}
			if longest != x.calls {
				t.Errorf("the longest call path has %d calls, want %d", longest, x.calls)
			}
			r := mustReport(t, p, ReportOptions{})
			if r.Attributed != 1 || len(r.Sites) != 2 || len(r.Notes) != x.notes {
				t.Errorf("attributed %v, %d sites, notes %q", r.Attributed, len(r.Sites), r.Notes)
			}
			for i, want := range []Site{
				{Function: newReader.Function, Line: newReader.Line, Objects: int64(2 * x.depth)},
				{Function: readRecord.Function, Line: readRecord.Line, Objects: int64(x.depth)},
			} {
				want.UserFunction, want.UserFile, want.UserLine, want.UserLines = benchmark.Function, benchmark.File, benchmark.Line, 1
				want.UserObjects = want.Objects
				if diff := cmp.Diff(&want, r.Sites[i], cmpopts.IgnoreFields(Site{}, "Package", "File", "StartLine", "Cause", "Bytes", "Requested", "PerRecord", "Share", "CumulativeShare", "SizeClasses", "Types")); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			}
		})
	}
}
