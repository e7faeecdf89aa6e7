package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/alloctop/alloctop/alloccount/offcpu"
)

// wallFlag names a wall-clock profile to be shown beside the allocations.
type wallFlag struct {
	from    string
	summary *offcpu.Summary // nil until it is read, or if none is wanted
}

func (w *wallFlag) register(fs *flag.FlagSet) {
	fs.StringVar(&w.from, "wall", "", "")
}

// read reads the profile, if one is wanted. A program that is asked for it takes
// as long as the address says.
func (w *wallFlag) read(ctx context.Context) error {
	if w.from == "" {
		return nil
	}
	p, err := offcpu.Read(ctx, w.from)
	if err != nil {
		return fmt.Errorf("--wall %w", err)
	}
	if w.summary, err = offcpu.Summarize(p); err != nil {
		return fmt.Errorf("--wall %s: %w", w.from, err)
	}
	return nil
}

// writeText writes the profile below a report.
func (w *wallFlag) writeText(out io.Writer, top int) error {
	if w.summary == nil {
		return nil
	}
	o := textOptions(out, top)
	if _, err := fmt.Fprintln(out); err != nil {
		return fmt.Errorf("the report was not written: %w", err)
	}
	return w.summary.WriteText(out, offcpu.TextOptions{Width: o.Width, Color: o.Color, Top: o.Top})
}
