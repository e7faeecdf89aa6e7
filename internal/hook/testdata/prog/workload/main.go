// Command workload runs parsers, and leaves what the runtime's own profiler saw
// of them in the file that its argument names. To be built with -race, in which
// the runtime packs no tiny objects, and run with GODEBUG=memprofilerate=1.
package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
)

const book = `<?xml version="1.0"?><book id="7"><title>T</title><row r="1"><c t="s">1</c><c>2.5</c><c/></row><!-- x --></book>`

type xmlBook struct {
	ID    int    `xml:"id,attr"`
	Title string `xml:"title"`
	Rows  []struct {
		R     byte     `xml:"r,attr"`
		Cells []string `xml:"c"`
	} `xml:"row"`
}

func main() {
	workload()
	for range 3 { // the profile is that of the cycle before the last
		runtime.GC()
	}
	f, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := pprof.Lookup("allocs").WriteTo(f, 0); err != nil {
		panic(err)
	}
	if err := f.Close(); err != nil {
		panic(err)
	}
}

//go:noinline
func workload() {
	for range 3 {
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Add(1)
			go workloadOf(g, &wg)
		}
		wg.Wait()
		workloadOf(9, nil)
	}
}

//go:noinline
func workloadOf(g int, wg *sync.WaitGroup) {
	if wg != nil {
		defer wg.Done()
	}
	for i := range 40 {
		var b xmlBook
		if err := xml.Unmarshal([]byte(book), &b); err != nil {
			panic(err)
		}
		d := xml.NewDecoder(strings.NewReader(book))
		for {
			if _, err := d.Token(); err != nil {
				break
			}
		}
		var v any
		if err := json.Unmarshal([]byte(`{"a":[1,2.5,true,null],"b":"xyz","c":{"d":"\u00e9"}}`), &v); err != nil {
			panic(err)
		}
		out, err := json.Marshal(map[string]any{"book": b, "v": v, "g": g, "i": i})
		if err != nil {
			panic(err)
		}
		s := fmt.Sprintf("%v %+v %q %x %T", v, b, out, i, b)
		s += strings.Repeat(string(out[:i%13]), 3)
		kept[g] = append(kept[g][:min(i, len(kept[g]))], s)
	}
}

var kept [10][]string
