package pipeline

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
)

// Log is a web server's log. It keeps some lines only and repeats them: a large
// heap of its own would make garbage collection rarer than it is in a pipeline.
type Log struct {
	block []byte
	lines int
}

// distinct is how many lines are different.
const distinct = 4096

// NewLog returns a log of so many lines, of some 70 bytes each. The same number
// gives the same lines each time.
func NewLog(lines int) Log {
	rng := rand.New(rand.NewPCG(400, 3))
	methods := []string{"GET", "GET", "GET", "POST", "PUT", "DELETE"}
	statuses := []int{200, 200, 200, 200, 204, 301, 304, 404, 500, 503}
	log := Log{lines: lines}
	for i := range min(lines, distinct) {
		log.block = fmt.Appendf(log.block, "2026-03-%02dT%02d:%02d:%02dZ\thost-%03d\t%s\t/api/v1/items/%d\t%d\t%d\n",
			1+i*28/distinct, rng.IntN(24), rng.IntN(60), rng.IntN(60), rng.IntN(200),
			methods[rng.IntN(len(methods))], rng.IntN(1_000_000), statuses[rng.IntN(len(statuses))], rng.IntN(100_000))
	}
	return log
}

// pipeBuffer is the size of the pipe's buffer in bytes.
const pipeBuffer = 64 << 10

// Pipe returns the end of a buffered pipe to which another goroutine writes the log,
// line by line. Close ends that one, too.
func (l Log) Pipe() io.ReadCloser {
	r, w := io.Pipe()
	go func() { w.CloseWithError(l.write(w)) }()
	return r
}

func (l Log) write(w io.Writer) error {
	buffered := bufio.NewWriterSize(w, pipeBuffer)
	for left := l.lines; left > 0; {
		for line := range bytes.Lines(l.block) {
			if _, err := buffered.Write(line); err != nil {
				return err
			}
			if left--; left == 0 {
				break
			}
		}
	}
	return buffered.Flush()
}
