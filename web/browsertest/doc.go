// Package browsertest holds the tests of the pages that package web makes, in
// a real browser. It is a module of its own, so that no user of the library
// gets a browser driver with it.
//
// The tests look for Chromium or Chrome; on Debian and Ubuntu,
//
//	apt-get install chromium
//
// gets it. Without one they are skipped, but not where CI=true is set.
package browsertest
