package alloccount

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPprofAgrees: go tool pprof, which knows nothing of alloctop, finds the
// same objects, bytes and requested bytes at the same lines and functions.
func TestPprofAgrees(t *testing.T) {
	c := csvCounters()
	c.Windows = nil
	p := mustProfile(t, appOptions(), c)
	r := mustReport(t, p, ReportOptions{})
	file := filepath.Join(t.TempDir(), "allocs.pb.gz")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteProfile(f, p); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct {
		sample string
		of     func(*Site) int64
	}{
		{allocObjects, func(x *Site) int64 { return x.Objects }},
		{allocSpace, func(x *Site) int64 { return x.Bytes }},
		{requestedSpace, func(x *Site) int64 { return x.Requested }},
	} {
		lines, functions := make(map[string]int64), make(map[string]int64)
		for _, x := range r.Sites {
			lines[fmt.Sprintf("%s %s:%d", x.Function, x.File, x.Line)] += v.of(x)
			functions[x.Function] += v.of(x)
		}
		for flag, want := range map[string]map[string]int64{"-lines": lines, "-functions": functions} {
			got := pprofTop(t, flag, "-sample_index="+v.sample, file)
			for name, n := range want {
				if got[name] != n {
					t.Errorf("%s %s: pprof has %d at %s, the report %d", v.sample, flag, got[name], name, n)
				}
			}
		}
	}
}

var topLine = regexp.MustCompile(`(?m)^ +(\d+)(?:B)? +\S+ +\S+ +\S+ +\S+ +(.*?)(?: \(inline\))?$`)

// pprofTop returns the flat values that go tool pprof prints.
func pprofTop(t *testing.T, args ...string) map[string]int64 {
	t.Helper()
	out, err := exec.Command("go", append([]string{"tool", "pprof", "-top", "-unit=B", "-nodefraction=0", "-nodecount=1000"}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("go tool pprof: %v (the go command must be in PATH)\n%s", err, out)
	}
	flat := make(map[string]int64)
	for _, m := range topLine.FindAllStringSubmatch(string(out), -1) {
		n, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		flat[strings.TrimSpace(m[2])] = n
	}
	if len(flat) == 0 {
		t.Fatalf("nothing understood in what go tool pprof printed:\n%s", out)
	}
	return flat
}
