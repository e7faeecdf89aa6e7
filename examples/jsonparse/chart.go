package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/alloctop/alloctop/examples/internal/study"
)

// chartCommand is the sweep over the settings of the collector that makes a page of
// charts, of the benchmarks of all parsers.
func chartCommand(file string) []string {
	return []string{"go", "run", "./cmd/alloctop", "sweep", "--gogc", "100,50,200,400,off", "-n", "6",
		"--per", "elements/op", "--html", file,
		"--", "go", "test", "-run", "^$", "-bench", "Parse", "-benchtime", "5x", "./examples/jsonparse"}
}

// chart writes the page. How far it is, alloctop says to log.
func chart(ctx context.Context, file string, progress *study.Progress, log io.Writer) error {
	root, err := study.Root(ctx)
	if err != nil {
		return err
	}
	if file, err = filepath.Abs(file); err != nil {
		return err
	}
	command := chartCommand(file)
	progress.Step("drawing charts: %s", strings.Join(command, " "))
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.Stderr = root, log
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) } // alloctop clears up
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s was not written: %w", file, err)
	}
	return nil
}
