package testing

import (
	"math"
	"runtime"
	"sync"
	_ "unsafe"
)

// What alloctop's patches of B and T call: they bound what is counted apart.

//go:linkname alloctopSwitch runtime.alloctopSwitch
func alloctopSwitch(op, id, kind uint32, name, pack string, m *runtime.MemStats) uint32

//go:linkname alloctopFinal runtime.alloctopFinal
func alloctopFinal(id uint32, n, procs int)

//go:linkname alloctopJoin runtime.alloctopJoin
func alloctopJoin(id, group, kind uint32) uint32

//go:linkname alloctopNote runtime.alloctopNote
func alloctopNote(id uint32, text string, value uint64)

// As in the runtime.
const (
	alloctopOpen = iota + 1
	alloctopClose
	alloctopReset
)

const (
	alloctopBenchmark = iota + 1
	alloctopTest
	alloctopParallel
)

// In StartTimer, StopTimer and ResetTimer these three stand in the place of
// runtime.ReadMemStats.

func (b *B) alloctopStart(m *runtime.MemStats) {
	b.alloctop = alloctopSwitch(alloctopOpen, b.alloctop, alloctopBenchmark, b.name, alloctopImportPath(), m)
}

func (b *B) alloctopStop(m *runtime.MemStats) {
	alloctopSwitch(alloctopClose, b.alloctop, 0, "", "", m)
}

func (b *B) alloctopReset(m *runtime.MemStats) {
	b.alloctop = alloctopSwitch(alloctopReset, b.alloctop, alloctopBenchmark, b.name, alloctopImportPath(), m)
}

// alloctopEnd closes the window of a round that did not come to its StopTimer,
// by Skip or FailNow. One that panics takes the process with it: its window
// stays open, and so is known as cut off.
func (b *B) alloctopEnd() {
	b.mu.RLock()
	finished := b.finished
	b.mu.RUnlock()
	if finished && b.timerOn && b.alloctop != 0 {
		alloctopSwitch(alloctopClose, b.alloctop, 0, "", "", &memStats)
	}
}

// alloctopDone says that the window of the last round is the benchmark's
// result.
func (b *B) alloctopDone() {
	if b.alloctop == 0 || b.failed {
		return
	}
	for unit, value := range b.extra {
		alloctopNote(b.alloctop, unit, math.Float64bits(value))
	}
	alloctopFinal(b.alloctop, b.N, runtime.GOMAXPROCS(0))
}

// Tests: one window a top-level test. Those that run in parallel share one, and
// what each of them did before it called Parallel joins the same group.
var alloctopTests struct {
	sync.Mutex
	stats   runtime.MemStats
	group   uint32 // of the present round
	started bool   // its parallel tests have been let go
	running int
}

func (t *T) alloctopStart() {
	if t.level != 1 {
		return
	}
	g := &alloctopTests
	g.Lock()
	defer g.Unlock()
	t.alloctop = alloctopSwitch(alloctopOpen, 0, alloctopTest, t.name, alloctopImportPath(), &g.stats)
}

// alloctopPause is called where Parallel is about to wait.
func (t *T) alloctopPause() {
	if t.level != 1 || t.alloctop == 0 {
		return
	}
	g := &alloctopTests
	g.Lock()
	defer g.Unlock()
	alloctopSwitch(alloctopClose, t.alloctop, 0, "", "", &g.stats)
	if g.group == 0 || g.started {
		g.group, g.started = alloctopJoin(0, 0, alloctopParallel), false
	}
	alloctopJoin(t.alloctop, g.group, alloctopParallel)
	alloctopNote(g.group, t.name, 0)
}

// alloctopResume is called where Parallel has waited.
func (t *T) alloctopResume() {
	if t.level != 1 || t.alloctop == 0 {
		return
	}
	g := &alloctopTests
	g.Lock()
	defer g.Unlock()
	t.alloctop, g.started = g.group, true
	if g.running++; g.running == 1 {
		alloctopSwitch(alloctopOpen, g.group, alloctopParallel, "parallel tests", alloctopImportPath(), &g.stats)
	}
}

// alloctopDone is called when a test and its subtests have ended, before the
// next may start.
func (t *T) alloctopDone() {
	if t.level != 1 || t.alloctop == 0 {
		return
	}
	g := &alloctopTests
	g.Lock()
	defer g.Unlock()
	if !t.isParallel {
		alloctopSwitch(alloctopClose, t.alloctop, 0, "", "", &g.stats)
	} else if g.running--; g.running == 0 {
		alloctopSwitch(alloctopClose, g.group, 0, "", "", &g.stats)
	}
	alloctopFinal(t.alloctop, 1, runtime.GOMAXPROCS(0))
	t.alloctop = 0
}

func alloctopImportPath() string {
	if alloctopDeps == nil {
		return ""
	}
	return alloctopDeps.ImportPath()
}

var alloctopDeps testDeps // set by MainStart
