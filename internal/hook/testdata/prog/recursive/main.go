// Command recursive makes as many different stacks as 2 to the power of its
// argument, and one object under each of them, at one of four sites.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

type leaf [3]int64 // 24 bytes

var sink [4]*leaf

func main() {
	depth, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	goroutines, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() { descend(depth, 0) })
	}
	wg.Wait()
	fmt.Println("unharmed")
}

//go:noinline
func descend(depth, path int) int {
	if depth == 0 {
		switch path % 4 {
		case 0:
			leaf0()
		case 1:
			leaf1()
		case 2:
			leaf2()
		default:
			leaf3()
		}
		return 0
	}
	n := descend(depth-1, 2*path)   // left
	n += descend(depth-1, 2*path+1) // right
	return n + 1
}

//go:noinline
func leaf0() { sink[0] = new(leaf) }

//go:noinline
func leaf1() { sink[1] = new(leaf) }

//go:noinline
func leaf2() { sink[2] = new(leaf) }

//go:noinline
func leaf3() { sink[3] = new(leaf) }
