package alloccount

import (
	"path"
	"strings"
)

// Place names a file as a reader of s knows it: by the import path of its
// package and its base name, "encoding/csv/reader.go", which is short and the
// same on all machines. The main package has the path that its process has, and
// what is tested from outside the path of what it tests. Where there is no
// file, it is the function. The names are as in a [Site]; nothing in them is
// made safe to be shown.
func (s *Scope) Place(function, pkg, file string) string {
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

// RecordName names a record of s, one and many: by its Unit, "op" if it is an
// iteration of a benchmark, else "record".
func (s *Scope) RecordName() (one, many string) {
	switch {
	case s.Unit != "":
		return singular(s.Unit), s.Unit
	case s.Kind == KindBenchmark && s.Records == s.Iterations:
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
