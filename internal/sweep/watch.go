package sweep

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/alloctop/alloctop/internal/procstat"
)

// How often a process is looked at: its processor time always at the same pace,
// its memory often at first, for one that ends soon, and then seldom. Both cost
// some ten microseconds.
const (
	pollCPU   = 20 * time.Millisecond
	pollFirst = 2 * time.Millisecond
	pollLast  = 50 * time.Millisecond
)

// usage is the processor time that a process had had at some time after its
// start.
type usage struct {
	at, cpu time.Duration
}

// watch looks at the memory and the processor time of the process until it ends.
func (p *process) watch() {
	defer close(p.seen)
	pid := p.cmd.Process.Pid
	memory, cpu, wait := time.NewTimer(0), time.NewTicker(pollCPU), pollFirst
	defer memory.Stop()
	defer cpu.Stop()
	for {
		select {
		case <-memory.C:
			if n := procstat.PeakMemory(pid); n > 0 {
				p.polled = n // the kernel keeps the most itself
			}
			memory.Reset(wait)
			wait = min(2*wait, pollLast)
		case <-cpu.C:
			if t, ok := processorTime(pid); ok {
				p.usages = append(p.usages, usage{time.Since(p.begun), t})
			}
		case <-p.ended:
			return
		}
	}
}

// tick is the unit of times in /proc on Linux.
const tick = 10 * time.Millisecond

// processorTime returns the user and system time of all threads of a process, in
// whole ticks (proc(5)).
func processorTime(pid int) (time.Duration, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // a name may have spaces in it
	if len(fields) < 13 {
		return 0, false
	}
	user, err1 := strconv.ParseInt(string(fields[11]), 10, 64)
	system, err2 := strconv.ParseInt(string(fields[12]), 10, 64)
	return time.Duration(user+system) * tick, err1 == nil && err2 == nil
}

// usedBetween returns the processor time between two times after the start, of
// usages in order. Between two looks it grows evenly.
func usedBetween(usages []usage, from, to time.Duration) time.Duration {
	at := func(t time.Duration) time.Duration {
		before := usage{}
		for _, u := range usages {
			if u.at >= t {
				if u.at == before.at {
					return u.cpu
				}
				return before.cpu + time.Duration(float64(u.cpu-before.cpu)*float64(t-before.at)/float64(u.at-before.at))
			}
			before = u
		}
		return before.cpu
	}
	return max(0, at(to)-at(from))
}

// output is what a process prints, and when it last printed a result. It has no
// ReadFrom, by which a copy would pass Write by.
type output struct {
	text     bytes.Buffer
	begun    time.Time
	resultAt time.Duration // after begun, 0 if there was none
}

func (o *output) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(" ns/op")) {
		o.resultAt = time.Since(o.begun)
	}
	return o.text.Write(p)
}

func (o *output) String() string { return o.text.String() }
