// Package testneed says what a test needs and does not have here.
package testneed

import (
	"os"
	"runtime"
	"testing"
)

// Missing skips a test for what it needs, and how to get that. In CI it fails
// the test: a gate that skips does not hold anything.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// Hook skips a test where there is no counting hook.
func Hook(t testing.TB) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		Missing(t, "the counting hook is for linux/amd64: run this test there")
	}
}
