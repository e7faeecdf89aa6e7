// Command cost measures what counting costs: the same work in a plain build, in
// a hooked one that does not count, in one that counts, and with the runtime's
// own profiler at rate 1. It prints ratios against the plain build, from runs in
// turn, so that a machine whose speed drifts is slow for all alike. Where code
// happens to lie is worth more than what is to be measured: so each turn has its
// own order of functions (the linker's -randlayout), and each run a new copy of the
// program, which then lies elsewhere in the page cache. A run takes about as long
// as go test gives a benchmark; at rate 1 it has a tenth of the rounds.
//
//	go run ./internal/cost -n 7
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alloctop/alloctop/internal/hook"
)

// A way runs the workload, in one of two builds.
type way struct {
	name   string
	hooked bool
	count  bool
	rate1  bool
}

var ways = []way{
	{name: "plain"},
	{name: "dormant", hooked: true},
	{name: "counting", hooked: true, count: true},
	{name: "rate 1", rate1: true},
}

// A work is done for about a second in the plain build. Churn does nothing but
// allocate.
type work struct {
	name   string
	rounds int
}

var works = []work{{"xml", 60}, {"json", 50}, {"parser", 20}, {churn, 30}}

const churn = "churn"

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 7, "runs of each way, in turn")
	flag.Parse()
	if err := run(*n); err != nil {
		log.Fatalf("cost: %v", err)
	}
}

func run(n int) error {
	dir, err := os.MkdirTemp("", "cost")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b, err := build(dir, n)
	if err != nil {
		return err
	}
	fmt.Printf("%s %s/%s, %s, %d CPUs, median of %d turns; plain: time of a round; ratios against the plain run of the same turn\n\n",
		b.version, runtime.GOOS, runtime.GOARCH, cpu(), runtime.NumCPU(), n)
	fmt.Printf("%-8s %7s %10s %9s %9s %9s\n", "work", "threads", "plain", "dormant", "counting", "rate 1")
	means := map[string][]float64{}
	for _, work := range works {
		for _, threads := range []int{1, 2} {
			plain, ratios, err := b.compare(work, threads, n)
			if err != nil {
				return err
			}
			fmt.Printf("%-8s %7d %10v", work.name, threads, plain.Round(10*time.Microsecond))
			for _, w := range ways[1:] {
				fmt.Printf(" %8.2fx", ratios[w.name])
				if work.name != churn {
					means[w.name] = append(means[w.name], ratios[w.name])
				}
			}
			fmt.Println()
		}
	}
	fmt.Printf("%-27s", "geometric mean without churn")
	for _, w := range ways[1:] {
		fmt.Printf(" %8.2fx", geomean(means[w.name]))
	}
	fmt.Println()
	return nil
}

type builds struct {
	dir, version, sources string
}

// build builds both programs for each turn.
func build(dir string, turns int) (builds, error) {
	env, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return builds{}, fmt.Errorf("go env: %w", err)
	}
	root, version, _ := strings.Cut(strings.TrimSpace(string(env)), "\n")
	overlay, err := hook.Overlay(root, dir)
	if err != nil {
		return builds{}, err
	}
	b := builds{dir, version, filepath.Join(root, "src", "net", "http")}
	for turn := range turns {
		for hooked, flags := range map[bool][]string{false: nil, true: {"-overlay", overlay}} {
			args := append([]string{"build", fmt.Sprintf("-ldflags=-randlayout=%d", turn+1)}, flags...)
			cmd := exec.Command("go", append(args, "-o", b.program(hooked, turn), "github.com/alloctop/alloctop/internal/cost/workload")...)
			cmd.Stderr = os.Stderr
			if err := cmd.Run(); err != nil {
				return builds{}, fmt.Errorf("building the workload: %w", err)
			}
		}
	}
	return b, nil
}

func (b builds) program(hooked bool, turn int) string {
	return filepath.Join(b.dir, fmt.Sprintf("hooked-%t-%d", hooked, turn))
}

// compare returns the median time of a round in the plain build, and of each way the
// median of its ratios against the plain run of the same turn.
func (b builds) compare(work work, threads, n int) (plain time.Duration, ratios map[string]float64, err error) {
	var plains []time.Duration
	all := map[string][]float64{}
	for turn := range n {
		var first time.Duration
		for i, w := range ways {
			d, err := b.once(w, work, threads, turn)
			if err != nil {
				return 0, nil, err
			}
			if i == 0 {
				first = d
				plains = append(plains, d)
			}
			all[w.name] = append(all[w.name], float64(d)/float64(first))
		}
	}
	slices.Sort(plains)
	ratios = map[string]float64{}
	for name, r := range all {
		slices.Sort(r)
		ratios[name] = r[len(r)/2]
	}
	return plains[len(plains)/2], ratios, nil
}

func (b builds) once(w way, work work, threads, turn int) (time.Duration, error) {
	dir, err := os.MkdirTemp(b.dir, "run")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "workload")
	if err := copyProgram(program, b.program(w.hooked, turn)); err != nil {
		return 0, err
	}
	rounds := work.rounds
	if w.rate1 {
		rounds /= 10
	}
	cmd := exec.Command(program, "-work", work.name, "-rounds", strconv.Itoa(rounds),
		"-threads", strconv.Itoa(threads), "-sources", b.sources, "-rate1="+strconv.FormatBool(w.rate1))
	cmd.Stderr = os.Stderr
	cmd.Env = os.Environ()
	if w.count {
		cmd.Env = append(cmd.Env, hook.EnvDir+"="+dir)
	}
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%s, %s: %w", work.name, w.name, err)
	}
	ns, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return time.Duration(ns), err
}

func copyProgram(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o700)
}

func geomean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(v)))
}

// cpu is the processor's name as the system gives it.
func cpu() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown CPU"
	}
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown CPU"
}
