package web

import (
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/alloctop/alloctop/alloccount"
)

// placeOf names the file of a line by the import path of its package and its
// base name, "encoding/csv/reader.go": short, and the same on all machines. It
// is the function where there is no file.
func placeOf(s *alloccount.Scope, function, pkg, file string) string {
	if file == "" {
		return function
	}
	file = strings.ReplaceAll(file, `\`, "/")
	base := path.Base(file)
	if strings.HasSuffix(base, "_test.go") {
		pkg = strings.TrimSuffix(pkg, "_test")
	}
	if pkg == "main" {
		pkg = strings.TrimSuffix(s.Process.Main, ".test")
	}
	if pkg == "" || pkg == "command-line-arguments" {
		pkg = path.Base(path.Dir(file))
	}
	return path.Join(pkg, base)
}

// unitOf names a record of a scope, one and many.
func unitOf(s *alloccount.Scope) (one, many string) {
	switch {
	case s.Unit != "":
		return singular(s.Unit), s.Unit
	case s.Kind == alloccount.KindBenchmark && s.Records == s.Iterations:
		return "op", "ops"
	}
	return "record", "records"
}

// singular cuts the s of a plural where that is surely right.
func singular(unit string) string {
	one := strings.TrimSuffix(unit, "s")
	for _, end := range []string{"s", "i", "u", "ie", "xe", "ze", "she", "che", "sse"} {
		if strings.HasSuffix(one, end) {
			return unit
		}
	}
	return one
}

// namer gives scopes names that tell them apart.
type namer struct {
	procs map[string]map[int]bool // by kind, package and name
	runs  map[string]int          // by kind, package, name and procs
	ids   map[string]int
}

// newNamer looks at all scopes of a report.
func newNamer(scopes []*alloccount.Scope) *namer {
	n := &namer{procs: make(map[string]map[int]bool), runs: make(map[string]int), ids: make(map[string]int)}
	for _, s := range scopes {
		k := namerKey(s)
		if n.procs[k] == nil {
			n.procs[k] = make(map[int]bool)
		}
		n.procs[k][s.Procs] = true
		n.runs[fmt.Sprint(k, "\x00", s.Procs)]++
	}
	return n
}

func namerKey(s *alloccount.Scope) string {
	return fmt.Sprintf("%s\x00%s\x00%s", s.Kind, s.Package, s.Name)
}

// name returns the name of a scope within its package, and what tells it from
// the others of that name.
func (n *namer) name(s *alloccount.Scope) (name, detail string) {
	if len(s.Tests) > 0 {
		return fmt.Sprintf("%d tests in parallel", len(s.Tests)), ""
	}
	name = s.Name
	if s.Kind == alloccount.KindProcess && s.Package != "" {
		name = s.Package
	}
	k := namerKey(s)
	if len(n.procs[k]) > 1 {
		name = fmt.Sprintf("%s-%d", name, s.Procs)
	}
	switch runs := n.runs[fmt.Sprint(k, "\x00", s.Procs)]; {
	case runs > 1 && s.Kind == alloccount.KindProcess:
		detail = fmt.Sprintf("process %d", s.Process.PID)
	case runs > 1:
		detail = fmt.Sprintf("run %d of %d", s.Run+1, runs)
	}
	return name, detail
}

// id returns what names a scope in the fragment of an address, the same in
// every page that is made of the same report.
func (n *namer) id(s *alloccount.Scope) string {
	id := s.Package
	if s.Name != "" && s.Name != s.Package {
		id = strings.TrimPrefix(id+"."+s.Name, ".")
	}
	if s.Procs > 0 {
		id = fmt.Sprintf("%s-%d", id, s.Procs)
	}
	n.ids[id]++
	if again := n.ids[id]; again > 1 {
		return fmt.Sprintf("%s~%d", id, again)
	}
	return id
}

// clean makes a name safe to look at: what could hide or reorder letters is
// shown as what it is not. That it cannot be markup is for others to see to.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Bidi_Control, r), unicode.Is(unicode.Co, r), r == '\u2028', r == '\u2029':
			return unicode.ReplacementChar
		}
		return r
	}, name)
}

func cleanAll(names []string) []string {
	cleaned := make([]string, len(names))
	for i, s := range names {
		cleaned[i] = clean(s)
	}
	return cleaned
}
