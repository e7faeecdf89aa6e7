//go:build unix

package counterfile

import (
	"fmt"
	"os"
	"syscall"
)

// mapped gives the content of a file without copying it: what a process
// counted in its whole life can be large, and one window of it is not. Release
// ends the use of data.
func mapped(name string) (data []byte, release func() error, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.Size() == 0 {
		return nil, func() error { return nil }, nil // nothing to map
	}
	data, err = syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, fmt.Errorf("mapping %s: %w", name, err)
	}
	return data, func() error { return syscall.Munmap(data) }, nil
}
