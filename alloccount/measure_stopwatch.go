package alloccount

import (
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// stopwatch is the meter of calls that are timed and not counted.
type stopwatch struct {
	halt  atomic.Bool
	ended chan bool
	peak  uint64 // the largest heap that was seen, once ended
}

// start begins to look at the size of the heap, every millisecond.
func (s *stopwatch) start() {
	s.ended = make(chan bool)
	heap := []metrics.Sample{{Name: metricHeap}}
	go func() {
		for ; !s.halt.Load(); time.Sleep(time.Millisecond) {
			metrics.Read(heap)
			s.peak = max(s.peak, heap[0].Value.Uint64())
		}
		close(s.ended)
	}()
}

// stop ends what start began. It may be called again.
func (s *stopwatch) stop() {
	s.halt.Store(true)
	<-s.ended
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

func (s *stopwatch) end(p *part) error {
	s.stop()
	p.growth.heap = max(p.growth.heap, s.peak)
	return nil
}
