//go:build !unix

package counterfile

import "os"

// mapped gives the content of a file. Release ends the use of data.
func mapped(name string) (data []byte, release func() error, err error) {
	data, err = os.ReadFile(name)
	return data, func() error { return nil }, err
}
