package sweep

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// peak returns the most resident memory of the process, in bytes. What the
// kernel keeps for a process that has ended is exact, but begins with that of
// the process which started it (getrusage(2)); below that, what was seen has to
// do.
func (p *process) peak() int64 {
	usage, ok := p.cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return p.polled
	}
	most := usage.Maxrss << 10
	if floor := highWater(os.Getpid()); most > floor+floor/8 || p.polled == 0 {
		return most
	}
	return p.polled
}

// highWater returns the most resident memory that a process has had, 0 if it
// does not run (proc(5)).
func highWater(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, ok := bytes.Cut(status, []byte("VmHWM:"))
	if !ok {
		return 0
	}
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kib, err := strconv.ParseInt(string(fields[0]), 10, 64)
	if err != nil {
		return 0
	}
	return kib << 10
}
