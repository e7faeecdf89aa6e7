package observe

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// Counters reads the counter files of a run, once or again and again. It is for
// one goroutine at a time.
type Counters struct {
	Dir string

	ended map[string]*counterfile.Counters // of processes that will count no more
	over  map[string]bool                  // that had ended when they were read the last time
}

// Read returns the counters of all processes up to now. A file that cannot be
// read is told to missing, and does not take the others with it.
//
// A process at its end may count a little after it wrote how it ends; so its
// file is read once more, and then never again.
func (c *Counters) Read(missing func(error)) ([]*counterfile.Counters, error) {
	files, err := os.ReadDir(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("looking for counter files: %w", err)
	}
	if c.ended == nil {
		c.ended, c.over = make(map[string]*counterfile.Counters), make(map[string]bool)
	}
	var all []*counterfile.Counters
	for _, f := range files {
		name := f.Name()
		if filepath.Ext(name) != ".allocs" {
			continue
		}
		p := c.ended[name]
		if p == nil {
			p, err = counterfile.Read(filepath.Join(c.Dir, name))
			switch {
			case errors.Is(err, counterfile.ErrNotBegun):
				continue
			case err != nil:
				missing(err)
				continue
			}
			over := p.Exit.State != counterfile.ExitNone
			if over && c.over[name] {
				c.ended[name] = p
			}
			c.over[name] = over
		}
		all = append(all, p)
	}
	return all, nil
}
