package study

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/alloctop/alloctop/internal/texttab"
)

// Width is that of a study's text, in columns.
const Width = 100

// Print writes what write writes, all of it or nothing.
func Print(w io.Writer, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	_, err := w.Write(text.Bytes())
	return err
}

// Heading writes the title of a part.
func Heading(w io.Writer, text string) {
	fmt.Fprintf(w, "\n== %s\n\n", text)
}

// Finding writes what was found, numbered.
func Finding(w io.Writer, sentences []string) {
	Heading(w, "Finding")
	for i, text := range sentences {
		fmt.Fprintln(w, strings.Join(texttab.Wrap(fmt.Sprintf("%d. %s", i+1, text), Width, 3), "\n"))
	}
}
