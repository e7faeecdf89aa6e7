package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/alloctop/alloctop/internal/sweep"
)

// countedRuns is how often each benchmark is counted, so that it shows whether
// the counts are the same.
const countedRuns = 2

// counts counts the allocations of the benchmarks, in one run of the command
// under alloctop with the settings of the first cell; or takes what the state
// has. Benchmarks that cannot be counted are no failure of the sweep.
func (s *sweeping) counts(ctx context.Context) (*sweep.Counts, error) {
	if s.state != nil && s.state.Counts() != nil {
		return s.state.Counts(), nil
	}
	say(s.stderr, "counting allocations, in one exact run")
	cell := s.grid.Cells()[0]
	c := &sweep.Counts{Cell: s.grid.Label(cell)}
	file := filepath.Join(s.dir, "counts.json")
	args := []string{"alloctop", "--engine", "exact", "--json", file}
	for _, p := range s.per {
		args = append(args, "--per", p)
	}
	flags := []string{"-run=^$", fmt.Sprintf("-count=%d", countedRuns)}
	if wrapper := s.grid.Wrapper(cell, os.Environ()); wrapper != "" {
		flags = append(flags, "-exec="+wrapper)
	}
	args = append(append(args, "--"), s.command.With(flags...)...)
	said := &saidLines{to: s.stderr}
	cmd := exec.CommandContext(ctx, s.self)
	cmd.Args, cmd.Env = args, sweep.ExperimentEnv(s.grid.Value(cell, sweep.Experiment))
	cmd.Stdout, cmd.Stderr = said, said
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	report, _, readErr := s.readReport(file, reportFlags{})
	switch {
	case readErr == nil:
		c.Benchmarks = sweep.CountsOf(report)
	case said.last != "":
		c.Missing = said.last
		if len(said.other) > 0 {
			c.Missing += "; it said: " + strings.Join(said.other, " | ")
		}
	default:
		c.Missing = errors.Join(err, readErr).Error()
	}
	if s.state != nil && c.Missing == "" {
		return c, s.state.KeepCounts(c)
	}
	return c, nil
}

// saidLines passes on what another alloctop says of its progress, and keeps what
// else it said last, and the last lines of the command.
type saidLines struct {
	to    io.Writer
	rest  []byte
	last  string
	other []string
}

// mostOther is how many lines of the command are kept.
const mostOther = 3

func (l *saidLines) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	for {
		line, rest, ok := bytes.Cut(l.rest, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		l.rest = rest
		text, own := strings.CutPrefix(string(line), "alloctop: ")
		switch {
		case !own && strings.TrimSpace(text) != "":
			l.other = append(l.other, strings.TrimSpace(text))
			l.other = l.other[max(0, len(l.other)-mostOther):]
		case !own:
		case strings.HasPrefix(text, "buil"): // building, built
			fmt.Fprintf(l.to, "%s\n", line)
		default:
			l.last = text
		}
	}
}
