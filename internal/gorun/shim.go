package gorun

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/alloctop/alloctop/internal/environ"
	"github.com/alloctop/alloctop/internal/hook"
)

// IsShim reports whether the process was started in place of the go tool.
func IsShim(arg0 string) bool {
	return filepath.Base(arg0) == "go" && os.Getenv(envRun) != ""
}

// Shim is what runs as the go command: it becomes the real one, which builds
// with the hook. It returns only if it cannot, with what went wrong.
func Shim(args []string) error {
	s, err := readSettings(os.Getenv(envRun))
	if err != nil {
		return fmt.Errorf("the run that this go command belongs to is over: %w", err)
	}
	tool := os.Getenv(envGo)
	if tool == "" {
		if tool, err = realGo(os.Getenv("PATH")); err != nil {
			return err
		}
	}
	env := s.restoreGOFLAGS(environ.Unset(os.Environ(), envGo))
	inv := parseInvocation(args)
	if builds(inv) {
		g := goCommand{settings: s, inv: inv, tool: tool, env: env}
		g.prepare()
		tool, env, args = g.tool, g.env, g.inv.args
	}
	err = syscall.Exec(tool, append([]string{"go"}, args...), env)
	return fmt.Errorf("%s: %w", tool, err)
}

// builds reports whether the go command compiles programs that then run, or
// runs other commands that do. Those that compile to look at the result (vet,
// list) or for the go tool itself (tool) are none of our business.
func builds(inv invocation) bool {
	return slices.Contains([]string{"build", "run", "test", "install", "generate"}, inv.verb)
}

// goCommand is one go command on its way from what the user wrote to what runs.
type goCommand struct {
	settings
	inv   invocation
	tool  string // path of the real go tool
	env   []string
	dir   string
	goenv goEnv
	tree  tree
}

// prepare changes the command so that it builds with the hook, leaves a record
// of it, and compiles the standard library if that has to be done. A command
// that cannot be hooked stays as it was; the record says why.
func (g *goCommand) prepare() {
	b := Build{PID: os.Getpid(), Args: g.inv.args}
	err := g.resolve(&b)
	if err == nil {
		b.Engine, err = g.equip()
	}
	if err != nil {
		b.Reason = strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	record{Build: &b}.leave(g.logFile()) // without the record the run only explains itself less
	if b.Engine == Exact {
		g.prebuild()
	}
}

// resolve finds the Go tree of the directory that the command works in.
func (g *goCommand) resolve(b *Build) (err error) {
	if g.dir, err = os.Getwd(); err != nil {
		return err
	}
	if g.inv.chdir != "" {
		g.dir = absIn(g.dir, g.inv.chdir)
	}
	b.Dir = g.dir
	if g.goenv, err = readGoEnv(g.tool, g.dir, g.env); err != nil {
		return err
	}
	b.Go, b.Modules = g.goenv.GOVERSION, g.goenv.mainModules()
	if g.tree, err = findTree(g.goenv, g.Cache); err != nil {
		return err
	}
	b.Root, b.Tree = g.tree.root, g.tree.path()
	return nil
}

// equip gives the command the hook, or else the stock profile. An error says
// why it did not get the hook, whatever it got instead.
func (g *goCommand) equip() (Engine, error) {
	if g.Engine == Profile {
		return g.equipProfile(nil)
	}
	overlay, err := g.hookOverlay()
	if err == nil {
		err = g.layOver(overlay)
	}
	if err == nil {
		g.useTree()
		return Exact, nil
	}
	if g.Engine == Exact {
		return Plain, err
	}
	return g.equipProfile(err)
}

// hookOverlay returns the overlay with the hook for the command's tree and target.
func (g *goCommand) hookOverlay() (string, error) {
	if err := hookable(g.goenv); err != nil {
		return "", err
	}
	if c, ok := g.inv.lookup("compiler"); ok && c.value != "gc" {
		return "", fmt.Errorf("the hook is for the gc compiler, not %s", c.value)
	}
	if g.Overlay != "" && g.tree.path() == g.Tree {
		return g.Overlay, nil
	}
	overlay, err := hook.Overlay(g.tree.path(), g.Cache)
	g.Overlay = overlay
	return overlay, err
}

// hookable says whether programs for the target can carry the hook.
func hookable(e goEnv) error {
	if target := e.GOOS + "/" + e.GOARCH; target != "linux/amd64" {
		return fmt.Errorf("programs for %s cannot carry the hook yet, only those for linux/amd64", target)
	}
	return nil
}

// layOver makes the command build with the overlay, together with one that the
// user gave on the command line or, if there is none, in GOFLAGS. The word for
// the command line stays there; the one in GOFLAGS also reaches the go
// commands that a test or generator runs.
func (g *goCommand) layOver(overlay string) error {
	words, err := splitFlags(g.goenv.GOFLAGS)
	if err != nil {
		return err
	}
	inFlags := overlay
	if theirs, ok := lookupFlag(words, "overlay"); ok {
		if inFlags, err = mergeOverlays(overlay, theirs, g.dir, g.run); err != nil {
			return err
		}
	}
	args := g.inv.args
	if f, ok := g.inv.lookup("overlay"); ok {
		merged, err := mergeOverlays(overlay, f.value, g.dir, g.run)
		if err != nil {
			return err
		}
		args = g.inv.replace(f, "-overlay="+merged)
	}
	words = dropFlag(words, "overlay", func(string) bool { return true })
	goflags, err := joinFlags(append(withCount(words), "-overlay="+inFlags))
	if err != nil {
		return err
	}
	g.env = environ.Set(g.env, "GOFLAGS", goflags)
	g.inv = parseInvocation(args)
	return nil
}

// withCount keeps go test from printing a result that it remembers instead of
// running the test, unless the user says how often to run it.
func withCount(words []string) []string {
	if _, ok := lookupFlag(words, "count"); ok {
		return words
	}
	return append(slices.Clone(words), "-count=1")
}

// useTree makes the command run the tree's own go tool by the path that an
// overlay can name. Only trees in the module cache need that.
func (g *goCommand) useTree() {
	if g.tree.mirror == "" {
		return
	}
	g.tool = filepath.Join(g.tree.mirror, "bin", "go")
	local := "local"
	g.env = environ.Set(g.env, "GOROOT", g.tree.mirror)
	g.env = environ.Set(g.env, "GOTOOLCHAIN", local)
}
