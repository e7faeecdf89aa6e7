package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/alloctop/alloctop/internal/gorun"
	"github.com/alloctop/alloctop/internal/sweep"
)

// The test binary is alloctop, in its own scripts and in the go commands that
// alloctop stands in for.
func TestMain(m *testing.M) {
	if gorun.IsShim(os.Args[0]) || gorun.IsExec(os.Args[0]) || sweep.IsKeep(os.Args[0]) {
		main()
	}
	testscript.Main(m, map[string]func(){
		"alloctop":    main,
		"scopes":      scopesMain,
		"count":       countMain,
		"status":      statusMain,
		"interrupted": interruptedMain,
		"visit":       visitMain,
		"pprofserver": pprofServerMain,
		"wall":        wallMain,
	})
}

func TestScripts(t *testing.T) {
	env := goEnvironment(t)
	cache := t.TempDir()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			for name, value := range env {
				e.Setenv(name, value)
			}
			e.Setenv("XDG_CACHE_HOME", cache) // one patched copy of the Go tree for all
			e.Defer(func() {
				if left, _ := filepath.Glob(filepath.Join(e.WorkDir, ".tmp", "alloctop-*")); len(left) > 0 {
					e.T().Fatal("runs left their directories behind:", left)
				}
			})
			return nil
		},
	})
}

// goEnvironment returns what scripts need of the outer Go environment, since
// they have no home: above all the build cache, which makes them cheap.
func goEnvironment(t *testing.T) map[string]string {
	t.Helper()
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOROOT", "GOFLAGS").Output()
	if err != nil {
		t.Fatal(err)
	}
	var env map[string]string
	if err := json.Unmarshal(out, &env); err != nil {
		t.Fatal(err)
	}
	env["GOTREE"] = env["GOROOT"]
	delete(env, "GOROOT") // set, it would keep toolchain lines from working
	env["GOWORK"] = ""
	env["GOTOOLCHAIN"] = "local"
	env["ALLOCTOP_RUN"] = "" // if the tests themselves run under alloctop
	return env
}
