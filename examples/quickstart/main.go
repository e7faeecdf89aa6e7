// Command quickstart measures a parser of ten lines, shows which two of them
// allocate, and measures it again when they have been changed:
//
//	go run ./examples/quickstart
//
// In a program that alloctop built, the same code counts every allocation:
//
//	alloctop -- go run ./examples/quickstart
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/alloctop/alloctop/alloccount"
)

func main() {
	log.SetFlags(0)
	if err := run(os.Stdout); err != nil {
		log.Fatalf("quickstart: %v", err)
	}
}

func run(w io.Writer) error {
	list := priceList(10_000)
	for _, parser := range []struct {
		name  string
		parse func(string) (records int, err error)
	}{{"before", before}, {"after", after}} {
		o := alloccount.MeasureOptions{Label: parser.name, DropPaths: true}
		report, err := o.Measure(func() (records int, err error) { return parser.parse(list) })
		if err != nil {
			return err
		}
		if err := report.WriteText(w, alloccount.TextOptions{Top: 3}); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return nil
}

// priceList returns a list of the given number of lines.
func priceList(lines int) string {
	names := []string{"Apple", "Banana", "Cherry", "Date", "Elderberry", "Fig", "Grape"}
	var list strings.Builder
	for i := range lines {
		fmt.Fprintf(&list, "%s %d\n", names[i%len(names)], 100+i%900)
	}
	return list.String()
}
