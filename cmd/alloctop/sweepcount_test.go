package main

import (
	"io"
	"strings"
	"testing"
)

// Of what a counting alloctop says its progress is passed on, and the reason why
// it did not count is kept with the last lines of the command.
func TestSaidLines(t *testing.T) {
	var passed strings.Builder
	l := &saidLines{to: &passed}
	text := "# p\np.go:3: undefined: x\nalloctop: building go1.26.8 with the counter, once\nFAIL p\n\nFAIL\nalloctop: nothing was counted: why\n"
	for i := range len(text) {
		if _, err := io.WriteString(l, text[i:i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := passed.String(), "alloctop: building go1.26.8 with the counter, once\n"; got != want {
		t.Errorf("passed on: %q, want %q", got, want)
	}
	if got, want := l.last+"; "+strings.Join(l.other, " | "), "nothing was counted: why; p.go:3: undefined: x | FAIL p | FAIL"; got != want {
		t.Errorf("kept: %q, want %q", got, want)
	}
}
