// Command guest says what it sees of its own process, and copies its input.
package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
)

func main() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	syscall.Kill(os.Getpid(), syscall.SIGUSR1)
	fmt.Println("signal", <-signals)

	names, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		panic(err)
	}
	fmt.Println("descriptors", len(names))
	fmt.Println("goroutines", runtime.NumGoroutine())
	fmt.Println("environment", strings.Contains(strings.Join(os.Environ(), "\n"), "ALLOCTOP_COUNTERS="))
	fmt.Println("ignored", signal.Ignored(syscall.SIGHUP))
	fmt.Println("arguments", os.Args[1:])
	var inner error
	func() {
		defer func() { inner, _ = recover().(error) }()
		*(*int)(nil) = 1
	}()
	fmt.Println("fault", inner)
	if _, err := io.Copy(os.Stdout, os.Stdin); err != nil {
		panic(err)
	}
	fmt.Fprintln(os.Stderr, "to standard error")
	os.Exit(5)
}
