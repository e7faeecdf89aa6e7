// Package web shows a report in a browser: as one HTML file that opens from
// disk with the network off, and as pages that a server keeps up to date while
// a program runs.
//
// A page holds its data as JSON and draws it by itself, so that everything can
// be asked of a file that was sent by mail: other measures, other benchmarks,
// one size class, one line. Names in a profile come from anybody. They are data
// all the way: JSON inside a script element of another type, text nodes in the
// page, and never part of a script, a style or a link. The page's content
// security policy allows the scripts and the style that this package wrote, by
// their hashes, and no request at all.
//
// Large reports are shown by their heaviest lines and call paths. What is left
// out is counted, size class by size class, so that every total of a page is
// that of the report.
package web
