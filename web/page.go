package web

import (
	"io"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/alloccount/offcpu"
)

// Page is what a page shows.
type Page struct {
	Report *alloccount.Report

	// Profile is what the report was made from. With it the page has flame
	// graphs. It is optional, and must not be that of another report.
	Profile *profile.Profile

	// Wall is where the goroutines spend their time, of a run apart from that of
	// the report. It is optional.
	Wall *offcpu.Summary

	// Source gives the text of the files that the report names. With it the page
	// shows the lines. It is nil where source must not be in the page, which is
	// what to do unless somebody asked for it. See [SourceFiles].
	Source func(file string) (Source, error)
}

// WriteHTML writes a report as one HTML file that needs nothing else: no
// network, no other file.
func WriteHTML(w io.Writer, r *alloccount.Report) error {
	return Page{Report: r}.WriteHTML(w)
}
