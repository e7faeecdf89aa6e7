package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alloctop/alloctop/alloccount"
)

// Source is the text of a file that a report names.
type Source struct {
	Text []byte

	// Note says what a reader must know, "the file changed since the run"; "" if
	// the text is surely what was run.
	Note string
}

// Limits of the source that one page carries.
const (
	mostSourceSites = 300     // sites of each scope whose surroundings are shown
	mostSourceLines = 40000   // of all files together
	mostSourceFile  = 4 << 20 // bytes
	aroundLine      = 14      // lines shown before and after
	wholeFunction   = 90      // lines of a function that is shown whole
)

// SourceFiles returns a [Page.Source] that reads Go files from disk. Hashes has
// the SHA-256 of files as they were at run time, by name, in hexadecimal; of a
// file that is missing there it is not known whether it changed.
//
// A profile names any file that its author likes. So nothing is read but
// regular files whose name ends in .go; whoever asks for source of a profile
// from a stranger still shows them to whom the page is sent.
func SourceFiles(hashes map[string]string) func(file string) (Source, error) {
	return func(file string) (Source, error) {
		if filepath.Ext(file) != ".go" {
			return Source{}, errors.New("not a Go file")
		}
		if !filepath.IsAbs(file) {
			return Source{}, errors.New("the build kept no directory of it (-trimpath)")
		}
		info, err := os.Lstat(file)
		switch {
		case errors.Is(err, os.ErrNotExist):
			return Source{}, errors.New("the file is not on this machine")
		case err != nil:
			return Source{}, fmt.Errorf("the file cannot be read: %w", err)
		case !info.Mode().IsRegular():
			return Source{}, errors.New("not a regular file")
		case info.Size() > mostSourceFile:
			return Source{}, fmt.Errorf("the file is larger than %d MiB", mostSourceFile>>20)
		}
		text, err := readLimited(file, info)
		if err != nil {
			return Source{}, fmt.Errorf("the file cannot be read: %w", err)
		}
		return Source{text, changeNote(text, hashes[file])}, nil
	}
}

// readLimited reads a file that may grow meanwhile, but not another that took its
// place.
func readLimited(file string, looked os.FileInfo) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(info, looked) {
		return nil, errors.New("it was replaced meanwhile")
	}
	return io.ReadAll(io.LimitReader(f, mostSourceFile))
}

// changeNote compares text with what was run.
func changeNote(text []byte, hash string) string {
	sum := sha256.Sum256(text)
	switch hash {
	case "":
		return "as the file is now; whether it changed since the run is not known"
	case hex.EncodeToString(sum[:]):
		return ""
	}
	return "the file changed since the run: lines may not be those that were counted"
}

// fileData is the source of one file, in pieces.
type fileData struct {
	File   int         `json:"file"` // name, index into data.Strings
	Note   string      `json:"note,omitempty"`
	Error  string      `json:"error,omitempty"`
	Pieces []pieceData `json:"pieces,omitempty"`
}

// pieceData is consecutive lines.
type pieceData struct {
	Start int        `json:"start"` // number of the first
	Lines [][]string `json:"lines"` // each in turn a kind of token and its text
}

// sourceOf returns the surroundings of the heaviest shown sites.
func sourceOf(r *alloccount.Report, shown [][]*alloccount.Site, read func(string) (Source, error), t *table) []fileData {
	wanted := make(map[string][][2]int)
	var order []string
	for i := range r.Scopes {
		for _, x := range shown[i][:min(mostSourceSites, len(shown[i]))] {
			if x.File == "" || x.Line <= 0 {
				continue
			}
			if wanted[x.File] == nil {
				order = append(order, x.File)
			}
			wanted[x.File] = append(wanted[x.File], around(x))
		}
	}
	files := make([]fileData, 0, len(order))
	lines := 0
	for _, name := range order {
		f := fileData{File: t.index(name)}
		s, err := read(name)
		switch {
		case err != nil:
			f.Error = err.Error()
		case lines > mostSourceLines:
			f.Error = "left out, to keep the page small"
		default:
			f.Note = s.Note
			f.Pieces = pieces(s.Text, wanted[name])
			for _, p := range f.Pieces {
				lines += len(p.Lines)
			}
		}
		files = append(files, f)
	}
	return files
}

// around returns the first and the last line to show around a site: its
// function, as far as that is not long.
func around(x *alloccount.Site) [2]int {
	from, to := x.Line-aroundLine, x.Line+aroundLine
	if x.StartLine > 0 && x.StartLine <= x.Line && x.Line-x.StartLine < wholeFunction {
		from = min(from, x.StartLine-1)
	}
	return [2]int{max(from, 1), to}
}

// pieces cuts text into the wanted ranges of lines; those that touch are one.
func pieces(text []byte, wanted [][2]int) []pieceData {
	slices.SortFunc(wanted, func(a, b [2]int) int { return a[0] - b[0] })
	lines := highlight(text)
	var list []pieceData
	for i := 0; i < len(wanted); {
		from, to := wanted[i][0], wanted[i][1]
		for i++; i < len(wanted) && wanted[i][0] <= to+3; i++ {
			to = max(to, wanted[i][1])
		}
		if to = min(to, len(lines)); from <= to {
			list = append(list, pieceData{from, lines[from-1 : to]})
		}
	}
	return list
}

// Kinds of tokens.
const (
	plain   = ""
	keyword = "k"
	literal = "l"
	comment = "c"
)

// highlight splits Go source into lines of tokens. What is no Go is plain text.
func highlight(text []byte) [][]string {
	text = bytes.ToValidUTF8(text, []byte("\ufffd"))
	h := &highlighter{lines: [][]string{nil}}
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, scanner.ScanComments)
	done := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		at := file.Offset(pos)
		kind := kindOf(tok)
		if kind == plain || at < done {
			continue
		}
		h.add(plain, string(text[done:at]))
		end := min(at+len(lit), len(text))
		h.add(kind, string(text[at:end]))
		done = end
	}
	h.add(plain, string(text[done:]))
	return h.lines
}

func kindOf(t token.Token) string {
	switch {
	case t == token.COMMENT:
		return comment
	case t.IsKeyword():
		return keyword
	case t == token.STRING, t == token.CHAR, t == token.INT, t == token.FLOAT, t == token.IMAG:
		return literal
	}
	return plain
}

// highlighter collects lines.
type highlighter struct{ lines [][]string }

// add adds text of one kind, which may go over several lines.
func (h *highlighter) add(kind, text string) {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			h.lines = append(h.lines, nil)
		}
		if line = strings.TrimSuffix(line, "\r"); line != "" {
			last := len(h.lines) - 1
			h.lines[last] = append(h.lines[last], kind, line)
		}
	}
}
