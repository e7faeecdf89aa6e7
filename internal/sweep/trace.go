package sweep

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// cycle is a line of GODEBUG=gctrace=1 (runtime/extern.go, Go 1.26): the times
// of the two phases in which the world is stopped, and of marking the processor
// time of assists, of background and of idle workers.
//
//	gc 15 @0.049s 11%: 0.043+0.32+0.034 ms clock, 0.087+0.026/0.057/0+0.068 ms cpu, …
var cycle = regexp.MustCompile(`^gc \d+ @([\d.]+)s \d+%: ([\d.]+)\+[\d.]+\+([\d.]+) ms clock, [\d.]+\+([\d.]+)/([\d.]+)/([\d.]+)\+[\d.]+ ms cpu`)

// readTrace adds up the collections that a process told of and that began at
// from or later, after its start, and their processor time in seconds. Stopping
// the world counts for one thread, that of the collector: the others wait. The
// collections that package testing asks for before each run of a benchmark are
// left out.
func readTrace(text string, from time.Duration) (cycles int, seconds float64) {
	for line := range strings.Lines(text) {
		m := cycle.FindStringSubmatch(line)
		if m == nil || strings.Contains(line, "(forced)") {
			continue
		}
		if at, _ := strconv.ParseFloat(m[1], 64); at < from.Seconds() {
			continue
		}
		cycles++
		for _, part := range m[2:] {
			ms, _ := strconv.ParseFloat(part, 64)
			seconds += ms / 1000
		}
	}
	return cycles, seconds
}
