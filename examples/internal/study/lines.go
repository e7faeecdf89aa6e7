package study

import (
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/alloctop/alloctop/alloccount"
)

// Place names the line of a site, "encoding/csv/reader.go:249", those of this
// repository from its root.
func Place(x *alloccount.Site) string {
	if x.File == "" {
		return x.Function
	}
	return fmt.Sprintf("%s:%d", path.Join(strings.TrimPrefix(x.Package, module+"/"), path.Base(x.File)), x.Line)
}

// What says what a site does to allocate, if that is known, and in which function.
func What(x *alloccount.Site) string {
	if x.File == "" {
		return ""
	}
	return strings.TrimSpace(x.Cause + " in " + strings.TrimPrefix(x.Function, x.Package+"."))
}

// Progress tells what a study is about to do.
type Progress struct {
	w     io.Writer
	start time.Time
}

// NewProgress returns a Progress that writes to w, and whose clock starts now.
func NewProgress(w io.Writer) *Progress { return &Progress{w, time.Now()} }

// Step says what comes next.
func (p *Progress) Step(format string, args ...any) {
	fmt.Fprintf(p.w, "[%3d s] %s\n", int(time.Since(p.start).Seconds()), fmt.Sprintf(format, args...))
}
