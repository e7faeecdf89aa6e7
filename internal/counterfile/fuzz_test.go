package counterfile

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/alloctop/alloctop/internal/hook"
)

// smallFile is a counter file with windows, notes, a group and stacks in it,
// without the room that was reserved behind them. It is that of a test binary
// with the hook.
func smallFile(t testing.TB) []byte {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	overlay, err := hook.Overlay(strings.TrimSpace(string(root)), filepath.Join(dir, "overlays"))
	if err != nil {
		t.Fatal(err)
	}
	program, counters := filepath.Join(dir, "tests"), filepath.Join(dir, "counters")
	if err := os.Mkdir(counters, 0o777); err != nil {
		t.Fatal(err)
	}
	command(t, "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", program, "./tests")
	command(t, "env", hook.EnvDir+"="+counters, program)
	files, err := filepath.Glob(filepath.Join(counters, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return data[:binary.LittleEndian.Uint64(data[32:])]
}

// command runs a command among the programs that the hook is tested with. That
// it fails is for the caller to find: some of their tests do.
func command(t testing.TB, args ...string) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = "../hook/testdata/prog"
	cmd.Env = append(cmd.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false", "GOTOOLCHAIN=local")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Logf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// readDamaged reads a file that may say anything. That may fail, or give wrong
// names and numbers, but neither panic nor take long nor use up the memory.
func readDamaged(t testing.TB, data []byte) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "damaged.allocs")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c, err := Read(name)
	runtime.ReadMemStats(&after)
	if most := uint64(4<<20 + 100*len(data)); after.TotalAlloc-before.TotalAlloc > most {
		t.Errorf("%d bytes allocated for a file of %d", after.TotalAlloc-before.TotalAlloc, len(data))
	}
	if err != nil {
		return
	}
	if len(c.Entries) > len(data)/(hotSize+coldSize) {
		t.Errorf("%d entries in a file of %d bytes", len(c.Entries), len(data))
	}
	for _, e := range c.Entries[:min(len(c.Entries), 100)] {
		depth := 0
		for s := e.Stack; s != nil; s = s.Caller {
			if depth++; depth > 5_000 {
				t.Fatal("a stack without an end")
			}
		}
	}
}

func FuzzReadCounters(f *testing.F) {
	data := smallFile(f)
	f.Add(data)
	f.Add(data[:headSize])
	f.Add(data[:len(data)/2])
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) { readDamaged(t, data) })
}

// A real file in which words are replaced by what misleads most: other words of
// it, ids, the largest numbers.
func TestDamagedFiles(t *testing.T) {
	data := smallFile(t)
	rng := rand.New(rand.NewPCG(1, 2))
	word := func() int { return rng.IntN(len(data)/4) * 4 }
	values := []func() uint32{
		func() uint32 { return 0 },
		func() uint32 { return 0xFFFFFFFF },
		func() uint32 { return 0x7FFFFFF8 },
		func() uint32 { return rng.Uint32() },
		func() uint32 { return uint32(rng.IntN(len(data) / 8)) },
		func() uint32 { return binary.LittleEndian.Uint32(data[word():]) },
		func() uint32 { return uint32(1 + rng.IntN(7)) },
	}
	regions := regionsOf(data)
	for range 1_500 {
		damaged := append([]byte(nil), data...)
		for range 1 + rng.IntN(40) {
			at := word()
			switch rng.IntN(3) {
			case 0: // the head
				at = rng.IntN(headSize/16) * 4
			case 1: // the head of a region, or what follows it
				at = min(regions[rng.IntN(len(regions))]+rng.IntN(8)*4, len(data)-4)
			}
			binary.LittleEndian.PutUint32(damaged[at:], values[rng.IntN(len(values))]())
		}
		copy(damaged, magic)
		readDamaged(t, damaged[:headSize+rng.IntN(len(data)-headSize)])
		readDamaged(t, damaged)
	}
}

// regionsOf returns where the regions of a file begin.
func regionsOf(data []byte) (list []int) {
	for at := headSize; at+8 <= len(data); at += 8 + int(binary.LittleEndian.Uint32(data[at+4:])) {
		list = append(list, at)
	}
	return list
}

// Files full of overlapping tables, and of call trees without an end: to follow
// each of them to its claimed end would never end.
func TestHostileFiles(t *testing.T) {
	data := make([]byte, headSize+1<<20)
	copy(data, magic)
	binary.LittleEndian.PutUint64(data[32:], uint64(len(data)))
	tables := append([]byte(nil), data...)
	for at := headSize; at < len(tables); at += 24 { // each of 16 bytes, and says that it has a million counters
		copy(tables[at:], words(regionTable, 16, 0, 1<<20, 0, 0))
	}
	nodes := append([]byte(nil), data...)
	copy(nodes[headSize:], words(regionNodes, 1<<19-8))
	for at := headSize + 8; at < headSize+1<<19; at += 16 { // each the child of the one before
		copy(nodes[at:], words(uint32(at/8-2), uint32(at/8), 0, 0))
	}
	copy(nodes[headSize+1<<19:], words(regionTable, 1<<19-8, 0, 9000, 0, 0))
	for i := range 9000 {
		hot, cold := headSize+1<<19+24+16*i, headSize+1<<19+24+16*9000+40*i
		if cold+40 > len(nodes) {
			break
		}
		copy(nodes[hot:], words(1, 1, 1, 0))
		copy(nodes[cold:], words(8, 0, 8, 0, 0, 0, uint32(headSize+1<<19-16*(i%30_000))/8, 0))
	}
	notes := append([]byte(nil), data...)
	for at := headSize; at < len(notes)-64; at += 64 { // segments that say they hold all windows
		copy(notes[at:], words(regionSegment, 56, 1<<30, uint32(headSize+8)/8))
	}
	copy(notes[headSize:], words(regionWindow, windowSize))
	for name, file := range map[string][]byte{"tables": tables, "nodes": nodes, "notes": notes} {
		t.Run(name, func(t *testing.T) { readDamaged(t, file) })
	}
}

func words(w ...uint32) (b []byte) {
	for _, v := range w {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

// What is no counter file is said to be none.
func TestForeignFiles(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string][]byte{
		"text":    make([]byte, 10_000),
		"short":   []byte("ALLOCTP2"),
		"program": append([]byte("\x7fELF"), make([]byte, 8192)...),
	} {
		file := filepath.Join(dir, name)
		if name == "text" {
			copy(data, "hello, this is a text")
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(file); !errors.Is(err, ErrNotCounters) {
			t.Errorf("%s: error %v, want %v", name, err, ErrNotCounters)
		}
	}
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, append([]byte("ALLOCTP9"), make([]byte, 8192)...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(other); !errors.Is(err, ErrOtherVersion) {
		t.Errorf("a file of another version: error %v, want %v", err, ErrOtherVersion)
	}
	if _, err := Read(filepath.Join(dir, "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}
