// Package windows has benchmarks whose timed regions are hard to count.
package windows

import (
	"runtime"
	"strings"
	"sync"
	"testing"
)

type pair struct{ a, b *int }

var sink [16]*pair

// allocating runs a function while four goroutines allocate without a pause,
// in small objects, tiny ones and large ones.
func allocating(f func()) {
	stop := make(chan bool)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			var s string
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
					sink[8+g] = &pair{a: new(int)}
					s = strings.Repeat("x", i%700)
					if i%64 == 0 {
						runtime.KeepAlive(make([]byte, 40_000))
					}
				}
			}
			runtime.KeepAlive(s)
		})
	}
	f()
	close(stop)
	wg.Wait()
}

// Every ResetTimer begins a window of its own.
func BenchmarkTear(b *testing.B) {
	allocating(func() {
		for range 20_000 {
			sink[0] = &pair{}
			b.ResetTimer()
		}
	})
}

// The windows have ten pieces each, and the timer stands when it is reset.
func BenchmarkTearStopped(b *testing.B) {
	allocating(func() {
		for i := range 5_000 {
			b.StopTimer()
			sink[0] = &pair{}
			if i%10 == 0 {
				b.ResetTimer()
			}
			b.StartTimer()
			sink[0] = &pair{a: new(int)}
		}
	})
}

func BenchmarkStopInLoop(b *testing.B) {
	for range b.N {
		sink[0] = &pair{}
		b.StopTimer()
		sink[0] = &pair{a: new(int)}
		b.StartTimer()
	}
}

func BenchmarkLoop(b *testing.B) {
	sink[0] = &pair{a: new(int)}
	for b.Loop() {
		sink[0] = &pair{a: new(int), b: new(int)}
		b.StopTimer()
		sink[0] = &pair{}
		b.StartTimer()
	}
	b.StopTimer()
	sink[0] = &pair{a: new(int)}
}

// A parent of sub-benchmarks that allocates in between, and beside them.
func BenchmarkParent(b *testing.B) {
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				sink[1] = &pair{b: new(int)}
				runtime.Gosched()
			}
		}
	}()
	sink[0] = &pair{}
	b.Run("Child", func(b *testing.B) {
		for range b.N {
			sink[0] = &pair{a: new(int)}
		}
		b.Run("Grandchild", func(b *testing.B) {
			for b.Loop() {
				sink[0] = &pair{}
			}
		})
	})
	b.Run("Parallel", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				s := make([]byte, 3)
				p := &pair{a: new(int)}
				runtime.KeepAlive(s)
				sink[2] = p
			}
		})
	})
	close(stop)
	<-stopped
}

// GOMAXPROCS grows, and shrinks, while counting.
func BenchmarkProcs(b *testing.B) {
	old := runtime.GOMAXPROCS(0)
	for i := range b.N {
		runtime.GOMAXPROCS(1 + i%37)
		done := make(chan bool)
		for range 8 {
			go func() { sink[3] = &pair{}; done <- true }()
		}
		for range 8 {
			<-done
		}
	}
	runtime.GOMAXPROCS(old)
}

func BenchmarkNothing(b *testing.B) {
	for range b.N {
	}
}

// Nine in ten iterations make one object of 24 bytes: 0.9 in the mean.
func BenchmarkNineOfTen(b *testing.B) {
	for i := range b.N {
		if i%10 != 0 {
			sink[0] = (*pair)(nil)
			three = &[3]int64{}
		}
	}
}

var three *[3]int64

func BenchmarkMetric(b *testing.B) {
	for range b.N {
		sink[0] = &pair{}
	}
	b.ReportMetric(160_000, "cells/op")
	b.ReportMetric(0.5, "things")
}

// Benchmarks that end with the timer running, many of them, and then one that
// is measured.
func BenchmarkSkipped(b *testing.B) {
	for range 100 {
		b.Run("Skipped", func(b *testing.B) { b.Skip("on purpose") })
	}
	b.Run("Counted", func(b *testing.B) {
		for range b.N {
			sink[0] = &pair{}
		}
	})
	b.Skip("on purpose")
}

func BenchmarkPerRun(b *testing.B) {
	for range b.N {
		sink[0] = &pair{a: new(int)}
	}
	if n := testing.AllocsPerRun(10, func() { sink[0] = &pair{} }); n != 1 {
		b.Error(n, "allocations where there is one")
	}
}

// A benchmark inside of a test, by the function that programs use.
func TestBenchmark(t *testing.T) {
	r := testing.Benchmark(func(b *testing.B) {
		for range b.N {
			sink[0] = &pair{}
		}
	})
	if r.AllocsPerOp() != 1 {
		t.Error(r.AllocsPerOp(), "allocations where there is one")
	}
}
