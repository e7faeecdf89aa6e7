// Command workers is what the wall-clock profile of the tests was taken of:
// eight goroutines that parse, and hold one lock for most of the time.
//
//	go run -trimpath ./web/testdata/workers >web/testdata/wall.pb.gz
package main

import (
	"context"
	"encoding/csv"
	"io"
	"log"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/alloctop/alloctop/alloccount/offcpu"
)

func main() {
	p, err := offcpu.Measure(context.Background(), work)
	if err != nil {
		log.Fatal(err)
	}
	if err := p.Write(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// work parses files with eight workers.
func work(context.Context) error {
	files := make(chan string)
	t := &table{seen: make(map[string]int)}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { worker(files, t) })
	}
	for end := time.Now().Add(4 * time.Second); time.Now().Before(end); {
		files <- fetch()
	}
	close(files)
	wg.Wait()
	return nil
}

// fetch stands for a disk that takes its time.
func fetch() string {
	time.Sleep(2 * time.Millisecond)
	return strings.Repeat("some,fields,of,a,record\n", 200)
}

func worker(files <-chan string, t *table) {
	for text := range files {
		r := csv.NewReader(strings.NewReader(text))
		for {
			record, err := r.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				log.Print(err)
				break
			}
			t.add(record)
		}
	}
}

// table is what all workers write to.
type table struct {
	mu   sync.Mutex
	seen map[string]int
	log  []string
}

func (t *table) add(record []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, field := range record {
		t.seen[field]++
		t.log = append(t.log, strings.ToUpper(field))
	}
	if len(t.log) > 1000 {
		t.flush()
	}
}

// flush stands for a write to a disk under the lock.
func (t *table) flush() {
	time.Sleep(3 * time.Millisecond)
	t.log = t.log[:0]
}
