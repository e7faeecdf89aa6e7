package alloccount

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/callsite"
	"github.com/alloctop/alloctop/internal/counterfile"
)

// The files of the lines that allocate and of the user's own are kept with a
// profile, by hash, as they were when the run began.
func TestRecordSources(t *testing.T) {
	dir, lib := t.TempDir(), t.TempDir()
	write := func(path, text string) string {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	own, changed := write(filepath.Join(dir, "own.go"), "package own\n"), write(filepath.Join(dir, "changed.go"), "package own\n\n")
	allocates, between := write(filepath.Join(lib, "allocates.go"), "package lib\n"), write(filepath.Join(lib, "between.go"), "package lib\n")
	secret := write(filepath.Join(dir, "secret"), "no Go")
	start := time.Now().Add(time.Hour)
	if err := os.Chtimes(changed, start, start.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	at := func(file string) counterfile.Frame { return counterfile.Frame{Function: "f", File: file, Line: 3} }
	c := testBinary()
	c.Start = start.UnixNano()
	c.Entries = []counterfile.Entry{
		{Stack: stackOf(newObject, at(allocates), at(between), at(own), at(secret)), Size: 8, Objects: 1, Bytes: 8},
		{Stack: stackOf(newObject, at(filepath.Join(lib, "gone.go")), at(changed)), Size: 8, Objects: 1, Bytes: 8},
		{Stack: stackOf(newObject, at("example.com/trimmed/path.go"), at(secret)), Size: 8, Objects: 1, Bytes: 8},
	}
	c.Process.Objects, c.Process.Bytes = 3, 24
	p := mustProfile(t, ScopeOptions{Rules: callsite.Rules{Modules: []callsite.Module{{Path: "example.com/app", Dir: dir}}}}, c)
	if got := Sources(p); got != nil {
		t.Errorf("before they are recorded there are sources: %v", got)
	}
	if err := RecordSources(p); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := WriteProfile(&file, p); err != nil {
		t.Fatal(err)
	}
	read, err := ReadProfile(&file)
	if err != nil {
		t.Fatal(err)
	}
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:])
	}
	want := map[string]string{own: hash("package own\n"), allocates: hash("package lib\n")}
	if diff := cmp.Diff(want, Sources(read)); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
}

func TestSourcesOfAForeignProfile(t *testing.T) {
	p := mustProfile(t, appOptions(), csvCounters())
	p.Comments = nil
	if err := RecordSources(p); err == nil {
		t.Error("a foreign profile got sources")
	}
	if got := Sources(p); got != nil {
		t.Errorf("a foreign profile has sources: %v", got)
	}
}
