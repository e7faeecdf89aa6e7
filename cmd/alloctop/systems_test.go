package main

import (
	"os"
	"os/exec"
	"testing"
)

// The command can be built for the systems on which it falls back.
func TestOtherSystems(t *testing.T) {
	for _, arch := range [][2]string{{"darwin", "arm64"}, {"linux", "arm64"}} {
		cmd := exec.Command("go", "build", "-o", os.DevNull, ".")
		cmd.Env = append(os.Environ(), "GOOS="+arch[0], "GOARCH="+arch[1], "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s/%s: %v\n%s", arch[0], arch[1], err, out)
		}
	}
}
