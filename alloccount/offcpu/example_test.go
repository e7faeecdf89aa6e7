package offcpu_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/alloctop/alloctop/alloccount/offcpu"
)

// The same function once more, this time to see who waits.
func ExampleMeasure() {
	p, err := offcpu.Measure(context.Background(), func(context.Context) error {
		time.Sleep(100 * time.Millisecond)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	s, err := offcpu.Summarize(p)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("waits for", s.Lines[0].For[0].For)
	// Output: waits for time to pass
}
