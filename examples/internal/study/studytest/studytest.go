// Package studytest is what the tests of the studies have in common.
package studytest

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/alloctop/alloctop/examples/internal/study"
	"github.com/alloctop/alloctop/internal/testneed"
)

// NotCounted skips a test that runs alloctop, or that is about a program which
// alloctop did not build, where alloctop counts the test itself.
func NotCounted(t *testing.T) {
	t.Helper()
	hooked, err := study.Hooked()
	if err != nil {
		t.Fatal(err)
	}
	if hooked {
		testneed.Missing(t, "this test is itself counted by alloctop: run it without")
	}
}

// WithoutAlloctop runs a study where alloctop cannot count, since there is no go
// command, and returns what it writes.
func WithoutAlloctop(t *testing.T, run func(ctx context.Context, args []string, stdout, stderr io.Writer) error, args ...string) (stdout, stderr string) {
	t.Helper()
	NotCounted(t)
	t.Setenv("PATH", t.TempDir())
	var out, errs bytes.Buffer
	if err := run(t.Context(), args, &out, &errs); err != nil {
		t.Fatal(err)
	}
	return out.String(), errs.String()
}
