//go:build unix

// Package cputime reads the processor time of the process.
package cputime

import (
	"syscall"
	"time"
)

// Now returns the processor time that the process has taken so far, user and
// system, of all its threads; 0 where the system does not tell.
func Now() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
