//go:build unix

package procstat

import (
	"syscall"
	"time"
)

// CPU returns the processor time that this process has taken so far, user and
// system, of all its threads; 0 where the system does not tell.
func CPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
