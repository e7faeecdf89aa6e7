package sweep

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Command is the user's go test command.
type Command struct {
	words []string
	at    int // where flags may be put in, before all others
}

// reserved are flags of go test that the sweep sets itself, and what to do
// instead of giving them.
func reserved(name string) string {
	switch name {
	case "cpu":
		return "give the threads to the sweep, as --cpu"
	case "count":
		return "the sweep repeats by itself, -n times"
	case "exec", "c", "o", "n", "list", "fuzz", "json":
		return "it does not go with a sweep"
	}
	return ""
}

// ParseCommand checks a command line: it has to be a go test command that runs
// benchmarks.
func ParseCommand(words []string) (Command, error) {
	c := Command{words: words}
	if len(words) == 0 || filepath.Base(words[0]) != "go" {
		return c, fmt.Errorf("a sweep runs go test, not %q; write it as: alloctop sweep --cpu 1,2 -- go test -bench Parse", strings.Join(words, " "))
	}
	i := skipChdir(words, 1) // go -C dir test
	if i >= len(words) || words[i] != "test" {
		return c, fmt.Errorf("a sweep runs go test, not %s", strings.Join(words, " "))
	}
	c.at = skipChdir(words, i+1) // which has to be the first flag
	bench := false
	for _, word := range words[c.at:] {
		name, ok := flagName(word)
		if name == "args" {
			break
		}
		if why := reserved(name); ok && why != "" {
			return c, fmt.Errorf("go test -%s: %s", name, why)
		}
		bench = bench || ok && name == "bench"
	}
	if !bench {
		return c, fmt.Errorf("go test without -bench runs no benchmark; write for all of them: go test -bench . %s", strings.Join(words[c.at:], " "))
	}
	return c, nil
}

// skipChdir passes over a flag -C.
func skipChdir(words []string, i int) int {
	if i >= len(words) {
		return i
	}
	switch word := strings.TrimPrefix(words[i], "-"); {
	case word == "-C" || words[i] == "-C":
		return min(i+2, len(words))
	case strings.HasPrefix(word, "-C=") || strings.HasPrefix(words[i], "-C="):
		return i + 1
	}
	return i
}

// flagName returns the name of a flag, without "test." before it.
func flagName(word string) (string, bool) {
	name, ok := strings.CutPrefix(word, "-")
	if !ok {
		return "", false
	}
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "-"), "=")
	return strings.TrimPrefix(name, "test."), name != ""
}

// With returns the words of the command with flags before its own, which go
// over them.
func (c Command) With(flags ...string) []string {
	return slices.Concat(c.words[:c.at], flags, c.words[c.at:])
}

// String returns the command as it was given.
func (c Command) String() string { return strings.Join(c.words, " ") }

// Words returns the command as it was given.
func (c Command) Words() []string { return c.words }

// Go returns the words that call the go command in the directory of the command.
func (c Command) Go(args ...string) []string {
	call := c.words[:1]
	for i, word := range c.words[:c.at] {
		if strings.TrimLeft(word, "-") == "C" && strings.HasPrefix(word, "-") {
			call = []string{c.words[0], "-C", c.words[i+1]}
		} else if dir, ok := strings.CutPrefix(strings.TrimLeft(word, "-"), "C="); ok && strings.HasPrefix(word, "-") {
			call = []string{c.words[0], "-C", dir}
		}
	}
	return slices.Concat(call, args)
}
