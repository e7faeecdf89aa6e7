//go:build !unix

package offcpu

import "time"

// cpuTime returns 0: it is not known here.
func cpuTime() time.Duration { return 0 }
