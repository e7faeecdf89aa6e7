package main

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/alloctop/alloctop/alloccount/offcpu"
)

// wallMain writes a wall-clock profile of four goroutines that take turns at a
// lock, each a while.
//
//	wall FILE
func wallMain() {
	p, err := offcpu.Measure(context.Background(), func(context.Context) error {
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() { holdLock(&mu) })
		}
		wg.Wait()
		return nil
	})
	if err != nil {
		fatal("%v", err)
	}
	f, err := os.Create(os.Args[1])
	if err != nil {
		fatal("%v", err)
	}
	if err := p.Write(f); err != nil {
		fatal("%v", err)
	}
	if err := f.Close(); err != nil {
		fatal("%v", err)
	}
}

func holdLock(mu *sync.Mutex) {
	mu.Lock()
	defer mu.Unlock()
	time.Sleep(60 * time.Millisecond)
}
