package callsite_test

import (
	"strings"
	"testing"

	"github.com/alloctop/alloctop/callsite"
)

func FuzzNormalize(f *testing.F) {
	for _, s := range []string{
		"main.main", "example.com/dot/my%2epkg.(*L[go.shape.struct { main.x int }]).Add", "main.main.func43.Collect[...]-range1",
		`a[b"]"]c`, "a[[b]", "a]b[", "%2%2ee", "gopkg.in/yaml%2ev3.F", "type:.eq.main.T", "x/y.z[", "%2e/0.",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := callsite.Normalize(s)
		if again := callsite.Normalize(n); again != n {
			t.Errorf("Normalize(%q) = %q, and of that %q", s, n, again)
		}
		if strings.Count(n, "[") > strings.Count(n, "[...]") {
			t.Errorf("Normalize(%q) = %q has brackets of its own", s, n)
		}
		if p := callsite.Package(s); !strings.HasPrefix(n, p) {
			t.Errorf("Package(%q) = %q does not start %q", s, p, n)
		}
	})
}

func FuzzLocate(f *testing.F) {
	for _, c := range located {
		f.Add(strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(c.stack), "\t\t\t", ""), "$G", "/usr/local/go/src"), 45)
	}
	f.Fuzz(func(t *testing.T, text string, start int) {
		var stack []callsite.Frame
		for i, line := range strings.Split(text, "\n") {
			function, file, _ := strings.Cut(line, "\t")
			file, _, _ = strings.Cut(file, ":")
			stack = append(stack, callsite.Frame{Function: function, File: file, Line: start + i, StartLine: start})
		}
		for _, r := range []callsite.Rules{{}, app, workspace, {Packages: []string{"main", "encoding/csv"}, Main: "example.com/app"}} {
			checkLocation(t, r, stack, r.Locate(stack))
		}
	})
}
