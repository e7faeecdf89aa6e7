// Package sweeppage shows the result of a sweep as one HTML file with charts: it
// makes no request, and can be opened from disk or sent.
//
// The text and the tables are in the file as HTML, and are all there where no
// script runs. The charts are options as JSON, which the page's own script hands
// to ECharts; a content security policy allows these two scripts and nothing
// else.
package sweeppage
