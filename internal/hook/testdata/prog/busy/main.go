// Command busy allocates in every way it can think of, from 50 goroutines,
// while GOMAXPROCS changes and the garbage collector runs.
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

type node struct {
	left, right *node
	name        string
}

var (
	mu   sync.Mutex
	kept = map[string]*node{}
)

func main() {
	var wg sync.WaitGroup
	for g := range 50 {
		wg.Go(func() { work(g) })
	}
	wg.Wait()
	fmt.Println(len(kept))
}

func work(g int) {
	for i := range 200 {
		var v any
		if err := json.Unmarshal([]byte(`{"a":[1,2,3],"b":"xyz","c":{"d":null}}`), &v); err != nil {
			panic(err)
		}
		name := fmt.Sprintf("n%d", i%37)
		mu.Lock()
		kept[name] = &node{name: strings.ToUpper(name), left: kept[name]}
		if i%20 == 0 {
			kept[name] = nil
		}
		mu.Unlock()
		n := &node{name: name}
		runtime.SetFinalizer(n, func(*node) {})
		ch := make(chan []string, 3)
		go func() { ch <- append(slices.Collect(maps.Keys(map[string]int{name: i, "x": g})), "y") }()
		<-ch
		time.AfterFunc(time.Nanosecond, func() { _ = strings.Repeat("z", i) })
		if i%50 == 0 {
			runtime.GOMAXPROCS(1 + (i/50+g)%20)
			field := reflect.StructField{Name: fmt.Sprintf("F%d_%d", g, i), Type: reflect.TypeFor[*int]()}
			p := reflect.New(reflect.StructOf([]reflect.StructField{field}))
			reflect.MakeMap(reflect.MapOf(reflect.TypeFor[string](), p.Type())).SetMapIndex(reflect.ValueOf(name), p)
			runtime.KeepAlive(make([]byte, 100_000))
			runtime.KeepAlive(make([]*node, 50_000))
		}
		if i%100 == 99 {
			runtime.GC()
		}
	}
}
