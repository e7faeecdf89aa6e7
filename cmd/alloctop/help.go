package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

const usage = `alloctop counts every heap allocation of Go programs, by the line that allocates.

usage:
  alloctop [flags] -- COMMAND    run a command and report what its Go programs allocated
  alloctop report [flags] FILE…  report pprof profiles of allocations, made by anyone
  alloctop serve [flags] FROM…   show profiles in a browser, or follow a program that runs
  alloctop sweep [flags] -- go test -bench …
                                 run benchmarks under many settings, and say what they do
  alloctop version [BINARY…]     tell programs with the counting hook from plain ones
  alloctop clean                 remove alloctop's caches, and what killed runs left
  alloctop help [SUBCOMMAND]

COMMAND ends in the go tool or in a program that alloctop had built: go test, go run,
a script, make. The first time, Go's standard library is compiled with the counting
hook, which takes about a minute. The report goes to standard error.

flags:
  --json FILE      write the report as JSON; - is standard output
  --html FILE      write the report as one page with charts, to open offline or send
  --source         put the source text around the lines into the page
  --pprof FILE     write a profile for go tool pprof
  --top N          show N lines of each part (10)
  --by WHICH       rank the line of the allocation, or the user line that led to it
                   (allocation)
  --per WHAT       what a record is: N of them in an iteration, NAME=N in those of one
                   benchmark, or the metric that tells, like cells/op; repeatable
  --engine WHICH   exact: by the hook, or fail; profile: by the runtime's heap profile,
                   without most objects below 16 bytes (exact, else profile)
  --all            show programs that are not yours, and processes as a whole
  --http ADDR      serve the page while the command runs, and after it on a terminal

Exit status: the command's own; else 1 for a failure, 2 for a wrong command line.

  alloctop -- go test -bench . ./...
  alloctop --json report.json --top 5 -- go run . input.xml
`

const reportUsage = `usage: alloctop report [flags] FILE…

Reports pprof profiles with allocations (allocs or heap, by whatever program), and JSON
reports of alloctop, on standard output. FILE - is standard input.

flags: --json FILE, --html FILE, --source, --top N, --by WHICH, --per WHAT; see alloctop help
  --wall FROM        add who works and who waits: a wall-clock profile of fgprof, a file or
                     an address like http://localhost:6060/debug/fgprof?seconds=10
  --table            one table of benchmarks: times from files that go test -bench
                     printed, counts from JSON reports and profiles
  --baseline NAME    the benchmark whose time the others are divided by (the first)
`

const serveUsage = `usage: alloctop serve [flags] FROM…

Serves the page of profiles, and prints its address. FROM is a file as for alloctop
report, or the address of a program that imports net/http/pprof, as
http://localhost:6060/debug/pprof/allocs: it is asked every second, and the page shows
what the program allocates, by size and by line. Ctrl-C ends it.

flags:
  --addr ADDR      where to listen (127.0.0.1:0, which is any free port)
  --source         show the source text around the lines, to whoever sees the page
  --by WHICH, --per WHAT; see alloctop help
  --wall FROM, taken once, at the start; see alloctop help report
`

const sweepUsage = `usage: alloctop sweep [flags] -- go test -bench REGEXP [packages]

Runs the benchmarks with all combinations of the settings, one process for each, in turns,
and reports time, speed-up, threads, GC, allocations and memory, and in words what that
comes to. Times are of plain builds; allocations are counted once, exactly. Ctrl-C ends it
with what there is. Each list has commas; "default" leaves a setting as it is.

settings:
  --cpu 1,2,4          threads, GOMAXPROCS
  --gogc 50,100,off    GOGC
  --memlimit 1GiB,off  GOMEMLIMIT
  --experiment LIST    GOEXPERIMENT; several at once as a+b
  --godebug LIST       GODEBUG, as madvdontneed=1; several at once as a=1+b=2

flags:
  --n N                turns that are timed (10); before them is one that is not
  --state FILE         keep what is done in a file, and go on from it: no run is repeated
  --json FILE          write the result as JSON; - is standard output
  --html FILE          write the result as one page with charts, to open offline or send
  --benchfmt FILE      write all runs for benchstat, as with -col gogc
  --per WHAT           what a record is; see alloctop help

  alloctop sweep --cpu 1,2,4,8 --gogc 100,400,off -n 10 -- go test -bench Parse ./...
`

const versionUsage = `usage: alloctop version [BINARY…]

Prints alloctop's version, or for each Go program its main package, the Go version that
built it, and whether it carries the counting hook.
`

const cleanUsage = `usage: alloctop clean

Removes alloctop's caches, patched copies of Go's files and links to Go trees, and what
runs and sweeps left behind whose alloctop was killed. What the go command compiled with them lies
in its own cache and goes with go clean -cache.
`

// helpPages are the texts by subcommand.
func helpPages() map[string]string {
	return map[string]string{
		"": usage, "count": usage, "run": usage, // what somebody may call alloctop -- COMMAND
		"report": reportUsage, "serve": serveUsage, "sweep": sweepUsage, "version": versionUsage, "clean": cleanUsage, "help": usage,
	}
}

// help prints how alloctop is used.
func (a *app) help(args []string) error {
	text := usage
	if len(args) > 0 {
		page, ok := helpPages()[strings.TrimLeft(args[0], "-")]
		if !ok {
			return noHelp(args[0])
		}
		text = page
	}
	_, err := fmt.Fprint(a.stdout, text)
	return err
}

// noHelp says what there is help on, to who asked for that on something else: a
// flag, or a command like run or go.
func noHelp(topic string) error {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(helpPages())), func(name string) bool { return helpPages()[name] == usage })
	for _, name := range names {
		if distance(topic, name) == 1 {
			return usagef("there is no help on %q; did you mean %s?", topic, name)
		}
	}
	return usagef("there is no help on %q, only on %s; alloctop help is about alloctop -- COMMAND and its flags", topic, strings.Join(names, ", "))
}
