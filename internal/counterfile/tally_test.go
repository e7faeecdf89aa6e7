package counterfile

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A tally has all of a window or is an error: a table that takes the place of
// another one, and lies beyond the end of the file as it was when it was mapped,
// must not count as one without counters.
func TestTallyOfAFileThatGrows(t *testing.T) {
	const window = 7
	segment := []uint32{1, window}
	file := newFile()
	seg := file.region(regionSegment, segment)
	old := file.region(regionTable, table(0, seg, 5))
	name := file.write(t, 0)
	if got := objects(t, name, window); got != 5 {
		t.Errorf("%d objects, want 5", got)
	}
	file.region(regionTable, table(old, seg, 6))
	if got := objects(t, file.write(t, 0), window); got != 6 {
		t.Errorf("after growth %d objects, want 6", got)
	}
	if tally, err := TakeTally(file.write(t, 16), window); err == nil || !strings.Contains(err.Error(), "grew 8 times") {
		t.Errorf("a table cut off: %v, %v", tally, err)
	}
}

func objects(t *testing.T, name string, window uint32) (n int64) {
	t.Helper()
	tally, err := TakeTally(name, window)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range tally.counts {
		n += c.objects
	}
	return n
}

// table is a table of one slot that replaces another one.
func table(replaces, segment uint32, objects uint64) []uint32 {
	const hash, size, slot, stack, typ, flags = 1, 24, 24, 0, 0, 0
	return []uint32{0, 1, replaces, 0, hash, 0, uint32(objects), 0, size, 0, slot, 0, stack, typ, segment, flags}
}

// counterFile is a file in the making.
type counterFile struct{ data []byte }

func newFile() *counterFile {
	f := &counterFile{make([]byte, headSize)}
	copy(f.data, magic)
	return f
}

// region adds a region and returns its id.
func (f *counterFile) region(kind uint32, content []uint32) uint32 {
	f.data = binary.LittleEndian.AppendUint32(f.data, kind)
	f.data = binary.LittleEndian.AppendUint32(f.data, uint32(4*len(content)))
	id := uint32(len(f.data) / 8)
	for _, v := range content {
		f.data = binary.LittleEndian.AppendUint32(f.data, v)
	}
	binary.LittleEndian.PutUint64(f.data[32:], uint64(len(f.data)))
	return id
}

// write writes the file without its last bytes.
func (f *counterFile) write(t *testing.T, without int) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "counters")
	if err := os.WriteFile(name, f.data[:len(f.data)-without], 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
