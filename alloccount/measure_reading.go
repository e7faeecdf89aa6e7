package alloccount

import (
	"math"
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/alloctop/alloctop/internal/procstat"
	"github.com/alloctop/alloctop/sizeclass"
)

// Metrics of package runtime/metrics that a reading takes.
const (
	metricSizes  = "/gc/heap/allocs-by-size:bytes"
	metricTiny   = "/gc/heap/tiny/allocs:objects"
	metricGC     = "/cpu/classes/gc/total:cpu-seconds"
	metricGCIdle = "/cpu/classes/gc/mark/idle:cpu-seconds"
	metricMutex  = "/sync/mutex/wait/total:seconds"
	metricHeap   = "/memory/classes/heap/objects:bytes"
)

// reading is what the runtime says at one moment. It is made once and taken
// many times: taking allocates nothing.
type reading struct {
	stats runtime.MemStats
	sizes []metrics.Sample // metricSizes, metricTiny
	costs []metrics.Sample // metricGC, metricGCIdle, metricMutex, metricHeap
	wall  time.Time
	cpu   time.Duration
}

func newReading() *reading {
	r := &reading{
		sizes: []metrics.Sample{{Name: metricSizes}, {Name: metricTiny}},
		costs: []metrics.Sample{{Name: metricGC}, {Name: metricGCIdle}, {Name: metricMutex}, {Name: metricHeap}},
	}
	metrics.Read(r.sizes) // the first time allocates
	metrics.Read(r.costs)
	return r
}

// takeStats reads the counts of objects. The world is stopped for it, and what
// each P has counted by itself is added up, so that the metrics are exact, too
// (runtime/mstats.go, readmemstats_m, Go 1.26).
func (r *reading) takeStats() {
	runtime.ReadMemStats(&r.stats)
	metrics.Read(r.sizes)
}

// takeTime is the last before the measured function and the first after it.
func (r *reading) takeTime() {
	r.cpu = procstat.CPU()
	r.wall = time.Now()
}

// growth is what lies between two readings; several pieces add up.
type growth struct {
	counted Counted
	tiny    int64   // tiny objects that share a block with an older one
	classes []int64 // objects by the runtime's own histogram, without those

	wall, cpu, pause time.Duration
	gcs              int64
	gcCPU, mutex     float64 // seconds
	heap             uint64  // the largest that was seen, in bytes
}

// addStats adds the objects between two readings.
func (g *growth) addStats(from, to *reading) {
	g.addCounted(from, to)
	g.tiny += int64(to.sizes[1].Value.Uint64() - from.sizes[1].Value.Uint64())
	before, after := from.sizes[0].Value.Float64Histogram().Counts, to.sizes[0].Value.Float64Histogram().Counts
	for i := range after {
		g.classes[i] += int64(after[i] - before[i])
	}
}

// addCounted adds objects and bytes only.
func (g *growth) addCounted(from, to *reading) {
	g.counted.Objects += int64(to.stats.Mallocs - from.stats.Mallocs)
	g.counted.Bytes += int64(to.stats.TotalAlloc - from.stats.TotalAlloc)
}

// addTimes adds the time between two readings.
func (g *growth) addTimes(from, to *reading) {
	g.wall += to.wall.Sub(from.wall)
	g.cpu += to.cpu - from.cpu
}

// addCosts adds what else is beside the counts.
func (g *growth) addCosts(from, to *reading) {
	seconds := func(i int) float64 { return to.costs[i].Value.Float64() - from.costs[i].Value.Float64() }
	g.pause += time.Duration(to.stats.PauseTotalNs - from.stats.PauseTotalNs)
	g.gcs += int64(to.stats.NumGC - from.stats.NumGC)
	g.gcCPU += seconds(0) - seconds(1) // what idle threads did anyway costs nothing
	g.mutex += seconds(2)
	g.heap = max(g.heap, from.costs[3].Value.Uint64(), to.costs[3].Value.Uint64())
}

// byClass returns the objects of g by size class, without tiny ones that share
// a block.
func (g *growth) byClass(of *reading) map[sizeclass.Bound]int64 {
	bounds := of.sizes[0].Value.Float64Histogram().Buckets // lower ends, and +Inf
	classes := make(map[sizeclass.Bound]int64)
	for i, n := range g.classes {
		class := sizeclass.Large
		if end := bounds[i+1]; !math.IsInf(end, 1) {
			class = sizeclass.Of(int64(end) - 1)
		}
		classes[class] += n
	}
	return classes
}

// cost returns what g says beside the counts.
func (g *growth) cost() *Cost {
	if g.gcs == 0 {
		g.gcCPU = 0 // what moved is of a cycle before
	}
	return &Cost{
		WallSeconds:      g.wall.Seconds(),
		CPUSeconds:       g.cpu.Seconds(),
		GCCycles:         g.gcs,
		GCCPUSeconds:     max(g.gcCPU, 0),
		PauseSeconds:     g.pause.Seconds(),
		MutexWaitSeconds: max(g.mutex, 0),
		PeakHeapBytes:    int64(g.heap),
	}
}
