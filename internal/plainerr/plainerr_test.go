package plainerr

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"
)

func TestWithoutPath(t *testing.T) {
	_, err := os.Open(t.TempDir() + "/none")
	for _, err := range []error{err, fmt.Errorf("opening it: %w", err)} {
		if got := WithoutPath(err); got != syscall.ENOENT {
			t.Errorf("%v of %v", got, err)
		}
	}
	other := errors.New("other")
	if got := WithoutPath(other); got != other {
		t.Errorf("%v of %v", got, other)
	}
	if got := WithoutPath(nil); got != nil {
		t.Errorf("%v of nil", got)
	}
}
