//go:build unix

package offcpu

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time of the process, user and system, of all
// its threads.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
