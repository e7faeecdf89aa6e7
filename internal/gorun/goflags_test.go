package gorun

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/internal/environ"
)

func TestSplitFlags(t *testing.T) {
	for _, c := range []struct {
		value string
		want  []string
	}{
		{"", nil},
		{" \t\n ", nil},
		{"-race", []string{"-race"}},
		{"  -race\t-tags=a,b ", []string{"-race", "-tags=a,b"}},
		{"'-ldflags=-X main.v=1 -s' -v", []string{"-ldflags=-X main.v=1 -s", "-v"}},
		{`"-exec=/a b/it's" -v`, []string{"-exec=/a b/it's", "-v"}},
		{"-x=a'b'", []string{"-x=a'b'"}}, // a quote inside of a word is a letter
		{"''-v", []string{"", "-v"}},     // words end with their quote
	} {
		got, err := splitFlags(c.value)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("splitFlags(%q): %v\n%s", c.value, err, diff)
		}
	}
	for _, bad := range []string{"'-v", `-v "`, `"-a '`} {
		if words, err := splitFlags(bad); err == nil {
			t.Errorf("splitFlags(%q) = %q, want an error", bad, words)
		}
	}
}

func TestJoinFlagsIsReadBack(t *testing.T) {
	words := []string{"-v", "-ldflags=-X a=b", `-exec="/a b/c" d`, "-tags=it's", "-overlay=/with space/o.json"}
	value, err := joinFlags(words)
	if err != nil {
		t.Fatal(err)
	}
	got, err := splitFlags(value)
	if diff := cmp.Diff(words, got); diff != "" || err != nil {
		t.Errorf("%s: %v\n%s", value, err, diff)
	}
	if value, err := joinFlags([]string{`-x=" '`}); err == nil {
		t.Errorf("a word with both quotes was joined to %s", value)
	}
}

// The go tool is the judge of what its own variable means.
func TestGoToolReadsJoinedFlags(t *testing.T) {
	for _, word := range []string{"-ldflags=-X main.word=two words", "-tags=plain", `-ldflags=-X main.word="quoted"`} {
		value, err := joinFlags([]string{word, "-tags=last"})
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", "list", "-f", "{{context.BuildTags}}", "errors")
		cmd.Env = environ.Set(cmd.Environ(), "GOFLAGS", value)
		out, err := cmd.CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != "[last]" {
			t.Errorf("GOFLAGS=%s: %v: %s", value, err, out)
		}
	}
}

func TestLookupFlagTakesTheLast(t *testing.T) {
	words := []string{"-overlay=a", "--overlay=b", "-tags=-overlay=c", "-v"}
	if v, ok := lookupFlag(words, "overlay"); v != "b" || !ok {
		t.Errorf("got %q, %v, want b", v, ok)
	}
	if v, ok := lookupFlag(words, "count"); ok {
		t.Errorf("found a -count=%s that is not there", v)
	}
	kept := dropFlag(words, "overlay", func(v string) bool { return v == "a" })
	if diff := cmp.Diff([]string{"--overlay=b", "-tags=-overlay=c", "-v"}, kept); diff != "" {
		t.Error(diff)
	}
}
