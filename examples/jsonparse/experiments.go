package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/alloctop/alloctop/examples/internal/study"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/parsers"
)

// experimentJSON is the experiment that encoding/json/v2 is part of.
const experimentJSON = "jsonv2"

// experiments are those of the Go toolchain that change how memory is managed, and
// the one that changes the parser (internal/goexperiment/flags.go, Go 1.26). A
// toolchain that does not have one refuses to build with it.
func experiments() []string {
	return []string{"nogreenteagc", "sizespecializedmalloc", "runtimefreegc", "heapminimum512kib", experimentJSON}
}

// buildExperiments builds this program with each experiment into dir.
func buildExperiments(ctx context.Context, dir string, progress *study.Progress) (contest, error) {
	c := contest{title: "Experiments of the toolchain, all with the settings as they come"}
	c.contenders = []contender{{name: parsers.Standard + ", as it comes", parser: parsers.Standard}}
	root, err := study.Root(ctx)
	if err != nil {
		return c, err
	}
	for i, x := range experiments() {
		progress.Step("building with GOEXPERIMENT=%s, %d of %d", x, i+1, len(experiments()))
		program := filepath.Join(dir, "jsonparse-"+x)
		cmd := exec.CommandContext(ctx, "go", "build", "-o", program, "./examples/jsonparse")
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GOEXPERIMENT="+x)
		if out, err := cmd.CombinedOutput(); err != nil {
			if ctx.Err() != nil {
				return c, ctx.Err()
			}
			reason, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
			c.missing = append(c.missing, fmt.Sprintf("GOEXPERIMENT=%s does not build: %s", x, reason))
			continue
		}
		c.contenders = append(c.contenders, contender{name: "GOEXPERIMENT=" + x, parser: parsers.Standard, program: program})
		if x == experimentJSON {
			c.contenders = append(c.contenders, contender{name: parsers.JSONv2, parser: parsers.JSONv2, program: program})
		}
	}
	return c, nil
}
