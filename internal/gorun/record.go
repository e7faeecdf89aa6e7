package gorun

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"time"
)

// Build says what became of one go command that compiles.
type Build struct {
	PID     int // of the go tool
	Dir     string
	Args    []string // without the "go"
	Go      string   // version, "go1.26.8"; "" if unknown
	Engine  Engine   // how its programs count; Plain if they do not
	Reason  string   // why not by the hook, "" if they do
	Root    string   // the Go tree that was asked for
	Tree    string   // the path it was used by, which names in binaries carry; Root unless that lies in the module cache
	Modules []Module // the user's, where it ran
}

// Program says what became of a program that the go tool was to run and the
// profile engine cannot count: one that is no test.
type Program struct {
	Path     string
	Profiler bool // the runtime's heap profiler is linked in
}

// Progress tells how far the rebuild of the standard library is.
type Progress struct {
	PID   int    // of the go command that it is for
	Go    string // version of the standard library
	Done  int    // packages compiled
	Of    int    // packages that the command needs, those up to date included
	Start time.Time
	End   bool // there is nothing more to come
}

// record is a line of the log that a run's go commands leave for their session.
// One field is set.
type record struct {
	Build    *Build    `json:",omitempty"`
	Test     *Test     `json:",omitempty"`
	Program  *Program  `json:",omitempty"`
	Progress *Progress `json:",omitempty"`
}

// leave appends the record to the log in one write, so that the lines of
// commands that run at the same time stay whole.
func (r record) leave(log string) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(log, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// logReader reads the records of a log as they come.
type logReader struct {
	f    *os.File
	rest []byte
}

// next returns the records that were completed since the last call.
func (l *logReader) next() ([]record, error) {
	data, err := io.ReadAll(l.f)
	if err != nil {
		return nil, err
	}
	l.rest = append(l.rest, data...)
	var records []record
	for {
		line, rest, ok := bytes.Cut(l.rest, []byte("\n"))
		if !ok {
			return records, nil
		}
		l.rest = rest
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return records, err
		}
		records = append(records, r)
	}
}
