package gorun

import (
	"bytes"
	"fmt"
	"os"
)

// Running reports whether a process still runs: it exists and has not ended
// without being waited for.
func Running(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	// The state follows the name, which is in parentheses and may hold some.
	_, state, ok := bytes.Cut(stat[max(0, bytes.LastIndexByte(stat, ')')):], []byte(" "))
	return ok && len(state) > 0 && state[0] != 'Z' && state[0] != 'X'
}
