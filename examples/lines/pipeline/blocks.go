package pipeline

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"sync"
)

// blocks hands over what the pipe has at a time, cut behind the last line, and makes
// nothing of a single line: the readers find the lines.
func blocks(r io.Reader, readers int) (Sum, error) {
	buffers := sync.Pool{New: func() any { return new(make([]byte, 0, pipeBuffer)) }}
	work := make(chan *[]byte, readers)
	wait := fan(readers, func(sum *Sum) {
		for block := range work {
			for line := range bytes.Lines(*block) {
				add(sum, trim(line))
			}
			buffers.Put(block)
		}
	})
	in := blockReader{r: r}
	var err error
	for err == nil {
		block := buffers.Get().(*[]byte)
		*block, err = in.next(*block)
		work <- block
	}
	close(work)
	if err == io.EOF {
		err = nil
	}
	return wait(), err
}

// trim cuts off the line end, as [bufio.ScanLines] does.
func trim(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

// blockReader reads whole lines.
type blockReader struct {
	r    io.Reader
	rest []byte // of a line that is not yet whole
}

// next reads one line or more into the room of block. With an error, it returns what
// there was before it.
func (b *blockReader) next(block []byte) ([]byte, error) {
	block = append(block[:0], b.rest...)
	b.rest = b.rest[:0]
	for {
		if len(block) >= MaxLine {
			return block[:0], bufio.ErrTooLong
		}
		if len(block) == cap(block) {
			block = slices.Grow(block, len(block))
		}
		n, err := b.r.Read(block[len(block):cap(block)])
		block = block[:len(block)+n]
		if err != nil {
			return block, err
		}
		if end := bytes.LastIndexByte(block[len(block)-n:], '\n'); end >= 0 {
			end += len(block) - n + 1
			b.rest = append(b.rest, block[end:]...)
			return block[:end], nil
		}
	}
}
