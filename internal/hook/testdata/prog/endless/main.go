// Command endless allocates under ever new stacks until its input ends, and
// then says how many objects each of its goroutines made.
package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

type object [5]*int // 40 bytes, slot 48

var (
	made [2]int64
	kept [2]*object
	stop atomic.Bool
)

func main() {
	var wg sync.WaitGroup
	for g := range made {
		wg.Go(func() {
			for i := 0; !stop.Load(); i++ {
				path(g, i&(1<<14-1), 14)
			}
		})
	}
	io.Copy(io.Discard, os.Stdin)
	stop.Store(true)
	wg.Wait()
	fmt.Println(made[0], made[1])
}

// path makes an object under a stack that the bits of a number determine.
//
//go:noinline
func path(g, bits, n int) {
	switch {
	case n == 0:
		kept[g] = new(object)
		made[g]++
	case bits&1 == 0:
		path(g, bits>>1, n-1)
	default:
		path(g, bits>>1, n-1)
	}
}
