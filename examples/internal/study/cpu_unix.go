//go:build unix

package study

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time of the process, of all its threads.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
