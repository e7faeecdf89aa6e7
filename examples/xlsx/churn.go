package main

import "sync"

// churn allocates objects of a size, bytes without pointers, and drops each soon
// after, on several threads that share nothing: what the allocator and the garbage
// collector make of more threads when there is nothing else to do.
func churn(threads, objects, size int) {
	var done sync.WaitGroup
	for range threads {
		done.Go(func() { allocate(objects/threads, size) })
	}
	done.Wait()
}

// allocate keeps the last few objects.
//
//go:noinline
func allocate(objects, size int) [][]byte {
	kept := make([][]byte, 16)
	for i := range objects {
		kept[i%len(kept)] = make([]byte, size)
	}
	return kept
}
