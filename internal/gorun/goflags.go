package gorun

import (
	"fmt"
	"strings"
)

const goflagsSpace = " \t\r\n"

// splitFlags splits the value of GOFLAGS the way the go tool does
// (cmd/internal/quoted): words between white space, a word that begins with a
// quote running to the next such quote, no escapes.
func splitFlags(s string) ([]string, error) {
	var words []string
	for {
		s = strings.TrimLeft(s, goflagsSpace)
		if s == "" {
			return words, nil
		}
		if q := s[0]; q == '"' || q == '\'' {
			word, rest, ok := strings.Cut(s[1:], string(q))
			if !ok {
				return nil, fmt.Errorf("GOFLAGS has a %c without its pair: %s", q, s)
			}
			words, s = append(words, word), rest
			continue
		}
		end := strings.IndexAny(s, goflagsSpace)
		if end < 0 {
			end = len(s)
		}
		words, s = append(words, s[:end]), s[end:]
	}
}

// joinFlags is the inverse of splitFlags. A word with a space and both kinds
// of quotes cannot be written.
func joinFlags(words []string) (string, error) {
	quoted := make([]string, len(words))
	for i, w := range words {
		switch {
		case !strings.ContainsAny(w, goflagsSpace+`"'`):
			quoted[i] = w
		case !strings.Contains(w, "'"):
			quoted[i] = "'" + w + "'"
		case !strings.Contains(w, `"`):
			quoted[i] = `"` + w + `"`
		default:
			return "", fmt.Errorf("%s has both kinds of quotes and cannot stand in GOFLAGS", w)
		}
	}
	return strings.Join(quoted, " "), nil
}

// flagWord takes a word like -name, --name or -name=value apart.
func flagWord(word string) (name, value string, hasValue, isFlag bool) {
	name, ok := strings.CutPrefix(word, "-")
	if !ok || name == "" || name == "-" {
		return "", "", false, false
	}
	name = strings.TrimPrefix(name, "-")
	name, value, hasValue = strings.Cut(name, "=")
	return name, value, hasValue, name != ""
}

// lookupFlag returns the value of the last of words that sets the flag.
func lookupFlag(words []string, name string) (value string, ok bool) {
	for _, w := range words {
		if n, v, _, isFlag := flagWord(w); isFlag && n == name {
			value, ok = v, true
		}
	}
	return value, ok
}

// dropFlag returns words without those that set the flag to a value that drop accepts.
func dropFlag(words []string, name string, drop func(value string) bool) []string {
	var kept []string
	for _, w := range words {
		if n, v, _, isFlag := flagWord(w); isFlag && n == name && drop(v) {
			continue
		}
		kept = append(kept, w)
	}
	return kept
}
