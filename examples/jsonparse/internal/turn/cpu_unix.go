//go:build unix

package turn

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time of this process so far, of all its threads.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
