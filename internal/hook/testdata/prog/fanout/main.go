// Command fanout makes an object under each of 16 to the power of its argument
// stacks, which differ in their innermost calls, at one of four sites. With a
// second argument it first puts an empty file in the place of its counter file.
package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
)

type leaf [3]int64 // 24 bytes

var sink [4]*leaf

func main() {
	depth, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	if len(os.Args) > 2 {
		replace()
	}
	for path := range 1 << (4 * depth) {
		if got := step(depth, path); got != path {
			panic(fmt.Sprintf("path %d came back as %d", path, got))
		}
	}
	fmt.Println("unharmed")
}

func replace() {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		panic(err)
	}
	file := regexp.MustCompile(`/\S*\.allocs`).FindString(string(maps))
	if err := os.Rename(file, file+".moved"); err != nil {
		panic(err)
	}
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		panic(err)
	}
}

// step has 16 places from which it calls itself.
//
//go:noinline
func step(depth, path int) int {
	if depth == 1 {
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
		return path
	}
	switch path % 16 {
	case 0:
		return step(depth-1, path/16) * 16
	case 1:
		return step(depth-1, path/16)*16 + 1
	case 2:
		return step(depth-1, path/16)*16 + 2
	case 3:
		return step(depth-1, path/16)*16 + 3
	case 4:
		return step(depth-1, path/16)*16 + 4
	case 5:
		return step(depth-1, path/16)*16 + 5
	case 6:
		return step(depth-1, path/16)*16 + 6
	case 7:
		return step(depth-1, path/16)*16 + 7
	case 8:
		return step(depth-1, path/16)*16 + 8
	case 9:
		return step(depth-1, path/16)*16 + 9
	case 10:
		return step(depth-1, path/16)*16 + 10
	case 11:
		return step(depth-1, path/16)*16 + 11
	case 12:
		return step(depth-1, path/16)*16 + 12
	case 13:
		return step(depth-1, path/16)*16 + 13
	case 14:
		return step(depth-1, path/16)*16 + 14
	default:
		return step(depth-1, path/16)*16 + 15
	}
}

//go:noinline
func leaf0() { sink[0] = new(leaf) }

//go:noinline
func leaf1() { sink[1] = new(leaf) }

//go:noinline
func leaf2() { sink[2] = new(leaf) }

//go:noinline
func leaf3() { sink[3] = new(leaf) }
