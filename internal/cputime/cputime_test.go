package cputime

import (
	"runtime"
	"testing"
)

// Work takes processor time, and that of before stays counted.
func TestNowGrowsWithWork(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" || runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("the processor time is not known on " + runtime.GOOS)
	}
	before := Now()
	for now := before; now <= before; now = Now() {
		if now < before {
			t.Fatalf("%v after %v", now, before)
		}
	}
}
