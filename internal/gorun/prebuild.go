package gorun

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alloctop/alloctop/internal/environ"
)

// The go command drops what it has not used for five days from its cache; a
// stamp older than this says nothing about what is in there.
const stampAge = 4 * 24 * time.Hour

// prebuild compiles the standard library packages that the command needs, so
// that the one long wait has a name, a count and a clock. Once that was done
// for the same flags, directory and packages it costs nothing more. Whatever
// goes wrong here is left for the command itself to find and report.
func (g *goCommand) prebuild() {
	if !g.canPrebuild() {
		return
	}
	flags := g.compileFlags()
	config, work := g.stampKeys(flags)
	dir := filepath.Join(g.Cache, "built")
	stamp := filepath.Join(dir, work)
	if info, err := os.Stat(stamp); err == nil && time.Since(info.ModTime()) < stampAge {
		now := time.Now()
		os.Chtimes(stamp, now, now)
		return
	}
	if os.MkdirAll(dir, 0o777) != nil {
		return
	}
	unlock, err := lock(filepath.Join(dir, config+".lock")) // make -j: one compiles, the others find it done
	if err != nil {
		return
	}
	defer unlock()
	packages, err := g.standardPackages(flags)
	if err != nil || len(packages) == 0 {
		return
	}
	if g.compile(flags, packages) == nil {
		os.WriteFile(stamp, nil, 0o666)
	}
}

// canPrebuild reports whether the packages can be listed and compiled apart.
func (g *goCommand) canPrebuild() bool {
	for _, name := range []string{"n", "a"} {
		if _, ok := g.inv.lookup(name); ok {
			return false
		}
	}
	if f, ok := g.inv.lookup("buildmode"); ok && f.value != "default" && f.value != "exe" && f.value != "pie" {
		return false // wants a main package
	}
	versioned := func(p string) bool { return strings.Contains(p, "@") }
	return g.inv.verb != "generate" && !slices.ContainsFunc(g.inv.packages, versioned)
}

// compileFlags returns the flags of the command that decide how packages are compiled.
func (g *goCommand) compileFlags() []string {
	var words []string
	for _, f := range g.inv.flags {
		if slices.Contains(buildFlags, f.name) {
			words = append(words, g.inv.args[f.at:f.at+f.words]...)
		}
	}
	return words
}

// stampKeys names the configuration of the standard library, and with it the
// work that the command asks for.
func (g *goCommand) stampKeys(flags []string) (config, work string) {
	goflags, _ := environ.Get(g.env, "GOFLAGS")
	e := g.goenv
	e.GOFLAGS, e.GOMOD, e.GOWORK = "", "", ""
	sum := sha256.New()
	fmt.Fprintf(sum, "%+v\n%q\n%q\n", e, dropFlag(strings.Fields(goflags), "exec", g.isOurs), flags)
	config = hex.EncodeToString(sum.Sum(nil)[:8])
	fmt.Fprintf(sum, "%q %q %q", g.dir, g.inv.verb, g.inv.packages)
	return config, hex.EncodeToString(sum.Sum(nil)[:8])
}

// lock waits until no other process holds the lock.
func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// standardPackages lists the packages of the standard library that the command needs.
func (g *goCommand) standardPackages(flags []string) ([]string, error) {
	args := []string{"list", "-e", "-deps", "-f", "{{if .Standard}}{{.ImportPath}}{{end}}"}
	if g.inv.verb == "test" {
		args = append(args, "-test")
	}
	cmd := g.command(slices.Concat(args, flags, []string{"--"}, g.inv.packages))
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var packages []string
	for line := range strings.Lines(string(out)) {
		p := strings.TrimSpace(line)
		// Variants of a package for one test are that test's business, and
		// those in vendor come along with what imports them.
		if p != "" && !strings.ContainsAny(p, " ") && !strings.HasPrefix(p, "vendor/") && !strings.HasSuffix(p, ".test") {
			packages = append(packages, p)
		}
	}
	return packages, nil
}

// command is a go command like the user's, in its place.
func (g *goCommand) command(args []string) *exec.Cmd {
	cmd := exec.Command(g.tool, args...)
	cmd.Dir, cmd.Env = g.dir, g.env
	return cmd
}

// compile compiles the packages and tells how far it is.
func (g *goCommand) compile(flags, packages []string) error {
	cmd := g.command(slices.Concat([]string{"build", "-v"}, flags, []string{"--"}, packages))
	out, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	p := Progress{PID: os.Getpid(), Go: g.goenv.GOVERSION, Of: len(packages), Start: time.Now()}
	// If a signal ends this process, the compiler is not to go on by itself.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	endWithParent(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() {
		p.End = true
		record{Progress: &p}.leave(g.logFile())
	}()
	record{Progress: &p}.leave(g.logFile())
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if slices.Contains(packages, lines.Text()) {
			p.Done++
			record{Progress: &p}.leave(g.logFile())
		}
	}
	return cmd.Wait()
}
