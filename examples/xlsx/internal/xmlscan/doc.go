// Package xmlscan has the pull scanners that the workbook reader stands on: one
// that returns every token as strings, made in either of two ways, and one that
// returns views of the document and makes nothing.
//
// They read the XML that spreadsheet parts are made of: UTF-8 or UTF-16, without
// a document type. Names are returned as they stand, prefix and all; [Local] cuts
// the prefix off. What the document has between tags comes out with its entities
// replaced and its line ends made "\n", as XML asks.
package xmlscan
