package pipeline

import (
	"bufio"
	"bytes"
	"io"
	"sync"
)

// Func adds up the lines that r has until its end, with this many readers of lines
// at a time, 1 or more. The error is that of r, or [bufio.ErrTooLong] for a line
// beyond [MaxLine].
type Func func(r io.Reader, readers int) (Sum, error)

// Variant is one shape of the pipeline.
type Variant struct {
	Name  string
	What  string // in a few words
	Alone bool   // has no readers to choose the number of
	Run   Func
}

// Variants are all shapes, that of the story's beginning first.
func Variants() []Variant {
	return []Variant{
		{"list", "a task for each line, gathered in a list", true, list},
		{"channel", "a channel of strings", false, channel},
		{"bytes", "a channel of bytes, a copy of each line", false, copies},
		{"pooled", "a channel of bytes, whose buffers come back", false, pooled},
		{"batches", "a channel of 256 strings at a time", false, batches},
		{"blocks", "a channel of blocks of lines, whose buffers come back", false, blocks},
		{"serial", "one loop, no other goroutine", true, serial},
	}
}

// MaxLine bounds the length of a line in bytes.
const MaxLine = 1 << 20

// ahead is how many lines, or batches of them, may wait in a channel.
const ahead = 1024

func scanner(r io.Reader) *bufio.Scanner {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, pipeBuffer), MaxLine)
	return s
}

// fan starts readers, each with a sum of its own, and returns what waits for them
// and adds their sums up.
func fan(readers int, read func(sum *Sum)) (wait func() Sum) {
	sums := make([]Sum, readers)
	var done sync.WaitGroup
	for i := range sums {
		done.Go(func() {
			var sum Sum // apart from those of others, which share cache lines
			read(&sum)
			sums[i] = sum
		})
	}
	return func() (total Sum) {
		done.Wait()
		for _, sum := range sums {
			total.merge(sum)
		}
		return total
	}
}

// list has as many readers as there are lines.
func list(r io.Reader, _ int) (total Sum, err error) {
	var tasks []chan Sum
	lines := scanner(r)
	for lines.Scan() {
		line := lines.Text()
		result := make(chan Sum, 1)
		tasks = append(tasks, result)
		go func() {
			var sum Sum
			add(&sum, line)
			result <- sum
		}()
	}
	for _, result := range tasks {
		total.merge(<-result)
	}
	return total, lines.Err()
}

func channel(r io.Reader, readers int) (Sum, error) {
	work := make(chan string, ahead)
	wait := fan(readers, func(sum *Sum) {
		for line := range work {
			add(sum, line)
		}
	})
	lines := scanner(r)
	for lines.Scan() {
		work <- lines.Text()
	}
	close(work)
	return wait(), lines.Err()
}

func copies(r io.Reader, readers int) (Sum, error) {
	work := make(chan []byte, ahead)
	wait := fan(readers, func(sum *Sum) {
		for line := range work {
			add(sum, line)
		}
	})
	lines := scanner(r)
	for lines.Scan() {
		work <- bytes.Clone(lines.Bytes())
	}
	close(work)
	return wait(), lines.Err()
}

func pooled(r io.Reader, readers int) (Sum, error) {
	buffers := sync.Pool{New: func() any { return new([]byte) }}
	work := make(chan *[]byte, ahead)
	wait := fan(readers, func(sum *Sum) {
		for line := range work {
			add(sum, *line)
			buffers.Put(line)
		}
	})
	lines := scanner(r)
	for lines.Scan() {
		line := buffers.Get().(*[]byte)
		*line = append((*line)[:0], lines.Bytes()...)
		work <- line
	}
	close(work)
	return wait(), lines.Err()
}

// batchLines is how many lines go through the channel together.
const batchLines = 256

func batches(r io.Reader, readers int) (Sum, error) {
	work := make(chan []string, ahead/batchLines)
	wait := fan(readers, func(sum *Sum) {
		for batch := range work {
			for _, line := range batch {
				add(sum, line)
			}
		}
	})
	lines := scanner(r)
	batch := make([]string, 0, batchLines)
	for lines.Scan() {
		if batch = append(batch, lines.Text()); len(batch) == batchLines {
			work <- batch
			batch = make([]string, 0, batchLines)
		}
	}
	work <- batch
	close(work)
	return wait(), lines.Err()
}

func serial(r io.Reader, _ int) (sum Sum, err error) {
	lines := scanner(r)
	for lines.Scan() {
		add(&sum, lines.Bytes())
	}
	return sum, lines.Err()
}
