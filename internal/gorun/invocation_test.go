package gorun

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseInvocation(t *testing.T) {
	for _, c := range []struct {
		line     string
		verb     string
		chdir    string
		flags    string // name=value, in order
		packages string
	}{
		{line: "", verb: ""},
		{line: "version", verb: "version"},
		{line: "test", verb: "test"},
		{line: "test ./...", verb: "test", packages: "./..."},
		{line: "test -bench . -count 3 ./a ./b", verb: "test", flags: "bench=. count=3", packages: "./a ./b"},
		{line: "test ./a -overlay o.json", verb: "test", flags: "overlay=o.json", packages: "./a"},
		{line: "test -v -race ./a", verb: "test", flags: "v= race=", packages: "./a"},
		{line: "test -test.count=2 --run=X ./a", verb: "test", flags: "count=2 run=X", packages: "./a"},
		// Behind -args everything is the test's.
		{line: "test ./a -args -overlay o.json -count 2", verb: "test", packages: "./a"},
		{line: "test ./a -v -- -count 2", verb: "test", flags: "v=", packages: "./a"},
		// An unknown flag ends the packages; its value may follow it.
		{line: "test ./a -update golden -count=2", verb: "test", flags: "count=2", packages: "./a"},
		{line: "test -update ./a -count=2", verb: "test", flags: "count=2"},
		{line: "test ./a -v word -count=2", verb: "test", flags: "v=", packages: "./a"},
		{line: "-C dir test ./a", verb: "test", chdir: "dir", packages: "./a"},
		{line: "test -C=dir -v", verb: "test", chdir: "dir", flags: "v="},
		{line: "build -C dir -o x ./a", verb: "build", chdir: "dir", flags: "o=x", packages: "./a"},
		{line: "build -tags x ./a -overlay o", verb: "build", flags: "tags=x", packages: "./a -overlay o"},
		{line: "run -race . -overlay o", verb: "run", flags: "race=", packages: "."},
		{line: "run a.go b.go c.txt", verb: "run", packages: "a.go b.go"},
		{line: "build -overlay", verb: "build", flags: "overlay="},
	} {
		inv := parseInvocation(strings.Fields(c.line))
		var flags []string
		for _, f := range inv.flags {
			flags = append(flags, f.name+"="+f.value)
		}
		got := []string{inv.verb, inv.chdir, strings.Join(flags, " "), strings.Join(inv.packages, " ")}
		if diff := cmp.Diff([]string{c.verb, c.chdir, c.flags, c.packages}, got); diff != "" {
			t.Errorf("go %s\n%s", c.line, diff)
		}
	}
}

func TestReplaceFlagKeepsTheRest(t *testing.T) {
	for line, want := range map[string]string{
		"test -overlay o.json -v ./a -args -overlay p": "test NEW -v ./a -args -overlay p",
		"-C d build -overlay=o.json ./a":               "-C d build NEW ./a",
		"test -overlay a -overlay b":                   "test -overlay a NEW",
	} {
		inv := parseInvocation(strings.Fields(line))
		f, ok := inv.lookup("overlay")
		if got := strings.Join(inv.replace(f, "NEW"), " "); got != want || !ok {
			t.Errorf("go %s became %s, want %s", line, got, want)
		}
	}
}
