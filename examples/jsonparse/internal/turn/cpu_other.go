//go:build !unix

package turn

import "time"

// cpuTime returns 0: the system has no such figure.
func cpuTime() time.Duration { return 0 }
