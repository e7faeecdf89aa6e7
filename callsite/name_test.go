package callsite_test

import (
	"testing"

	"github.com/alloctop/alloctop/callsite"
)

func TestNames(t *testing.T) {
	for _, c := range []struct{ symbol, normal, pkg string }{
		{"main.main", "main.main", "main"},
		{"encoding/csv.(*Reader).readRecord", "encoding/csv.(*Reader).readRecord", "encoding/csv"},
		{"encoding/csv_test.BenchmarkRead", "encoding/csv_test.BenchmarkRead", "encoding/csv_test"},
		{"net/http.HandlerFunc.ServeHTTP", "net/http.HandlerFunc.ServeHTTP", "net/http"},
		{"example.com/x.init.0", "example.com/x.init.0", "example.com/x"},
		{"example.com/x.glob..func1", "example.com/x.glob..func1", "example.com/x"},
		{"example.com/dot/my%2epkg.F", "example.com/dot/my.pkg.F", "example.com/dot/my.pkg"},
		{"example.com/dot/my%2Epkg.(*T).M", "example.com/dot/my.pkg.(*T).M", "example.com/dot/my.pkg"},
		{"gopkg.in/yaml%2ev3.(*Decoder).Decode", "gopkg.in/yaml.v3.(*Decoder).Decode", "gopkg.in/yaml.v3"},
		{"main.G[go.shape.string]", "main.G[...]", "main"},
		{"main.G[...]", "main.G[...]", "main"},
		{"main.(*L[go.shape.struct { main.x int; main.y [4]int }]).Add", "main.(*L[...]).Add", "main"},
		{"slices.SortFunc[go.shape.[]example.com/a/b.T,go.shape.struct {}].func1", "slices.SortFunc[...].func1", "slices"},
		{`main.G[go.shape.struct { A int "json:\"a]b\"" }].func1`, "main.G[...].func1", "main"},
		{"main.main.func43.Collect[...]-range1", "main.main.func43.Collect[...]-range1", "main"},
		{"main.main.Keys[go.shape.map[string]int,go.shape.string].func4", "main.main.Keys[...].func4", "main"},
		{"main.struct { example.com/x.I; *example.com/y.T }.M-fm", "main.struct { example.com/x.I; *example.com/y.T }.M-fm", "main"},
		{"vendor/golang.org/x/net/dns/dnsmessage.(*Parser).Start", "vendor/golang.org/x/net/dns/dnsmessage.(*Parser).Start", "vendor/golang.org/x/net/dns/dnsmessage"},
		{"_cgoexp_e7f7a5bc8a23_goCallback", "_cgoexp_e7f7a5bc8a23_goCallback", ""},
		{"memeqbody", "memeqbody", ""},
		{"type:.eq.[2]example.com/x.T", "type:.eq.[...]example.com/x.T", ""},
		{"go:struct { sync.Mutex }.Lock", "go:struct { sync.Mutex }.Lock", ""},
		{"", "", ""},
		{".", ".", ""},
		{"a/", "a/", ""},
		{"main.G[", "main.G[...]", "main"},
		{"main.G]x", "main.G]x", "main"},
		{"main.F%2", "main.F%2", "main"},
		{"main.F%zz", "main.F%zz", "main"},
		{"\xff/\xff.F", "\xff/\xff.F", "\xff/\xff"},
	} {
		if got := callsite.Normalize(c.symbol); got != c.normal {
			t.Errorf("Normalize(%q) = %q, want %q", c.symbol, got, c.normal)
		}
		if got := callsite.Package(c.symbol); got != c.pkg {
			t.Errorf("Package(%q) = %q, want %q", c.symbol, got, c.pkg)
		}
	}
}

func TestPackageOfFrame(t *testing.T) {
	for _, c := range []struct{ function, file, want string }{
		{"example.com/dot/my.pkg.F", "/home/u/dot/my.pkg/p.go", "example.com/dot/my.pkg"},
		{"example.com/dot/my.pkg.F", "example.com/dot/my.pkg/p.go", "example.com/dot/my.pkg"},
		{"example.com/dot/my.pkg_test.TestF", "/home/u/dot/my.pkg/p_test.go", "example.com/dot/my.pkg_test"},
		{"example.com/dot/my%2epkg.F", "/home/u/dot/my.pkg/p.go", "example.com/dot/my.pkg"},
		{"example.com/dot/my.pkg.F", "/home/u/dot/my/p.go", "example.com/dot/my"}, // a method of the type pkg
		{"example.com/my.pkg.(*T).M", "/home/u/go/pkg/mod/example.com/my.pkg@v1.2.3/t.go", "example.com/my.pkg"},
		{"gopkg.in/yaml.v3.Unmarshal", "/home/u/go/pkg/mod/gopkg.in/yaml.v3@v3.0.1/yaml.go", "gopkg.in/yaml.v3"},
		{"gopkg.in/yaml.v3.Unmarshal", "", "gopkg.in/yaml.v3"},
		{"encoding/csv.NewReader", "/usr/local/go/src/encoding/csv/reader.go", "encoding/csv"},
		{"main.main", "/home/u/my.cmd/main.go", "main"},
		{"memeqbody", "/usr/local/go/src/internal/bytealg/equal_amd64.s", ""},
	} {
		f := callsite.Frame{Function: c.function, File: c.file}
		if got := f.Package(); got != c.want {
			t.Errorf("package of %s in %s = %q, want %q", c.function, c.file, got, c.want)
		}
	}
}
