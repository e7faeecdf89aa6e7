// Command workload does some rounds of one kind of work on each of some threads
// and prints the nanoseconds that a round took. Package cost's command builds it
// with the hook and without, and compares.
package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"time"
)

func main() {
	log.SetFlags(0)
	work := flag.String("work", "churn", "xml, json, parser or churn")
	threads := flag.Int("threads", 1, "threads that do the work, each all of it")
	rounds := flag.Int("rounds", 1, "how often the work is done")
	sources := flag.String("sources", "", "folder of Go files for parser")
	rate1 := flag.Bool("rate1", false, "record every allocation in the heap profile")
	flag.Parse()
	if *rate1 {
		runtime.MemProfileRate = 1
	} else {
		runtime.MemProfileRate = 0
	}
	do := prepare(*work, *sources)
	runtime.GOMAXPROCS(*threads)
	runtime.GC()
	var wg sync.WaitGroup
	start := time.Now()
	for range *threads {
		wg.Go(func() {
			for range *rounds {
				if err := do(); err != nil {
					log.Fatal(err)
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(time.Since(start).Nanoseconds() / int64(*rounds))
	if *rate1 { // so that the linker keeps the profiler
		if err := pprof.Lookup("allocs").WriteTo(io.Discard, 0); err != nil {
			log.Fatal(err)
		}
	}
}

func prepare(work, sources string) func() error {
	switch work {
	case "xml":
		return xmlTokens(worksheet(20_000))
	case "json":
		return jsonValues(documents(20_000))
	case "parser":
		return goFiles(sources)
	case "churn":
		return churn
	}
	log.Fatalf("no workload %q; there are xml, json, parser and churn", work)
	return nil
}

func worksheet(cells int) []byte {
	var doc bytes.Buffer
	doc.WriteString("<r>")
	for i := range cells {
		fmt.Fprintf(&doc, `<c r="A%d" t="s"><v>%d</v></c>`, i, i)
	}
	doc.WriteString("</r>")
	return doc.Bytes()
}

func xmlTokens(data []byte) func() error {
	return func() error {
		d := xml.NewDecoder(bytes.NewReader(data))
		for {
			if _, err := d.Token(); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	}
}

func documents(n int) []byte {
	var doc strings.Builder
	doc.WriteString("[")
	for i := range n {
		fmt.Fprintf(&doc, `{"id":%d,"name":"n%d","tags":["a","b"],"v":%d.5},`, i, i, i)
	}
	return []byte(strings.TrimSuffix(doc.String(), ",") + "]")
}

func jsonValues(data []byte) func() error {
	return func() error {
		var v any
		return json.Unmarshal(data, &v)
	}
}

// goFiles parses the Go files of a folder: a recursive parser, which makes a
// new stack at every depth of an expression.
func goFiles(dir string) func() error {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		log.Fatalf("no Go files in %q; say where with -sources", dir)
	}
	texts := map[string][]byte{}
	for _, name := range names {
		if texts[name], err = os.ReadFile(name); err != nil {
			log.Fatal(err)
		}
	}
	return func() error {
		fset := token.NewFileSet()
		for _, name := range names {
			if _, err := parser.ParseFile(fset, name, texts[name], parser.ParseComments); err != nil {
				return err
			}
		}
		return nil
	}
}

type node struct{ _ *node } // 8 bytes with a pointer

// churn does nothing but allocate.
func churn() error {
	var sink struct {
		n *node
		b []byte
	}
	for range 1_000_000 {
		sink.n = new(node)
		sink.b = make([]byte, 24)
		use(sink.n, sink.b)
	}
	return nil
}

//go:noinline
func use(*node, []byte) {}
