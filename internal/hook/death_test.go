package hook

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alloctop/alloctop/internal/counterfile"
)

// However a process ends, what it counted up to then is there: 100,000 records
// of two objects each. How it ended is what the one who waited for it sees.
func TestDeath(t *testing.T) {
	ends := []struct {
		name string
		exit counterfile.Exit
		open bool // no last reading of the runtime's own count
	}{
		{"return", counterfile.Exit{State: counterfile.ExitCode}, false},
		{"exit", counterfile.Exit{State: counterfile.ExitCode, Code: 3}, false},
		{"exit256", counterfile.Exit{State: counterfile.ExitCode, Code: 7}, false},
		{"syscall", counterfile.Exit{State: counterfile.ExitCode, Code: 4}, true},
		{"panic", counterfile.Exit{State: counterfile.ExitCode, Code: 2}, true},
		{"nil", counterfile.Exit{State: counterfile.ExitCode, Code: 2}, true},
		{"throw", counterfile.Exit{State: counterfile.ExitCode, Code: 2}, true},
		{"maps", counterfile.Exit{State: counterfile.ExitCode, Code: 2}, true},
		{"overflow", counterfile.Exit{State: counterfile.ExitCode, Code: 2}, true},
		{"deadlock", counterfile.Exit{State: counterfile.ExitCode, Code: 2}, true},
		{"goexit", counterfile.Exit{State: counterfile.ExitCode, Code: 2}, true},
		{"memory", counterfile.Exit{State: counterfile.ExitCode, Code: 2}, true},
		{"quit", counterfile.Exit{State: counterfile.ExitCode, Code: 2}, true},
		{"segv", counterfile.Exit{State: counterfile.ExitCode, Code: 2}, true},
		{"abrt", counterfile.Exit{State: counterfile.ExitCode, Code: 2}, true},
		{"term", counterfile.Exit{State: counterfile.ExitSignal, Signal: int(syscall.SIGTERM)}, true},
		{"hup", counterfile.Exit{State: counterfile.ExitSignal, Signal: int(syscall.SIGHUP)}, true},
		{"pipe", counterfile.Exit{State: counterfile.ExitSignal, Signal: int(syscall.SIGPIPE)}, true},
		{"kill", counterfile.Exit{}, true},
		{"noexec0", counterfile.Exit{State: counterfile.ExitCode}, false},
	}
	for _, c := range []config{go126, go127} {
		for _, end := range ends {
			t.Run(c.name+"/"+end.name, func(t *testing.T) {
				o := run{args: []string{end.name}}.of(t, program(t, c, "death"))
				counters := o.counters(t)
				checkWork(t, counters)
				if counters.Exit != end.exit {
					t.Errorf("exit %+v, want %+v\n%s", counters.Exit, end.exit, o.stderr)
				}
				checkState(t, o.state, counters.Exit)
				if counters.Process.Open != end.open {
					t.Errorf("process open %v, want %v", counters.Process.Open, end.open)
				}
				if !end.open {
					reconcile(t, counters)
				}
			})
		}
	}
}

// checkWork looks for the objects of function work in testdata/prog/death.
func checkWork(t *testing.T, c *counterfile.Counters) {
	t.Helper()
	got := countAt(c, "main.work")
	if want := (counterfile.Totals{Objects: 200_000, Requested: 100_000 * (16 + 8), Tiny: 100_000, Bytes: got.Bytes}); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
	if blocks := got.Bytes - 100_000*16; blocks < 100_000/2*16 {
		t.Errorf("%d bytes in blocks of tiny objects: too few", blocks)
	}
}

// checkState compares with what the operating system says.
func checkState(t *testing.T, state *os.ProcessState, exit counterfile.Exit) {
	t.Helper()
	status := state.Sys().(syscall.WaitStatus)
	switch {
	case status.Signaled() && status.Signal() == syscall.SIGKILL:
		if exit != (counterfile.Exit{}) {
			t.Errorf("killed, but the file says %+v", exit)
		}
	case status.Signaled():
		if exit != (counterfile.Exit{State: counterfile.ExitSignal, Signal: int(status.Signal())}) {
			t.Errorf("ended by %v, but the file says %+v", status.Signal(), exit)
		}
	default:
		if exit != (counterfile.Exit{State: counterfile.ExitCode, Code: status.ExitStatus()}) {
			t.Errorf("exit status %d, but the file says %+v", status.ExitStatus(), exit)
		}
	}
}

// With GOTRACEBACK=crash a panic ends by SIGABRT.
func TestDeathByCrash(t *testing.T) {
	for _, end := range []string{"panic", "throw", "nil", "segv", "quit"} {
		t.Run(end, func(t *testing.T) {
			o := run{args: []string{end}, env: []string{"GOTRACEBACK=crash"}, wrap: []string{"sh", "-c", `ulimit -c 0; exec "$0" "$@"`}}.of(t, program(t, go126, "death"))
			counters := o.counters(t)
			checkWork(t, counters)
			checkState(t, o.state, counters.Exit)
		})
	}
}

// A process that becomes another program has a file, and so has its successor.
func TestExec(t *testing.T) {
	for _, c := range []config{go126, go127} {
		o := run{args: []string{"exec"}}.of(t, program(t, c, "death"))
		if len(o.files) != 2 || !o.state.Success() {
			t.Fatalf("%d files, want 2; %v\n%s", len(o.files), o.state, o.stderr)
		}
		first, second := readFile(t, o.files[0]), readFile(t, o.files[1])
		if first.Start > second.Start {
			first, second = second, first
		}
		checkWork(t, first)
		checkWork(t, second)
		reconcile(t, second)
		if first.PID != second.PID || first.PID != o.state.Pid() || first.Parent != os.Getpid() || second.Parent != os.Getpid() {
			t.Errorf("processes %d of %d and %d of %d, want %d of %d", first.PID, first.Parent, second.PID, second.Parent, o.state.Pid(), os.Getpid())
		}
		if first.Exit != (counterfile.Exit{State: counterfile.ExitExec}) || second.Exit != (counterfile.Exit{State: counterfile.ExitCode}) {
			t.Errorf("ends %+v and %+v", first.Exit, second.Exit)
		}
		if got := fmt.Sprint(first.Args[1:], second.Args[1:]); got != "[exec] [second]" {
			t.Errorf("arguments %s", got)
		}
	}
}

// SIGKILL at any moment loses nothing: of each of four goroutines the file has
// just as many objects as it had made, or the one more that it was about to
// note.
func TestKilledAtAnyMoment(t *testing.T) {
	const kills = 60
	bin := program(t, go126, "death")
	for i := range kills {
		dir := t.TempDir()
		progress := filepath.Join(dir, "progress")
		if err := os.WriteFile(progress, make([]byte, 4096), 0o600); err != nil {
			t.Fatal(err)
		}
		counters := filepath.Join(dir, "counters")
		if err := os.Mkdir(counters, 0o700); err != nil {
			t.Fatal(err)
		}
		pause := time.Duration(rand.IntN(8_000)) * time.Microsecond
		o := run{args: []string{"mapped", progress}, dir: counters, started: func(cmd *exec.Cmd) error {
			for range 10_000 {
				page, err := os.ReadFile(progress)
				if err != nil {
					return err
				}
				if page[4*8] != 0 { // all four have begun
					time.Sleep(pause)
					return cmd.Process.Kill()
				}
				time.Sleep(time.Millisecond)
			}
			return fmt.Errorf("the program did not begin")
		}}.of(t, bin)
		page, err := os.ReadFile(progress)
		if err != nil {
			t.Fatal(err)
		}
		c := o.counters(t)
		if c.Exit != (counterfile.Exit{}) || !c.Process.Open {
			t.Errorf("kill %d: exit %+v, open %v", i, c.Exit, c.Process.Open)
		}
		for g := range 4 {
			noted := int64(binary.LittleEndian.Uint64(page[8*g:]))
			got := countAt(c, fmt.Sprintf("main.mapped%d", g)).Objects
			if got != noted && got != noted+1 {
				t.Errorf("kill %d after %v: goroutine %d made %d objects, counted %d", i, pause, g, noted, got)
			}
		}
	}
}

// Under a limit of address space the hook takes what it gets.
func TestLittleAddressSpace(t *testing.T) {
	for _, mega := range []int{1500, 3000, 6000} {
		o := run{args: []string{"exit"}, wrap: []string{"sh", "-c", fmt.Sprintf(`ulimit -v %d; exec "$0" "$@"`, mega<<10)}}.of(t, program(t, go126, "death"))
		if o.state.ExitCode() != 3 {
			t.Fatalf("with %d MB: %v\n%s", mega, o.state, o.stderr)
		}
		counters := o.counters(t)
		checkWork(t, counters)
		reconcile(t, counters)
		if strings.TrimSpace(o.stderr) != "" {
			t.Errorf("with %d MB it said %q", mega, o.stderr)
		}
	}
}
