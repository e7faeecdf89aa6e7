package gorun

import (
	"os"
	"syscall"
	"unsafe"
)

// fromTerminal reports whether a terminal sent the signal. It sends it to the
// whole foreground group, the command included, which is not to get it twice:
// many programs take a second interrupt for an order to drop everything.
func fromTerminal(sig os.Signal) bool {
	if sig != syscall.SIGINT && sig != syscall.SIGQUIT {
		return false
	}
	tty, err := os.OpenFile("/dev/tty", os.O_RDONLY|syscall.O_NOCTTY, 0)
	if err != nil {
		return false
	}
	defer tty.Close()
	var group int32
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, tty.Fd(), syscall.TIOCGPGRP, uintptr(unsafe.Pointer(&group)))
	return errno == 0 && int(group) == syscall.Getpgrp()
}
