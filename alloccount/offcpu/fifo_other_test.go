//go:build !unix

package offcpu

import (
	"testing"

	"github.com/alloctop/alloctop/internal/testneed"
)

func makeFIFO(t *testing.T, name string) {
	t.Helper()
	testneed.Missing(t, "no FIFO here: run this test on a Unix")
}
