package sweep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"syscall"

	"github.com/alloctop/alloctop/internal/plainerr"
)

// StateSchema names the version of the form of a state file.
const StateSchema = "alloctop/sweep-state/v1"

// Head says what a state file is the state of. Only a sweep with the same head
// can go on with it; the number of turns may be another.
type Head struct {
	Schema  string   `json:"schema"`
	Command []string `json:"command"`
	Dir     string   `json:"dir"` // the working directory
	Grid    Grid     `json:"grid"`
	Per     []string `json:"per,omitempty"`
	Tests   []Binary `json:"tests"` // that are run
}

// differs says in what the head of a file is another one, "" if it is not. Tests
// that are not built yet do not differ.
func (h Head) differs(now Head) string {
	labels := func(g Grid) string {
		var words []string
		for _, a := range g {
			words = append(words, "--"+a.Name+" "+strings.Join(a.Values, ","))
		}
		return strings.Join(words, " ")
	}
	switch {
	case h.Schema != now.Schema:
		return fmt.Sprintf("it has the form %q and not %q", h.Schema, now.Schema)
	case !reflect.DeepEqual(h.Command, now.Command):
		return "it is of the command " + strings.Join(h.Command, " ")
	case h.Dir != now.Dir:
		return "it is of the directory " + h.Dir
	case labels(h.Grid) != labels(now.Grid):
		return fmt.Sprintf("it is of the grid %q", labels(h.Grid))
	case strings.Join(h.Per, " ") != strings.Join(now.Per, " "):
		return fmt.Sprintf("it is of --per %q", strings.Join(h.Per, " "))
	}
	sums := func(tests []Binary) (list []string) {
		for _, t := range tests {
			list = append(list, t.Package+" "+t.Experiment+" "+t.Sum)
		}
		return list
	}
	if now.Tests != nil && !reflect.DeepEqual(sums(h.Tests), sums(now.Tests)) {
		return "the tests, or the Go version, have changed since"
	}
	return ""
}

// record is one line of a state file.
type record struct {
	Head   *Head   `json:"head,omitempty"`
	Run    *done   `json:"run,omitempty"`
	Counts *Counts `json:"counts,omitempty"`
}

// runKey names a run.
type runKey struct {
	Benchmark
	Cell string `json:"cell"` // its label
	Turn int    `json:"turn"`
}

// done is a run that need not be repeated.
type done struct {
	runKey
	Run
}

// State is a file of the runs that were done, one on each line, so that a sweep
// that was interrupted in whatever way loses none.
type State struct {
	file   *os.File
	name   string
	head   *Head // nil in a new file
	runs   map[runKey]Run
	counts *Counts
}

// OpenState opens a state file, or makes it. Only one sweep can have it open.
func OpenState(name string) (*State, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, stateError(name, err)
	}
	s := &State{file: f, name: name, runs: map[runKey]Run{}}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, fmt.Errorf("state %s: another sweep works on it; wait for it or give another file", name)
	}
	if err := s.read(); err != nil {
		f.Close()
		return nil, err
	}
	return s, nil
}

func stateError(name string, err error) error {
	return fmt.Errorf("state %s: %w", name, plainerr.WithoutPath(err))
}

// read takes in what is in the file. A last line without an end was being
// written when the sweep was killed; it is dropped.
func (s *State) read() error {
	data, err := io.ReadAll(s.file)
	if err != nil {
		return stateError(s.name, err)
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	for n, line := range bytes.Split(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		var r record
		if err := json.Unmarshal(line, &r); err != nil || n == 0 && r.Head == nil {
			return fmt.Errorf("state %s: line %d is not what a sweep writes; give another file", s.name, n+1)
		}
		s.take(r)
	}
	if len(whole) == 0 && len(data) > 0 && data[0] != '{' {
		return fmt.Errorf("state %s: it is not what a sweep writes; give another file", s.name)
	}
	if err := s.file.Truncate(int64(len(whole))); err != nil {
		return stateError(s.name, err)
	}
	_, err = s.file.Seek(int64(len(whole)), io.SeekStart)
	return err
}

func (s *State) take(r record) {
	if r.Head != nil {
		s.head = r.Head
	}
	if r.Counts != nil {
		s.counts = r.Counts
	}
	if r.Run != nil {
		s.runs[r.Run.runKey] = r.Run.Run
	}
}

// Begin checks that the file is of this sweep, or says so in a new one.
func (s *State) Begin(h Head) error {
	if s.head == nil {
		h.Schema = StateSchema
		return s.write(record{Head: &h})
	}
	return s.Check(h)
}

// Check checks that a file that is not new is of this sweep.
func (s *State) Check(h Head) error {
	h.Schema = StateSchema
	if s.head == nil {
		return nil
	}
	if why := s.head.differs(h); why != "" {
		return fmt.Errorf("state %s is of another sweep: %s; give another file, or remove it to begin anew", s.name, why)
	}
	return nil
}

// Counts returns what was counted before, nil if nothing was.
func (s *State) Counts() *Counts { return s.counts }

// KeepCounts writes down what was counted.
func (s *State) KeepCounts(c *Counts) error {
	s.counts = c
	return s.write(record{Counts: c})
}

// look returns a run that was done before.
func (s *State) look(j Job, cell string) (Run, bool) {
	r, ok := s.runs[runKey{j.Benchmark, cell, j.Turn}]
	return r, ok
}

// keep writes down a run.
func (s *State) keep(j Job, cell string, r Run) error {
	return s.write(record{Run: &done{runKey{j.Benchmark, cell, j.Turn}, r}})
}

// write appends one line, in one piece.
func (s *State) write(r record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := s.file.Write(append(line, '\n')); err != nil {
		return stateError(s.name, err)
	}
	return nil
}

// Close closes the file.
func (s *State) Close() error { return s.file.Close() }
