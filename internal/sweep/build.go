package sweep

import (
	"bytes"
	"cmp"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alloctop/alloctop/internal/environ"
)

// Binary is a test binary, ready to be run.
type Binary struct {
	Package    string `json:"package"`    // under test
	Experiment string `json:"experiment"` // that it was built with, see Axis
	Go         string `json:"go"`         // version that built it
	Sum        string `json:"sha256"`

	path string
	kept kept
}

// Builder builds the tests of a command.
type Builder struct {
	Command Command
	Dir     string // to keep the binaries in, absolute
	Self    string // an executable that calls Keep if IsKeep
}

// CheckExperiments asks the go command whether it knows the experiments.
func (b Builder) CheckExperiments(ctx context.Context, names []string) error {
	for _, name := range names {
		if name == Default {
			continue
		}
		words := b.Command.Go("env", "GOEXPERIMENT")
		cmd := exec.CommandContext(ctx, words[0], words[1:]...)
		cmd.Env = ExperimentEnv(name)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("experiment %s: %s; see the ones that there are with: go doc internal/goexperiment.Flags", name, lastLine(string(out), err))
		}
	}
	return nil
}

// ExperimentEnv returns the environment of go commands that build with an
// experiment.
func ExperimentEnv(name string) []string {
	if name == Default {
		return os.Environ()
	}
	return environ.Set(os.Environ(), variable(Experiment), strings.ReplaceAll(name, "+", ","))
}

// Build builds the tests of the command with an experiment, as go test does,
// and returns them in the order of their packages.
func (b Builder) Build(ctx context.Context, experiment string) ([]Binary, error) {
	dir, err := os.MkdirTemp(b.Dir, "tests-")
	if err != nil {
		return nil, err
	}
	keep := filepath.Join(dir, keepName)
	if err := os.Symlink(b.Self, keep); err != nil {
		return nil, err
	}
	words := b.Command.With("-exec='"+keep+"'", "-count=1")
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env = ExperimentEnv(experiment)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return nil, errors.New("there is no go command in PATH; install Go, or add its bin directory")
		}
		return nil, fmt.Errorf("%s could not be built (%w):\n%s", b.Command, err, strings.TrimSpace(out.String()))
	}
	return readBinaries(dir, experiment)
}

func readBinaries(dir, experiment string) ([]Binary, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.test"))
	if err != nil {
		return nil, err
	}
	var all []Binary
	for _, file := range files {
		info, err := buildinfo.ReadFile(file)
		if err != nil {
			return nil, err
		}
		k, sum, err := readKept(file)
		if err != nil {
			return nil, err
		}
		all = append(all, Binary{strings.TrimSuffix(info.Path, ".test"), experiment, info.GoVersion, sum, file, k})
	}
	slices.SortFunc(all, func(x, y Binary) int { return cmp.Compare(x.Package, y.Package) })
	return all, nil
}

// lastLine returns the last line that says something, or else the error.
func lastLine(text string, err error) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return err.Error()
}
