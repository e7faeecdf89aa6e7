package gorun

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/alloctop/alloctop/internal/environ"
)

// watcher looks from time to time for go commands that run below a process and
// did not come by way of the shim: a script may call the go tool by its path,
// and then the hook in GOFLAGS does not reach it if it has an overlay on its
// command line or uses another Go tree than the default one. What is over
// between two looks is not seen.
type watcher struct {
	settings
	programs map[int]string // by process: the executable when it was last seen
	escaped  []Build
}

// look visits all processes below pid.
func (w *watcher) look(pid int) {
	for _, child := range children(pid) {
		exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", child))
		if err == nil && w.programs[child] != exe && !forked(pid, child) {
			w.programs[child] = exe
			if filepath.Base(exe) == "go" {
				w.inspect(child, exe)
			}
		}
		w.look(child)
	}
}

// forked reports whether a child is still a copy of its parent, on its way to
// become another program.
func forked(parent, child int) bool {
	return slices.Equal(procStrings(parent, "cmdline"), procStrings(child, "cmdline"))
}

// children returns the processes that pid has started and that still are.
func children(pid int) (pids []int) {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, task := range tasks {
		data, _ := os.ReadFile(task)
		for word := range strings.FieldsSeq(string(data)) {
			if n, err := strconv.Atoi(word); err == nil {
				pids = append(pids, n)
			}
		}
	}
	return pids
}

// inspect notes a go command that builds without the hook.
func (w *watcher) inspect(pid int, exe string) {
	args := procStrings(pid, "cmdline")
	if len(args) == 0 {
		return
	}
	inv := parseInvocation(args[1:])
	if !builds(inv) {
		return
	}
	why := w.whyPlain(inv, exe, procStrings(pid, "environ"))
	if why == "" {
		return
	}
	dir, _ := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	w.escaped = append(w.escaped, Build{
		PID: pid, Dir: dir, Args: inv.args,
		Reason: fmt.Sprintf("%s was called by its path, %s; call it as go", exe, why),
	})
}

// whyPlain says why the hook in GOFLAGS does not reach a go command, "" if it does.
func (w *watcher) whyPlain(inv invocation, exe string, env []string) string {
	if f, ok := inv.lookup("overlay"); ok && !w.isOurs(f.value) {
		return "with an overlay of its own"
	}
	goflags, _ := environ.Get(env, "GOFLAGS")
	words, _ := splitFlags(goflags)
	if v, ok := lookupFlag(words, "overlay"); !ok || !w.isOurs(v) {
		return "with GOFLAGS of its own"
	}
	if root, _ := environ.Get(env, "GOROOT"); w.isOurs(root) {
		return ""
	}
	if root := filepath.Dir(filepath.Dir(exe)); root != realPath(w.Tree) {
		return "and uses the Go tree " + root
	}
	return ""
}

// procStrings reads a file of a process that consists of strings.
func procStrings(pid int, file string) []string {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	if len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00")
}

// unrecorded returns the go commands that escaped and left no record.
func (w *watcher) unrecorded(recorded []Build) (escaped []Build) {
	for _, b := range w.escaped {
		if !slices.ContainsFunc(recorded, func(r Build) bool { return r.PID == b.PID }) {
			escaped = append(escaped, b)
		}
	}
	return escaped
}
