package web

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// text puts lines of tokens together again.
func text(lines [][]string) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		for j := 1; j < len(l); j += 2 {
			b.WriteString(l[j])
		}
	}
	return b.String()
}

func TestHighlight(t *testing.T) {
	const source = "func f() string { // 1\n\treturn `a\nb` + \"c\" + string('x')\n}"
	want := [][]string{
		{"k", "func", "", " f() string { ", "c", "// 1"},
		{"", "\t", "k", "return", "", " ", "l", "`a"},
		{"l", "b`", "", " + ", "l", `"c"`, "", " + string(", "l", "'x'", "", ")"},
		{"", "}"},
	}
	if diff := cmp.Diff(want, highlight([]byte(source))); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
}

func FuzzHighlightKeepsTheText(f *testing.F) {
	for _, s := range append(hostile, "package p\n\nfunc f() {}\n", "/* a\nb */ x", "`", "\"", "'", "a\r\nb", "/*\r\n*/x") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\r\n", "\n")
		got := text(highlight([]byte(s)))
		if strings.Contains(s, "\r") {
			want, got = strings.ReplaceAll(want, "\r", ""), strings.ReplaceAll(got, "\r", "")
		}
		if got != want {
			t.Errorf("%q became %q", want, got)
		}
	})
}

func TestPieces(t *testing.T) {
	lines := strings.Repeat("x\n", 99) + "x"
	got := pieces([]byte(lines), [][2]int{{40, 50}, {10, 20}, {18, 25}, {27, 30}, {95, 200}, {300, 310}})
	var ranges [][2]int
	for _, p := range got {
		ranges = append(ranges, [2]int{p.Start, p.Start + len(p.Lines) - 1})
	}
	if diff := cmp.Diff([][2]int{{10, 30}, {40, 50}, {95, 100}}, ranges); diff != "" {
		t.Errorf("pieces (-want +got):\n%s", diff)
	}
}

func TestSourceFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good, secret := file("good.go", "package good\n"), file("id_rsa", "secret")
	sum := sha256.Sum256([]byte("package good\n"))
	link := filepath.Join(dir, "link.go")
	if err := os.Symlink(secret, link); err != nil {
		t.Fatal(err)
	}
	read := func(hash, file string) (Source, error) { return SourceFiles(map[string]string{good: hash})(file) }

	if s, err := read(hex.EncodeToString(sum[:]), good); err != nil || string(s.Text) != "package good\n" || s.Note != "" {
		t.Errorf("a file as it was: %q, note %q, %v", s.Text, s.Note, err)
	}
	if s, err := read(strings.Repeat("0", 64), good); err != nil || !strings.Contains(s.Note, "changed since the run") {
		t.Errorf("a file that changed: note %q, %v", s.Note, err)
	}
	if s, err := read("", good); err != nil || !strings.Contains(s.Note, "not known") {
		t.Errorf("a file of which no hash was kept: note %q, %v", s.Note, err)
	}
	for _, bad := range []string{secret, link, dir, filepath.Join(dir, "gone.go"), "good.go", "/etc/passwd", ""} {
		if s, err := read("", bad); err == nil {
			t.Errorf("%s was read: %q", bad, s.Text)
		}
	}
}

// A page asks for the files that the report names, and for no others.
func TestSourceInPage(t *testing.T) {
	b := newProfile()
	b.add(5, 8, 8, "", call{"example.com/app.f", "/src/app/f.go", 20})
	b.add(5, 8, 8, "", call{"example.com/app.g", "/src/app/gone.go", 2})
	page := b.page(t)
	var asked []string
	page.Source = func(file string) (Source, error) {
		asked = append(asked, file)
		if file == "/src/app/gone.go" {
			return Source{}, os.ErrNotExist
		}
		return Source{Text: []byte(strings.Repeat("line\n", 100))}, nil
	}
	d := dataOf(t, write(t, page))
	if diff := cmp.Diff([]string{"/src/app/f.go", "/src/app/gone.go"}, asked); diff != "" {
		t.Errorf("files asked for (-want +got):\n%s", diff)
	}
	if got := d.Files[0].Pieces; len(got) != 1 || got[0].Start != 6 || len(got[0].Lines) != 29 {
		t.Errorf("the surroundings of line 20 are %v, want lines 6 to 34", got)
	}
	if d.Files[1].Error == "" {
		t.Error("a file that is gone has no error in the page")
	}
}
