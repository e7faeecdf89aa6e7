package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"
	"syscall"

	"github.com/alloctop/alloctop/alloccount"
)

// fatal ends a command of the scripts.
func fatal(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	os.Exit(1)
}

func readJSON(name string) *alloccount.Report {
	f, err := os.Open(name)
	if err != nil {
		fatal("%v", err)
	}
	defer f.Close()
	r, err := alloccount.ReadReport(f)
	if err != nil {
		fatal("%s: %v", name, err)
	}
	return r
}

// scopesMain prints the scopes of a report, one a line, having checked that
// each adds up and agrees with the runtime to the object and the byte.
func scopesMain() {
	r := readJSON(os.Args[1])
	fmt.Printf("%s %s\n", r.Engine, r.Go)
	for _, s := range r.Scopes {
		var objects, bytes int64
		for _, x := range s.Sites {
			objects, bytes = objects+x.Objects, bytes+x.Bytes
		}
		if objects != s.Totals.Objects || bytes != s.Totals.Bytes {
			fatal("%s: lines make up %d objects, %d bytes; totals are %+v", s.Name, objects, bytes, s.Totals)
		}
		exact := r.Engine == alloccount.Exact
		if exact && s.Runtime != nil && (s.Runtime.Objects != objects || s.Runtime.Bytes != bytes) {
			fatal("%s: counted %d objects, %d bytes; the runtime %+v", s.Name, objects, bytes, *s.Runtime)
		}
		known := "known"
		if s.Runtime == nil {
			known = "unknown"
		}
		fmt.Printf("%s %s %s procs=%d run=%d exit=%q own=%v runtime=%s records=%d tests=%s\n", s.Kind, s.Package, s.Name,
			s.Procs, s.Run, s.Process.Exit, s.Process.Own, known, s.Records, strings.Join(s.Tests, ","))
	}
	for _, n := range r.Notes {
		fmt.Println("note:", n)
	}
}

// countMain checks how many objects were allocated at a line:
//
//	count [-scope NAME] [-per] REPORT FILE:LINE N
//
// in the scope, or in all. With -per, N is for each iteration of a benchmark.
func countMain() {
	scope := flag.String("scope", "", "")
	per := flag.Bool("per", false, "")
	flag.Parse()
	r := readJSON(flag.Arg(0))
	want, err := strconv.ParseInt(flag.Arg(2), 10, 64)
	if err != nil {
		fatal("%v", err)
	}
	var got, expected int64
	var seen []string
	for _, s := range r.Scopes {
		if *scope != "" && s.Name != *scope {
			continue
		}
		if *per {
			expected += s.Iterations * want
		}
		for _, x := range s.Sites {
			at := fmt.Sprintf("%s:%d", path.Base(x.File), x.Line)
			if at == flag.Arg(1) {
				got += x.Objects
			}
			seen = append(seen, fmt.Sprintf("%s %s %s %d", s.Name, x.File, at, x.Objects))
		}
	}
	if !*per {
		expected = want
	}
	if got != expected {
		fatal("%s has %d objects, want %d; all:\n%s", flag.Arg(1), got, expected, strings.Join(seen, "\n"))
	}
}

// statusMain runs a command that is to end with a status:
//
//	status N COMMAND...
func statusMain() {
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	checkStatus(cmd.Run(), os.Args[1])
}

func checkStatus(err error, want string) {
	got := "0"
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = strconv.Itoa(exit.ExitCode())
	case err != nil:
		fatal("%v", err)
	}
	if got != want {
		fatal("exit status %s, want %s", got, want)
	}
}

// interruptedMain sends a command a signal when it has printed a line:
//
//	interrupted TERM|INT N COMMAND...
//
// and checks that it ends with the status N.
func interruptedMain() {
	sig := map[string]os.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT}[os.Args[1]]
	cmd := exec.Command(os.Args[3], os.Args[4:]...)
	cmd.Stderr = os.Stderr
	// A group of its own, in the background of the terminal if there is one.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		fatal("%v", err)
	}
	if err := cmd.Start(); err != nil {
		fatal("%v", err)
	}
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	if err != nil {
		fatal("the command printed no line: %v", err)
	}
	fmt.Print(first)
	if err := cmd.Process.Signal(sig); err != nil {
		fatal("%v", err)
	}
	if _, err := io.Copy(os.Stdout, lines); err != nil {
		fatal("%v", err)
	}
	checkStatus(cmd.Wait(), os.Args[2])
}
