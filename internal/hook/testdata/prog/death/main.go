// Command death makes a known number of objects and ends in the way that its
// argument names.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

const n = 100_000

type record struct{ a, b *int }

var sink [8]*record

// work makes n records of two objects each.
//
//go:noinline
func work() {
	for range n {
		sink[0] = &record{a: new(int)}
	}
}

func main() {
	if os.Args[1] == "mapped" {
		mapped(os.Args[2])
	}
	if os.Args[1] == "second" {
		work()
		return
	}
	work()
	end, ok := ends[os.Args[1]]
	if !ok {
		panic("no such end: " + os.Args[1])
	}
	end()
	time.Sleep(time.Minute) // for a signal that is on its way
}

var ends = map[string]func(){
	"return":    func() { os.Exit(0) },
	"exit":      func() { os.Exit(3) },
	"exit256":   func() { os.Exit(256 + 7) },
	"syscall":   func() { syscall.Exit(4) },
	"panic":     func() { panic("on purpose") },
	"nil":       func() { *(*int)(nil) = 1 },
	"throw":     func() { new(sync.Mutex).Unlock() },
	"maps":      func() { concurrentMaps() },
	"overflow":  func() { overflow(nil) },
	"deadlock":  func() { select {} },
	"goexit":    func() { runtime.Goexit() },
	"kill":      func() { raise(syscall.SIGKILL) },
	"term":      func() { raise(syscall.SIGTERM) },
	"hup":       func() { raise(syscall.SIGHUP) },
	"quit":      func() { raise(syscall.SIGQUIT) },
	"segv":      func() { raise(syscall.SIGSEGV) },
	"abrt":      func() { raise(syscall.SIGABRT) },
	"usr1":      func() { raise(syscall.SIGUSR1) },
	"pipe":      func() { brokenPipe() },
	"exec":      func() { exec(os.Args[0]) },
	"noexec":    func() { exec("/nonexistent/program"); raise(syscall.SIGKILL) },
	"noexec0":   func() { exec("/nonexistent/program"); os.Exit(0) },
	"memory":    func() { outOfMemory() },
	"exit-busy": func() { exitBusy() },
}

func raise(sig syscall.Signal) { syscall.Kill(os.Getpid(), sig) }

// concurrentMaps writes to a map from two goroutines, until the runtime sees
// it.
func concurrentMaps() {
	m := map[int]int{}
	for range 2 {
		go func() {
			for {
				m[1]++
			}
		}()
	}
}

//go:noinline
func overflow(up *[100]int) int {
	var here [100]int
	if up != nil {
		here[0] = up[0] + 1
	}
	return overflow(&here) + here[1]
}

func brokenPipe() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	r.Close()
	if err := syscall.Dup2(int(w.Fd()), 1); err != nil {
		panic(err)
	}
	fmt.Println("nobody reads this")
}

func exec(name string) { syscall.Exec(name, []string{name, "second"}, os.Environ()) }

func outOfMemory() {
	limit := uint64(3 << 30)
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		panic(err)
	}
	var all [][]byte
	for {
		all = append(all, make([]byte, 64<<20))
	}
}

func exitBusy() {
	var going atomic.Int64
	for g := range 4 {
		go func() {
			for {
				sink[1+g] = &record{b: new(int)}
				going.Add(1)
			}
		}()
	}
	for going.Load() < 1000 {
		runtime.Gosched()
	}
	os.Exit(0)
}

// mapped allocates until it is killed, from four goroutines. What each of them
// has done so far it notes in a file that outlives the process.
func mapped(name string) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		panic(err)
	}
	page, err := syscall.Mmap(int(f.Fd()), 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	done := (*[5]int64)(unsafe.Pointer(&page[0]))
	for g, f := range []func(*int64){mapped0, mapped1, mapped2, mapped3} {
		go f(&done[g])
	}
	atomic.StoreInt64(&done[4], 1)
	select {}
}

func mapped0(done *int64) {
	for {
		sink[0] = new(record)
		atomic.AddInt64(done, 1)
	}
}

func mapped1(done *int64) {
	for {
		sink[1] = new(record)
		atomic.AddInt64(done, 1)
	}
}

func mapped2(done *int64) {
	for {
		sink[2] = new(record)
		atomic.AddInt64(done, 1)
	}
}

func mapped3(done *int64) {
	for {
		sink[3] = new(record)
		atomic.AddInt64(done, 1)
	}
}
