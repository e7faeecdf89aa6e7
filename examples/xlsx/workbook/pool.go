package workbook

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// threads returns how many goroutines parse this many sheets.
func (o Options) threads(sheets int) int {
	switch {
	case !o.ParallelParse:
		return 1
	case o.ParallelParseThreads == 0:
		return min(sheets, runtime.GOMAXPROCS(0))
	default:
		return min(sheets, o.ParallelParseThreads)
	}
}

// forEach calls do with 0 to n-1. Workers take the next index from a shared
// counter until one fails; when all have come to their end, the error of the
// lowest index is returned. For one thread or task it is a plain loop.
func forEach(n, threads int, do func(i int) error) error {
	if n <= 1 || threads <= 1 {
		for i := range n {
			if err := do(i); err != nil {
				return err
			}
		}
		return nil
	}
	var (
		next   atomic.Int64
		failed atomic.Bool
		errs   = make([]error, n)
		done   sync.WaitGroup
	)
	for range threads {
		done.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = do(i); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	done.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
