// Package gorun runs a command so that every go command below it builds with
// the counting hook, whatever calls it: a shell, a script, a Makefile.
//
// Two ways lead there. A command named go, first in the PATH of the command,
// stands in for the go tool ([Shim]): it finds the Go tree that the directory
// asks for, gives the real tool that tree with the hook laid over it, and
// leaves a [Build] record. For a go tool that is called by its own path,
// GOFLAGS in the environment carries the hook of the default tree.
//
// Where the hook does not fit the tree, tests fall back to the stock heap
// profile, by way of the go tool's -exec flag ([Exec]).
//
// Nothing is written into the user's module or Go tree: overlays and links
// lie in alloctop's cache, the rest in a directory that [Session.Close]
// removes. The package works on Linux; what it does with counter files and
// profiles is the business of internal/hook and internal/stock.
package gorun
