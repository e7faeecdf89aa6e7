package alloccount

import (
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// stopwatch is the meter of calls that are timed and not counted.
type stopwatch struct {
	halt atomic.Bool
	peak chan uint64
	most uint64 // what was received from it
}

// start begins to look at the size of the heap, every millisecond.
func (s *stopwatch) start() {
	s.peak = make(chan uint64, 1)
	heap := []metrics.Sample{{Name: metricHeap}}
	go func() {
		var most uint64
		for !s.halt.Load() {
			metrics.Read(heap)
			most = max(most, heap[0].Value.Uint64())
			time.Sleep(time.Millisecond)
		}
		s.peak <- most
	}()
}

func (s *stopwatch) open(p *part) error {
	runtime.ReadMemStats(&p.from.stats)
	metrics.Read(p.from.costs)
	p.from.takeTime()
	return nil
}

func (s *stopwatch) close(p *part) {
	p.to.takeTime()
	runtime.ReadMemStats(&p.to.stats)
	metrics.Read(p.to.costs)
	p.growth.addTimes(p.from, p.to)
	p.growth.addCosts(p.from, p.to)
}

// stop ends what start began, also when f panics. It waits for that, so that
// nothing of it falls into the next Measure.
func (s *stopwatch) stop() {
	if s.peak != nil && !s.halt.Swap(true) {
		s.most = <-s.peak
	}
}

func (s *stopwatch) end(p *part) error {
	s.stop()
	p.growth.heap = max(p.growth.heap, s.most)
	return nil
}
