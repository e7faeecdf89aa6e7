package callsite

import "strings"

// Normalize returns a function's name as people write it and as every source
// of stacks can spell it. What stands in the brackets of generics becomes
// [...], as in runtime.Frame, because profiles hold the shapes of type
// arguments there. Dots in the last element of the import path, which the
// symbol table has as %2e, become dots. Anything else stays as it is.
func Normalize(function string) string {
	if !strings.ContainsAny(function, "[%") {
		return function
	}
	var b strings.Builder
	for i := 0; i < len(function); i++ {
		switch c := function[i]; {
		case c == '[':
			b.WriteString("[...]")
			i = closing(function, i)
		case c == '%' && isDot(function[i:]):
			b.WriteByte('.')
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// closing returns the index of the bracket that closes the one at open, or of
// the last byte if none does. Brackets in quotes, as in the tags of struct
// types, do not count.
func closing(s string, open int) int {
	depth, quoted := 0, false
	for i := open; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[':
			depth++
		case c == ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s) - 1
}

// isDot reports whether s starts with an escaped dot. The other characters
// that cmd/internal/objabi.PathToPrefix escapes cannot be in the import path
// of a package in a module.
func isDot(s string) bool {
	return len(s) >= 3 && s[0] == '%' && s[1] == '2' && s[2]|0x20 == 'e'
}

// Package returns the import path of the package that a function is in: of the
// symbol example.com/dot/my%2epkg.(*T).M[go.shape.int] it is
// example.com/dot/my.pkg. It is "" for what is in no package: C, assembly, and
// what the compiler generates for a type.
//
// A normalised name can be ambiguous: in example.com/dot/my.pkg.F, pkg could be
// a type. Then the package is taken to end at the first dot, except for the
// versions of gopkg.in; [Frame.Package] does better.
func Package(function string) string {
	if strings.HasPrefix(function, "type:") || strings.HasPrefix(function, "go:") {
		return ""
	}
	parent, last := splitPath(function)
	name, rest, ok := strings.Cut(last, ".")
	if !ok || name == "" {
		return ""
	}
	if strings.HasPrefix(parent, "gopkg.in/") {
		if version, _, ok := strings.Cut(rest, "."); ok && isMajor(version) {
			name += "." + version
		}
	}
	return Normalize(parent + name)
}

// splitPath splits a function's name after the last slash of its import path.
// Slashes in type arguments and receivers do not count.
func splitPath(function string) (parent, last string) {
	path := function
	if i := strings.IndexAny(path, "[({\" "); i >= 0 {
		path = path[:i]
	}
	slash := strings.LastIndexByte(path, '/') + 1
	return function[:slash], function[slash:]
}

// isMajor reports whether s is a major version as import paths have it: v2.
func isMajor(s string) bool {
	return len(s) >= 2 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}
