package procstat

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// PeakMemory returns the most resident memory that a process has had, in bytes,
// 0 if it does not run or the system does not tell (proc(5)). The figure of
// getrusage(2) will not do for that: it begins with that of the process which
// started it.
func PeakMemory(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("\nVmHWM:"))
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kib, err := strconv.ParseInt(string(fields[0]), 10, 64)
	if err != nil {
		return 0
	}
	return kib << 10
}
