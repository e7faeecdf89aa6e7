package sweep

import (
	"os"
	"syscall"

	"github.com/alloctop/alloctop/internal/procstat"
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
	if floor := procstat.PeakMemory(os.Getpid()); most > floor+floor/8 || p.polled == 0 {
		return most
	}
	return p.polled
}
