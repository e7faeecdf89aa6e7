//go:build !race

package alloccount_test

import (
	"fmt"
	"testing"

	"github.com/alloctop/alloctop/alloccount"
)

func ExamplePerRecord() {
	var t testing.TB = exampleTest{} // the test's own

	n := alloccount.PerRecord(t, parse)
	if n > 1.1 {
		t.Errorf("%.2f allocations per record, want 1.1 or less", n)
	}
	fmt.Printf("%.3f allocations per record\n", n)
	// Output: 1.001 allocations per record
}

// exampleTest stands for the test that PerRecord is called in.
type exampleTest struct{ testing.TB }

func (exampleTest) Helper()        {}
func (exampleTest) Name() string   { return "TestParse" }
func (exampleTest) Cleanup(func()) {}
