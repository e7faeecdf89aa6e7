package study

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alloctop/alloctop/alloccount"
)

// Every job is done once in each round, after one that is not in the result, and
// backwards in every second round.
func TestTurns(t *testing.T) {
	var order strings.Builder
	job := func(name string) Job {
		return Job{name, func() error { order.WriteString(name); return nil }}
	}
	runs, err := Turns(t.Context(), Rounds{Most: 3}, []Job{job("a"), job("b"), job("c")})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := order.String(), "cba"+"abc"+"cba"+"abc"; got != want {
		t.Errorf("the order was %s: want %s", got, want)
	}
	for i, r := range runs {
		if len(runs) != 3 || len(r) != 3 {
			t.Errorf("job %d of %d has %d runs: want 3 of 3", i, len(runs), len(r))
		}
	}
}

// There are as many rounds as fit into the time, and no fewer than three that are
// timed, after the first.
func TestRoundsWithinATime(t *testing.T) {
	for _, c := range []struct {
		n    Rounds
		done int // the first one counted
		took time.Duration
		full bool
	}{
		{Rounds{Most: 9}, 8, time.Hour, false},
		{Rounds{Most: 9, Within: time.Minute}, 3, time.Hour, false},
		{Rounds{Most: 9, Within: time.Minute}, 4, time.Hour, true},
		{Rounds{Most: 9, Within: time.Minute}, 5, 50 * time.Second, false},
		{Rounds{Most: 9, Within: time.Minute}, 5, 51 * time.Second, true},
	} {
		if got := c.n.full(c.done, c.took); got != c.full {
			t.Errorf("%+v: %d rounds in %v: %v", c.n, c.done, c.took, got)
		}
	}
}

func TestTurnsCountWhatAJobAllocates(t *testing.T) {
	var keep [][]int
	runs, err := Turns(t.Context(), Rounds{Most: 1}, []Job{{"make", func() error {
		keep = make([][]int, 0, 1000)
		for range 1000 {
			keep = append(keep, make([]int, 100))
		}
		return nil
	}}})
	if err != nil {
		t.Fatal(err)
	}
	// The runtime may allocate an object or two of its own.
	if r := runs[0][0]; r.Objects < 1001 || r.Objects > 1020 || r.Bytes < 1000*800 {
		t.Errorf("%d objects, %d bytes: want 1001 objects", r.Objects, r.Bytes)
	}
}

func TestTurnsEndWithAnError(t *testing.T) {
	broken := errors.New("broken")
	_, err := Turns(t.Context(), Rounds{Most: 3}, []Job{{"second", func() error { return broken }}})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "second") {
		t.Errorf("%v", err)
	}
}

// The speed-up is that within rounds, whatever the machine does from one to the
// next.
func TestSpeedUp(t *testing.T) {
	wall := func(ms ...int) (runs []Run) {
		for _, n := range ms {
			runs = append(runs, Run{Wall: time.Duration(n) * time.Millisecond})
		}
		return runs
	}
	if got := SpeedUp(wall(100, 900, 30), wall(50, 450, 10)); got != 2 {
		t.Errorf("%v: want 2", got)
	}
	if got := Median(wall(4000, 1000, 3000, 9000), Seconds); got != 3.5 {
		t.Errorf("median %v: want 3.5", got)
	}
}

// Times of a machine that had other work are said to be of that kind.
func TestCrowded(t *testing.T) {
	for cpu, crowded := range map[time.Duration]bool{0: false, 50: true, 100: false, 190: false} { // of 100
		runs := []Run{{Wall: 100, CPU: cpu}}
		if got := Crowded(runs); (got != "") != crowded {
			t.Errorf("%d of 100: %q", cpu, got)
		}
	}
}

func TestThreads(t *testing.T) {
	for _, most := range []int{1, 2, 3, 8, 1000} {
		got := Threads(most)
		if got[0] != 1 || !slices.IsSorted(got) || got[len(got)-1] > most || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Errorf("for up to %d tasks %v", most, got)
		}
	}
}

func TestPlace(t *testing.T) {
	for _, c := range []struct {
		site        alloccount.Site
		place, what string
	}{
		{alloccount.Site{Function: "encoding/csv.(*Reader).readRecord", Package: "encoding/csv", File: "/go/src/encoding/csv/reader.go", Line: 249, Cause: "string from bytes"},
			"encoding/csv/reader.go:249", "string from bytes in (*Reader).readRecord"},
		{alloccount.Site{Function: module + "/examples/x.f", Package: module + "/examples/x", File: "x.go", Line: 7},
			"examples/x/x.go:7", "in f"},
		{alloccount.Site{Function: "(no line)"}, "(no line)", ""},
	} {
		if place, what := Place(&c.site), What(&c.site); place != c.place || what != c.what {
			t.Errorf("%q, %q: want %q, %q", place, what, c.place, c.what)
		}
	}
}

// What alloctop says of its work is seen at once, its report only if asked for.
func TestFilter(t *testing.T) {
	var log bytes.Buffer
	f := &filter{log: &log}
	for _, part := range []string{"alloctop: build", "ing\n20 alloc", "ations\nalloctop: built\nend"} {
		if _, err := f.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := log.String(), "alloctop: building\nalloctop: built\n"; got != want {
		t.Errorf("told %q: want %q", got, want)
	}
	if got, want := f.rest.String(), "20 allocations\n"; got != want {
		t.Errorf("kept %q: want %q", got, want)
	}
}

// Away from the repository a study says where to go.
func TestRootElsewhere(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("GOWORK", "")
	if dir, err := Root(t.Context()); err == nil || !strings.Contains(err.Error(), "cd alloctop") {
		t.Errorf("%q, %v", dir, err)
	}
}

func TestRoot(t *testing.T) {
	dir, err := Root(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "cmd", "alloctop")); err != nil {
		t.Errorf("%s is not the repository: %v", dir, err)
	}
}
