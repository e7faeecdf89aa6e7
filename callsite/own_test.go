package callsite_test

import (
	"testing"

	"github.com/alloctop/alloctop/callsite"
)

var workspace = callsite.Rules{
	Modules: []callsite.Module{
		{Path: "example.com/app", Dir: "/home/u/app"},
		{Path: "example.com/lib/v2", Dir: "/home/u/app/lib"},
		{Path: "tool", Dir: "/home/u/src/runtime/"},
	},
	Others: []callsite.Module{
		{Path: "example.com/app/fork", Dir: "/home/u/app/third/fork"},
		{Path: "std", Dir: "/home/u/app/go/src"},
	},
}

func TestOwnsByDirectory(t *testing.T) {
	for file, want := range map[string]bool{
		"/home/u/app/main.go":                                      true,
		"/home/u/app/parse/parse_test.go":                          true,
		"/home/u/app/internal/runtime/maps/maps.go":                true,
		"/home/u/app/lib/lib.go":                                   true,
		"/home/u/src/runtime/tool.go":                              true,
		"/home/u/app2/main.go":                                     false, // no parent directory
		"/home/u/app/third/fork/f.go":                              false, // a nested module
		"/home/u/app/vendor/example.com/dep/d.go":                  false,
		"/home/u/app/.go/pkg/mod/example.com/dep@v1.2.3/d.go":      false, // GOPATH inside the project
		"/home/u/app/go/src/strings/builder.go":                    false, // the Go tree, too
		"/home/u/go/pkg/mod/example.com/app@v1.0.0/main.go":        false,
		"/usr/local/go/src/strings/builder.go":                     false,
		"/usr/local/go/src/vendor/golang.org/x/net/dns/message.go": false,
		"": false,
	} {
		f := callsite.Frame{Function: "example.com/app.F", File: file, Line: 1}
		if got := workspace.Owns(f); got != want {
			t.Errorf("Owns(%q) = %v, want %v", file, got, want)
		}
	}
}

func TestOwnsWithTrimpath(t *testing.T) {
	for file, want := range map[string]bool{
		"example.com/app/main.go":                   true,
		"example.com/app/cmd/x/main.go":             true,
		"example.com/app@v1.2.3/main.go":            true, // go install example.com/app@v1.2.3
		"example.com/lib/v2/lib.go":                 true,
		"example.com/lib/v2@v2.0.1/sub/lib.go":      true,
		"./a.go":                                    true, // go run -trimpath a.go
		"example.com/app/fork/f.go":                 false,
		"example.com/app/fork@v0.0.0/f.go":          false,
		"example.com/app/other@v1.0.0/f.go":         false, // a nested module that nobody named
		"example.com/app/vendor/example.com/d.go":   false,
		"example.com/application/main.go":           false,
		"example.com/lib@v1.0.0/lib.go":             false, // another major version
		"encoding/csv/reader.go":                    false,
		"runtime/malloc.go":                         false,
		"_cgo_gotypes.go":                           false,
		"example.com/dep@v1.0.0/example.com/app.go": false,
	} {
		f := callsite.Frame{Function: "example.com/app.F", File: file, Line: 1}
		if got := workspace.Owns(f); got != want {
			t.Errorf("Owns(%q) = %v, want %v", file, got, want)
		}
	}
}

// A profile from another machine: nobody knows where its files were.
func TestOwnsByImportPath(t *testing.T) {
	rules := callsite.Rules{
		Modules: []callsite.Module{{Path: "example.com/app"}},
		Others:  []callsite.Module{{Path: "example.com/app/fork"}},
		Main:    "example.com/app/cmd/serve",
	}
	for _, c := range []struct {
		function, file string
		want           bool
	}{
		{"example.com/app.F", "/build/src/app.go", true},
		{"example.com/app_test.TestF", "/build/src/app_test.go", true},
		{"example.com/app/parse.(*P).Parse", "/build/src/parse/parse.go", true},
		{"main.main", "/build/src/cmd/serve/main.go", true},
		{"main.main.Collect[...]-range1", "/usr/local/go/src/slices/iter.go", false},
		{"example.com/app/parse.F.Collect[...]-range1", "/usr/local/go/src/slices/iter.go", false},
		{"example.com/app/fork.F", "/build/src/fork/f.go", false},
		{"example.com/application.F", "/build/app.go", false},
		{"encoding/csv.NewReader", "/usr/local/go/src/encoding/csv/reader.go", false},
	} {
		f := callsite.Frame{Function: c.function, File: c.file, Line: 1}
		if got := rules.Owns(f); got != c.want {
			t.Errorf("Owns(%s in %s) = %v, want %v", c.function, c.file, got, c.want)
		}
	}
}

// go test encoding/csv: the package under test is the user's, and nothing else
// of the standard library.
func TestOwnsNamedPackages(t *testing.T) {
	rules := callsite.Rules{Packages: []string{"encoding/csv", "github.com/foo/bar/v3", "gopkg.in/yaml.v3", "golang.org/x/tools/cmd/stringer"}, Main: "golang.org/x/tools/cmd/stringer"}
	for _, c := range []struct {
		function, file string
		want           bool
	}{
		{"encoding/csv.(*Reader).readRecord", "/usr/local/go/src/encoding/csv/reader.go", true},
		{"encoding/csv.(*Reader).readRecord", "encoding/csv/reader.go", true},
		{"encoding/csv_test.ExampleReader", "/usr/local/go/src/encoding/csv/example_test.go", true},
		{"encoding/csv.TestRead.Collect[...]-range1", "/usr/local/go/src/slices/iter.go", false},
		{"encoding/json.Unmarshal", "/usr/local/go/src/encoding/json/decode.go", false},
		{"github.com/foo/bar/v3.F", "/home/u/go/pkg/mod/github.com/foo/bar/v3@v3.1.0/f.go", true},
		{"gopkg.in/yaml%2ev3.F", "/home/u/go/pkg/mod/gopkg.in/yaml.v3@v3.0.1/f.go", true},
		{"main.main", "/home/u/go/pkg/mod/golang.org/x/tools@v0.40.0/cmd/stringer/stringer.go", true},
	} {
		f := callsite.Frame{Function: c.function, File: c.file, Line: 1}
		if got := rules.Owns(f); got != c.want {
			t.Errorf("Owns(%s in %s) = %v, want %v", c.function, c.file, got, c.want)
		}
	}
}

func TestZeroRulesOwnNothing(t *testing.T) {
	f := callsite.Frame{Function: "main.main", File: "/home/u/app/main.go", Line: 1}
	if (callsite.Rules{}).Owns(f) {
		t.Errorf("without modules, %s is the user's", f.File)
	}
}
