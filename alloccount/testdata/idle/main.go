// Command idle imports alloccount and measures nothing, unless it is told to.
package main

import (
	"fmt"
	"os"
	"runtime"

	"github.com/alloctop/alloctop/alloccount"
)

func main() {
	fmt.Println(runtime.NumGoroutine(), "goroutine")
	if len(os.Args) > 1 {
		r, err := alloccount.Measure(func() (int, error) { return 0, nil })
		fmt.Println(r.Engine, err)
	}
}
