package pipeline

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
)

// Data returns so many lines of a web server's log, of some 70 bytes each. The same
// number gives the same lines each time.
func Data(lines int) []byte {
	rng := rand.New(rand.NewPCG(400, 3))
	methods := []string{"GET", "GET", "GET", "POST", "PUT", "DELETE"}
	statuses := []int{200, 200, 200, 200, 204, 301, 304, 404, 500, 503}
	var data []byte
	for i := range lines {
		data = fmt.Appendf(data, "2026-03-%02dT%02d:%02d:%02dZ\thost-%03d\t%s\t/api/v1/items/%d\t%d\t%d\n",
			1+i*28/lines, rng.IntN(24), rng.IntN(60), rng.IntN(60), rng.IntN(200),
			methods[rng.IntN(len(methods))], rng.IntN(1_000_000), statuses[rng.IntN(len(statuses))], rng.IntN(100_000))
	}
	return data
}

// pipeBuffer is the size of the pipe's buffer in bytes.
const pipeBuffer = 64 << 10

// Pipe returns the end of a buffered pipe that another goroutine writes data to,
// line by line. Close ends that one, too.
func Pipe(data []byte) io.ReadCloser {
	r, w := io.Pipe()
	go func() { w.CloseWithError(feed(w, data)) }()
	return r
}

func feed(w io.Writer, data []byte) error {
	buffered := bufio.NewWriterSize(w, pipeBuffer)
	for line := range bytes.Lines(data) {
		if _, err := buffered.Write(line); err != nil {
			return err
		}
	}
	return buffered.Flush()
}
