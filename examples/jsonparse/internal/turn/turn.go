// Package turn parses one document in a process of its own and says what that
// took. A process for each parse is what makes peak memory that of this parse,
// and lets the settings that the runtime reads at its start apply.
package turn

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/alloctop/alloctop/examples/jsonparse/internal/document"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/parsers"
	"github.com/alloctop/alloctop/internal/procstat"
)

// Result is what one parse took.
type Result struct {
	Wall  float64 // seconds
	CPU   float64 // seconds, user and system, all threads; 0 if unknown
	GC    float64 // seconds of processor time, of cycles that ended; as the runtime estimates, with idle workers
	GCs   int     // cycles that ended
	Peak  int64   // bytes of resident memory of the process, the document included; 0 if unknown
	Count int64   // objects allocated, as the runtime counts them

	Digest document.Digest
}

// Parse reads the document and parses it by the parser of this name.
func Parse(parser, path string) (Result, error) {
	p, err := parsers.Find(parser)
	if err != nil {
		return Result{}, err
	}
	doc, err := os.ReadFile(path)
	if err != nil {
		return Result{}, err
	}
	runtime.GC() // so that no cycle that the file began is under way
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	gc, cpu, start := gcTime(), procstat.CPU(), time.Now()
	digest, err := p.Parse(doc)
	r := Result{
		Wall:   time.Since(start).Seconds(),
		CPU:    (procstat.CPU() - cpu).Seconds(),
		GC:     gcTime() - gc,
		Peak:   procstat.PeakMemory(os.Getpid()),
		Digest: digest,
	}
	runtime.ReadMemStats(&after)
	r.GCs = int(after.NumGC - before.NumGC)
	r.Count = int64(after.Mallocs - before.Mallocs)
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", parser, err)
	}
	return r, nil
}

// gcTime returns the processor time of the garbage collector so far, in seconds.
func gcTime() float64 {
	sample := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindFloat64 {
		return 0
	}
	return sample[0].Value.Float64()
}

// patience is how long a parse may take, as it is no use to wait for one that hangs.
const patience = 2 * time.Minute

// Run has a program call [Parse] and print the result as JSON: it is started with
// these arguments and, besides the environment of this process, with env.
func Run(ctx context.Context, program string, args, env []string) (Result, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("it did not end within %v", patience))
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(plain(os.Environ()), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var r Result
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return r, fmt.Errorf("%w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		return r, fmt.Errorf("the result of a parse is not to be read: %w", err)
	}
	return r, nil
}

// plain leaves out of an environment what sets the memory manager, so that what
// the caller's shell has does not mix with what is to be compared.
func plain(environ []string) []string {
	var kept []string
	for _, e := range environ {
		switch name, _, _ := strings.Cut(e, "="); name {
		case "GOGC", "GOMEMLIMIT", "GODEBUG", "GOMAXPROCS":
		default:
			kept = append(kept, e)
		}
	}
	return kept
}
