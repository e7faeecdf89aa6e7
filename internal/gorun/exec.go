package gorun

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/alloctop/alloctop/internal/environ"
	"github.com/alloctop/alloctop/internal/stock"
)

// Test is a test binary that ran with the stock heap profile.
type Test struct {
	PID     int
	Parent  int
	Main    string // import path, "encoding/csv.test"
	Go      string // version that built it
	Profile string // path, where the test leaves its profile
	Totals  string // path, where it leaves what the runtime counted
}

// IsExec reports whether the process was started as the wrapper for -exec.
func IsExec(arg0 string) bool {
	return filepath.Base(arg0) == execName && os.Getenv(envRun) != ""
}

// Exec is the wrapper that the go tool's -exec calls: args are the number of
// words that the user's own wrapper takes, these words, the binary, and its
// arguments. It becomes that command, and makes a test leave its profile. It
// returns only if it cannot.
func Exec(args []string) error {
	s, err := readSettings(os.Getenv(envRun))
	if err != nil {
		return fmt.Errorf("the run that this program belongs to is over: %w", err)
	}
	if len(args) == 0 {
		return errors.New("this is for the go tool to call")
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 0 || len(args) < n+2 {
		return errors.New("this is for the go tool to call")
	}
	user, binary, rest := args[1:1+n], args[1+n], args[2+n:]
	env := os.Environ()
	if strings.HasSuffix(binary, ".test") {
		env, rest = s.profileTest(binary, env, rest)
	} else {
		// The linker drops the heap profiler from programs that do not reach
		// this function (cmd/link/internal/ld, Go 1.26).
		has, err := hasFunction(binary, "runtime.memProfileInternal")
		p := Program{Path: binary, Profiler: has || err != nil}
		record{Program: &p}.leave(s.logFile())
	}
	command := append(append(user[:len(user):len(user)], binary), rest...)
	path, err := exec.LookPath(command[0])
	if err == nil {
		err = syscall.Exec(path, command, env)
	}
	return fmt.Errorf("%s: %w", command[0], err)
}

// profileTest returns the environment and arguments with which a test counts
// every allocation that the stock profile can, from its start, and leaves the
// profile. A profile that the user asked for stays the user's, at its place.
func (s settings) profileTest(binary string, env, args []string) (newEnv, newArgs []string) {
	t := Test{PID: os.Getpid(), Parent: os.Getppid(), Main: filepath.Base(binary)}
	if info, err := buildinfo.ReadFile(binary); err == nil {
		t.Main, t.Go = info.Path, info.GoVersion
	}
	base := filepath.Join(s.profiles(), strconv.Itoa(t.PID))
	t.Profile, t.Totals = base+".pprof", base+".totals"
	if own, ok := lookupFlag(beforeArgs(args), "test.memprofile"); ok {
		outDir, _ := lookupFlag(beforeArgs(args), "test.outputdir")
		t.Profile = absIn(outDir, own)
		if !filepath.IsAbs(t.Profile) {
			t.Profile, _ = filepath.Abs(t.Profile)
		}
	}
	record{Test: &t}.leave(s.logFile())
	env = environ.Set(env, stock.EnvTotals, t.Totals)
	env = environ.AddDebug(env, "memprofilerate=1")
	// Behind the binary: after a user's -args they would be the test's own.
	return env, append([]string{"-test.memprofilerate=1", "-test.memprofile=" + t.Profile}, args...)
}

// beforeArgs returns the flags in front of the first word that is none.
func beforeArgs(args []string) []string {
	for i, a := range args {
		if _, _, _, isFlag := flagWord(a); !isFlag {
			return args[:i]
		}
	}
	return args
}
