package observe

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// Where the head of a counter file has what a test changes.
const (
	headSize = 4096
	atPID    = 8
	atEnd    = 32
	atExit   = 80
)

// process writes the counter file of a process that counted nothing.
func process(t *testing.T, dir, name string, pid uint64, exit counterfile.ExitState) {
	t.Helper()
	head := make([]byte, headSize)
	copy(head, "ALLOCTP2")
	binary.LittleEndian.PutUint64(head[atPID:], pid)
	binary.LittleEndian.PutUint64(head[atEnd:], headSize)
	binary.LittleEndian.PutUint32(head[atExit:], uint32(exit))
	write(t, filepath.Join(dir, name), head)
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// pids reads the files and returns the processes, and how many were missing.
func pids(t *testing.T, c *Counters) (list []int, missing int) {
	t.Helper()
	all, err := c.Read(func(error) { missing++ })
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		list = append(list, p.PID)
	}
	return list, missing
}

// What cannot be read is said and takes nothing with it.
func TestReadCounters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "with[brackets]*")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	process(t, dir, "1.1.allocs", 1, counterfile.ExitNone)
	process(t, dir, "2.1.allocs", 2, counterfile.ExitCode)
	write(t, filepath.Join(dir, "3.1.allocs"), make([]byte, headSize)) // not begun
	write(t, filepath.Join(dir, "4.1.allocs"), []byte("no counters"))
	write(t, filepath.Join(dir, "other"), []byte("of somebody else"))
	got, missing := pids(t, &Counters{Dir: dir})
	if diff := cmp.Diff([]int{1, 2}, got); diff != "" || missing != 1 {
		t.Errorf("%d missing, want 1; processes (-want +got):\n%s", missing, diff)
	}
}

// A process that runs is read each time; one that ended once more, and no more.
func TestEndedProcessesAreReadOnceMore(t *testing.T) {
	dir := t.TempDir()
	c := &Counters{Dir: dir}
	steps := []struct {
		pid  uint64 // in the file by then
		exit counterfile.ExitState
		want int
	}{
		{1, counterfile.ExitNone, 1}, {2, counterfile.ExitNone, 2},
		{3, counterfile.ExitExec, 3}, {4, counterfile.ExitNone, 4}, // it could not become another program
		{5, counterfile.ExitCode, 5}, {6, counterfile.ExitCode, 6}, {7, counterfile.ExitCode, 6}, {8, counterfile.ExitCode, 6},
	}
	for i, s := range steps {
		process(t, dir, "1.1.allocs", s.pid, s.exit)
		if got, _ := pids(t, c); len(got) != 1 || got[0] != s.want {
			t.Errorf("step %d: read %v, want %d", i, got, s.want)
		}
	}
}

func TestNoDirectoryOfCounters(t *testing.T) {
	if _, err := (&Counters{Dir: filepath.Join(t.TempDir(), "gone")}).Read(nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
}
