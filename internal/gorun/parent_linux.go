package gorun

import (
	"os/exec"
	"syscall"
)

// endWithParent has a command interrupted when the thread that starts it ends.
func endWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGINT}
}
