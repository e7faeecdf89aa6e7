package study

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/alloctop/alloctop/alloccount"
)

// module is the module of alloctop.
const module = "github.com/alloctop/alloctop"

// Hooked reports whether this program can count exactly, because alloctop built
// it.
func Hooked() (bool, error) {
	o := alloccount.MeasureOptions{Label: "engine", DropPaths: true}
	report, err := o.Measure(func() (int, error) { return 0, nil })
	if err != nil {
		return false, err
	}
	return report.Engine == alloccount.Exact, nil
}

// CountOnly is what a study does for itself under alloctop: it writes the report
// of count as JSON.
func CountOnly(stdout io.Writer, count func() (*alloccount.Report, error)) error {
	hooked, err := Hooked()
	if err != nil {
		return err
	}
	if !hooked {
		return errors.New("alloctop did not build the counter into this program")
	}
	report, err := count()
	if err != nil {
		return err
	}
	return report.WriteJSON(stdout)
}

// Root returns the directory of alloctop's repository. It asks the go command,
// which knows it anywhere in the workspace.
func Root(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		return "", fmt.Errorf("the repository of alloctop is not here: start the study there, as in: cd alloctop && go run ./examples/xlsx")
	}
	return dir, nil
}

// Command returns the command that [Recount] runs, as one types it in the root of
// the repository.
func Command(pkg string, args ...string) []string {
	return append([]string{"go", "run", "./cmd/alloctop", "--", "go", "run", pkg}, args...)
}

// Recount runs a program of this repository, mostly the caller's own, under
// alloctop, and returns the report that it writes to its standard output as JSON.
// The package is named from the root, "./examples/xlsx". What is in env goes over
// the environment of this process. What alloctop says of its work goes to log; its
// own report does not, unless the program fails.
func Recount(ctx context.Context, log io.Writer, env []string, pkg string, args ...string) (*alloccount.Report, error) {
	root, err := Root(ctx)
	if err != nil {
		return nil, err
	}
	command := Command(pkg, args...)
	var stdout bytes.Buffer
	stderr := &filter{log: log}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = &stdout, stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) } // alloctop clears up
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, stderr.rest.Bytes())
	}
	report, err := alloccount.ReadReport(&stdout)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(command, " "), err)
	}
	report.Command = Command(pkg)
	return report, nil
}

// filter passes on the lines in which alloctop tells what it does, and keeps the
// others.
type filter struct {
	log  io.Writer
	line []byte
	rest bytes.Buffer
}

func (f *filter) Write(p []byte) (int, error) {
	f.line = append(f.line, p...)
	for {
		line, more, ok := bytes.Cut(f.line, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		if bytes.HasPrefix(line, []byte("alloctop: ")) {
			fmt.Fprintf(f.log, "%s\n", line)
		} else {
			fmt.Fprintf(&f.rest, "%s\n", line)
		}
		f.line = more
	}
}
