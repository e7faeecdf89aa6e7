package gorun

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/alloctop/alloctop/internal/environ"
)

// runPrefix begins the name of a run's directory.
const runPrefix = "alloctop-"

const (
	envRun = "ALLOCTOP_RUN" // directory of the run that a process belongs to
	envGo  = "ALLOCTOP_GO"  // the go tool to use, where the command named one by path
)

// settings are what a run tells its go commands, through a file.
type settings struct {
	PID    int    // of alloctop itself
	Cache  string // alloctop's cache directory
	Engine Engine // that was asked for, "" to take what works
	// The value of GOFLAGS that the run set, and the one before it, nil if it
	// was not set.
	GOFLAGS string
	Before  *string
	// The default Go tree and the overlay with the hook for it, "" if there is none.
	Tree, Overlay string

	run string // the run's directory
}

func (s settings) logFile() string  { return filepath.Join(s.run, "log") }
func (s settings) counters() string { return filepath.Join(s.run, "counters") }
func (s settings) profiles() string { return filepath.Join(s.run, "profiles") }
func (s settings) shims() string    { return filepath.Join(s.run, "bin") }

func readSettings(run string) (settings, error) {
	s := settings{run: run}
	data, err := os.ReadFile(filepath.Join(run, "settings.json"))
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(data, &s)
}

func (s settings) write() error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.run, "settings.json"), data, 0o666)
}

// RemoveLeftRuns removes the directories of runs whose alloctop was killed
// before it could, and returns how many there were.
func RemoveLeftRuns() (n int, err error) {
	runs, err := filepath.Glob(filepath.Join(os.TempDir(), runPrefix+"*"))
	if err != nil {
		return 0, err
	}
	for _, run := range runs {
		s, err := readSettings(run)
		if err != nil || Running(s.PID) {
			continue // another's, or under way
		}
		if err := os.RemoveAll(run); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// restoreGOFLAGS returns env with GOFLAGS as the user had it, what the command
// added since then included.
func (s settings) restoreGOFLAGS(env []string) []string {
	value, ok := environ.Get(env, "GOFLAGS")
	if !ok || value == s.GOFLAGS {
		if ok {
			env = setOrNot(env, "GOFLAGS", s.Before)
		}
		return env
	}
	words, err := splitFlags(value)
	if err != nil {
		return env
	}
	kept := dropFlag(words, "overlay", s.isOurs)
	kept = dropFlag(kept, "exec", s.isOurs)
	if len(kept) == len(words) {
		return env
	}
	if value, err = joinFlags(kept); err != nil {
		return env
	}
	return environ.Set(env, "GOFLAGS", value)
}

// setOrNot returns env with a variable set, or without it.
func setOrNot(env []string, name string, value *string) []string {
	if value == nil {
		return environ.Unset(env, name)
	}
	return environ.Set(env, name, *value)
}

// isOurs reports whether the value of a flag in GOFLAGS was put there by
// alloctop: it begins with a path of its own.
func (s settings) isOurs(value string) bool {
	for _, dir := range []string{s.Cache, s.run} {
		if rel, err := filepath.Rel(dir, value); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}
