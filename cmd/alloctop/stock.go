package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/internal/gorun"
	"github.com/alloctop/alloctop/internal/stock"
)

// stockProfile returns what the tests of the run left as stock profiles, nil
// if there is none.
func (c *counting) stockProfile() (*profile.Profile, error) {
	var heaps []alloccount.Heap
	var mains []string
	for _, t := range c.session.Tests {
		h, err := readHeap(t)
		if errors.Is(err, fs.ErrNotExist) {
			say(c.stderr, "warning: %s is missing from the report: it ended before it wrote its profile", t.Main)
			continue
		}
		if err != nil {
			say(c.stderr, "warning: %s is missing from the report: %v", t.Main, err)
			continue
		}
		heaps, mains = append(heaps, h), append(mains, t.Main)
	}
	if len(heaps) == 0 {
		return nil, nil
	}
	return alloccount.FromHeaps(heaps, c.scopeOptions(mains))
}

func readHeap(t gorun.Test) (alloccount.Heap, error) {
	h := alloccount.Heap{Go: t.Go, Process: alloccount.Process{PID: t.PID, Parent: t.Parent, Main: t.Main, Own: true}}
	f, err := os.Open(t.Profile)
	if err != nil {
		return h, err
	}
	defer f.Close()
	if h.Profile, err = alloccount.ReadProfile(f); err != nil {
		return h, err
	}
	if objects, bytes, err := stock.ReadTotals(t.Totals); err == nil {
		h.Runtime = &alloccount.Counted{Objects: objects, Bytes: bytes}
	}
	return h, nil
}

// uncounted says of programs that the profile engine could not count why, and
// what can.
func (c *counting) uncounted() (notes []string) {
	const instead = "; read /debug/pprof/allocs of a program that serves it with alloctop report, or measure a function with package alloccount"
	for _, p := range c.session.Programs {
		why := "the profile engine counts tests only"
		if !p.Profiler {
			why = "the linker dropped the heap profiler, which nothing in it calls"
		}
		notes = append(notes, fmt.Sprintf("%s was not counted: %s%s", filepath.Base(p.Path), why, instead))
	}
	return notes
}
