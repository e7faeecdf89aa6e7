package sweep

import (
	"context"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The test binary of this package stands for one that was built: these are its
// benchmarks. They do nothing unless they are asked to by the environment.
func BenchmarkOwn(b *testing.B) {
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			escaped = new([100]int)
		}
		b.ReportMetric(3, "cells/op")
	})
	b.Run("waits", func(b *testing.B) {
		for range b.N {
			time.Sleep(time.Millisecond)
		}
	})
	b.Run("odd [1]", func(b *testing.B) {
		if os.Getenv("GOGC") == "7" {
			b.Fatal("out of luck")
		}
		if os.Getenv("GOGC") == "8" {
			time.Sleep(time.Hour)
		}
		for b.Loop() {
		}
	})
}

var escaped *[100]int

// own runs the benchmarks of this package.
func own(t *testing.T, gogc string) Processes {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	g := NewGrid([]Axis{axis(t, CPU, "2"), axis(t, GOGC, gogc)})
	k := kept{Dir: t.TempDir(), Args: []string{"-test.bench=^BenchmarkOwn$", "-test.benchtime=1000x"}}
	return Processes{Grid: g, Binaries: []Binary{{Package: "own", Experiment: Default, path: self, kept: k}}}
}

func TestProcesses(t *testing.T) {
	p := own(t, "10,100,7")
	benchmarks, err := p.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]Benchmark{{"own", "BenchmarkOwn/plain"}, {"own", "BenchmarkOwn/waits"}, {"own", "BenchmarkOwn/odd_[1]"}}, benchmarks); d != "" {
		t.Fatalf("(-want +got)\n%s", d)
	}
	cells := p.Grid.Cells()
	for turn := range 2 {
		run, err := p.Run(t.Context(), Job{benchmarks[0], cells[0], turn})
		if err != nil {
			t.Fatal(err)
		}
		if run.Iterations != 1000 || run.Allocs != 1 || run.Bytes != 896 || run.Metrics["cells/op"] != 3 {
			t.Errorf("turn %d: %+v", turn, run)
		}
		if run.Seconds <= 0 || run.Wall <= 0 || run.CPU <= 0 || run.Peak < 1<<19 {
			t.Errorf("turn %d: something was not measured: %+v", turn, run)
		}
		if traced := run.GCs > 0; traced && turn > 0 {
			t.Errorf("turn %d is timed, but the collector told of %d collections", turn, run.GCs)
		}
	}
	// A loop of a second is told apart from the rest of its process.
	run, err := p.Run(t.Context(), Job{benchmarks[1], cells[0], 1})
	if err != nil || !run.Loop || math.Abs(run.Wall-run.Seconds*1000) > 1e-6 {
		t.Errorf("a loop that takes long: %+v, %v", run, err)
	}
	_, err = p.Run(t.Context(), Job{benchmarks[2], cells[2], 1})
	var failure Failure
	if !errors.As(err, &failure) || !strings.HasPrefix(string(failure), "--- FAIL: BenchmarkOwn/odd_[1]: runner_test.go:") {
		t.Errorf("a benchmark that fails: %v", err)
	}
	if _, err = p.Run(t.Context(), Job{Benchmark{"own", "BenchmarkGone"}, cells[0], 1}); !errors.As(err, &failure) {
		t.Errorf("a benchmark that is not there: %v", err)
	}
}

// A benchmark that fails in the first cell is listed as well.
func TestListFailing(t *testing.T) {
	benchmarks, err := own(t, "7,100").List(t.Context())
	if err != nil || len(benchmarks) != 3 || benchmarks[2].Name != "BenchmarkOwn/odd_[1]" {
		t.Errorf("%v, %v", benchmarks, err)
	}
}

// The end of the context ends the process, and is no failure of the benchmark.
func TestCancelProcess(t *testing.T) {
	p := own(t, "8")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, cancel)
	_, err := p.Run(ctx, Job{Benchmark{"own", "BenchmarkOwn/odd_[1]"}, p.Grid.Cells()[0], 1})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
