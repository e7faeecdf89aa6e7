package procstat

import (
	"os"
	"runtime"
	"testing"
)

// Work takes processor time, and that of before stays counted.
func TestCPUGrowsWithWork(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" || runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("the processor time is not known on " + runtime.GOOS)
	}
	before := CPU()
	for now := before; now <= before; now = CPU() {
		if now < before {
			t.Fatalf("%v after %v", now, before)
		}
	}
}

// What a process has touched is in the most memory that it had.
func TestPeakMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		if n := PeakMemory(os.Getpid()); n != 0 {
			t.Errorf("%d bytes where nobody knows", n)
		}
		return
	}
	before := PeakMemory(os.Getpid())
	touched := make([]byte, before+64<<20)
	for i := 0; i < len(touched); i += 4096 {
		touched[i] = 1
	}
	if after := PeakMemory(os.Getpid()); before == 0 || after < int64(len(touched)) {
		t.Errorf("%d bytes, before %d", after, before)
	}
	runtime.KeepAlive(touched)
	if n := PeakMemory(1 << 30); n != 0 {
		t.Errorf("%d bytes of no process", n)
	}
}
