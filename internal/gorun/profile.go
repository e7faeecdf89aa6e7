package gorun

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/alloctop/alloctop/internal/environ"
	"github.com/alloctop/alloctop/internal/stock"
)

// execName is the name that the wrapper for the go tool's -exec runs under.
const execName = "alloctop-exec"

// equipProfile makes go test run its binaries through the wrapper, which has
// each write the stock heap profile. Other commands stay as they are. The error
// is why, the reason for not using the hook if nobody asked for this, or what
// is wrong beside it.
func (g *goCommand) equipProfile(why error) (Engine, error) {
	if g.inv.verb != "test" && g.inv.verb != "run" {
		return Plain, errors.Join(why, errors.New("the profile engine counts go test only"))
	}
	if overlay, err := stock.Overlay(g.tree.path(), g.Cache); err == nil {
		if g.layOver(overlay) == nil {
			g.useTree()
		}
	}
	args, env, err := g.wrap()
	if err != nil {
		return Plain, errors.Join(why, fmt.Errorf("nor can it leave a profile: %w", err))
	}
	g.inv, g.env = parseInvocation(args), env
	return Profile, why
}

// wrap puts the wrapper in front of what the command runs its binaries with:
// the user's -exec, or go_GOOS_GOARCH_exec for another system's.
func (g *goCommand) wrap() (args, env []string, err error) {
	f, onLine := g.inv.lookup("exec")
	goflags, _ := environ.Get(g.env, "GOFLAGS")
	words, err := splitFlags(goflags)
	if err != nil {
		return nil, nil, err
	}
	value, inFlags := f.value, onLine
	if !onLine {
		value, inFlags = lookupFlag(words, "exec")
	}
	user, err := splitFlags(value)
	if err != nil {
		return nil, nil, err
	}
	if !inFlags && (g.goenv.GOOS != runtime.GOOS || g.goenv.GOARCH != runtime.GOARCH) {
		if path, err := exec.LookPath(fmt.Sprintf("go_%s_%s_exec", g.goenv.GOOS, g.goenv.GOARCH)); err == nil {
			user = []string{path}
		}
	}
	chain, err := joinFlags(append([]string{filepath.Join(g.run, execName), strconv.Itoa(len(user))}, user...))
	if err != nil {
		return nil, nil, err
	}
	if onLine {
		return g.inv.replace(f, "-exec="+chain), g.env, nil
	}
	words = append(dropFlag(words, "exec", func(string) bool { return true }), "-exec="+chain)
	if goflags, err = joinFlags(words); err != nil {
		return nil, nil, err
	}
	return g.inv.args, environ.Set(g.env, "GOFLAGS", goflags), nil
}
