// Command alloctop counts every heap allocation of Go programs, by the line
// that allocates.
//
//	alloctop [flags] -- COMMAND
//
// runs a command that ends in the go tool or in a program that alloctop had
// built: go test -bench, go run, a script, make. See alloctop help.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/alloctop/alloctop/internal/gorun"
	"github.com/alloctop/alloctop/internal/sweep"
)

func main() {
	os.Exit(run(context.Background(), os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// run is the program: args[0] is the name that it was called by. It returns
// the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	switch {
	case gorun.IsShim(args[0]):
		return finish(stderr, gorun.Shim(args[1:]))
	case gorun.IsExec(args[0]):
		return finish(stderr, gorun.Exec(args[1:]))
	case sweep.IsKeep(args[0]):
		return finish(stderr, sweep.Keep(args))
	}
	a := &app{ctx: ctx, stdin: stdin, stdout: stdout, stderr: stderr}
	return finish(stderr, a.dispatch(args[1:]))
}

// app is what a subcommand works with.
type app struct {
	ctx            context.Context
	stdin          io.Reader
	stdout, stderr io.Writer
}

// subcommand is one way to call alloctop beside -- COMMAND.
type subcommand struct {
	name string
	run  func(a *app, args []string) error
}

func subcommands() []subcommand {
	return []subcommand{
		{"report", (*app).report},
		{"serve", (*app).serve},
		{"sweep", (*app).sweep},
		{"version", (*app).version},
		{"clean", (*app).clean},
		{"help", (*app).help},
	}
}

// dispatch runs the subcommand that args begin with, or else counts a command.
func (a *app) dispatch(args []string) error {
	if len(args) == 0 {
		return usagef("nothing to do: give a command behind --, as in: alloctop -- go test -bench .")
	}
	if args[0] == "--version" || args[0] == "-version" {
		return a.version(args[1:])
	}
	all := subcommands()
	i := slices.IndexFunc(all, func(s subcommand) bool { return s.name == args[0] })
	if i < 0 {
		return a.count(args)
	}
	return all[i].run(a, args[1:])
}

// Exit statuses of alloctop's own.
const (
	exitFailure = 1
	exitUsage   = 2
)

// statusError ends alloctop with the status of the command that it ran.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// usageError says that the command line is wrong.
type usageError string

func (e usageError) Error() string { return string(e) }

func usagef(format string, args ...any) error { return usageError(fmt.Sprintf(format, args...)) }

// finish says what went wrong, if anything did, and returns the exit status.
func finish(stderr io.Writer, err error) int {
	var status statusError
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	case errors.As(err, &usage):
		say(stderr, "%v", err)
		return exitUsage
	}
	say(stderr, "%v", err)
	return exitFailure
}

// say writes one line of alloctop's own to the user.
func say(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, "alloctop: "+format+"\n", args...)
}
