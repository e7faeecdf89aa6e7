package main

import (
	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/web"
)

// page returns the page of a report; p may be nil. It has source only if that
// was asked for.
func (f *reportFlags) page(r *alloccount.Report, p *profile.Profile) web.Page {
	page := web.Page{Report: r, Profile: p, Wall: f.wall.summary}
	if f.source {
		page.Source = web.SourceFiles(f.hashes)
	}
	return page
}

// addHashes takes in which source files a profile was made from; p may be nil.
func (f *reportFlags) addHashes(p *profile.Profile) {
	if p == nil || !f.source {
		return
	}
	for file, hash := range alloccount.Sources(p) {
		if f.hashes == nil {
			f.hashes = make(map[string]string)
		}
		if had, ok := f.hashes[file]; ok && had != hash {
			hash = "two runs had it differently" // so it is another now than in one of them
		}
		f.hashes[file] = hash
	}
}

// checkSource refuses --source where no page comes of it.
func (f *reportFlags) checkSource(pages bool) error {
	if f.source && !pages {
		return usagef("--source puts source text into a page; ask for one with --html")
	}
	return nil
}
