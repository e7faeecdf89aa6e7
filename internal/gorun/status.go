package gorun

import (
	"fmt"
	"syscall"
)

// Status says how a process ended.
type Status struct {
	PID    int
	Code   int
	Signal syscall.Signal // that killed it, 0 if none
}

// String returns "0", "2" or "signal: killed".
func (s Status) String() string {
	if s.Signal != 0 {
		return "signal: " + s.Signal.String()
	}
	return fmt.Sprint(s.Code)
}

// Words returns "exit status 2" or "signal: killed".
func (s Status) Words() string {
	if s.Signal != 0 {
		return s.String()
	}
	return "exit status " + s.String()
}

// ExitCode returns the status as a shell has it: 128 and the signal's number
// for a process that was killed.
func (s Status) ExitCode() int {
	if s.Signal != 0 {
		return 128 + int(s.Signal)
	}
	return s.Code
}
