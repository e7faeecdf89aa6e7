package hook

import (
	"go/ast"
	"strings"
)

// A patch edits one file of a Go tree.
type patch struct {
	file string // below src
	edit func(*source) error
}

// The edits beside those of the allocator.
var patches = []patch{
	{"runtime/runtime2.go", patchTypes},
	{"runtime/proc.go", patchProc},
	{"runtime/runtime.go", patchSyscallExit},
	{"runtime/panic.go", patchExits},
	{"runtime/signal_unix.go", patchSignals},
	{"testing/benchmark.go", patchB},
	{"testing/testing.go", patchT},
}

// patchTypes gives each P a place for its table, and each goroutine one for its
// owner. That one is in a gap between other fields, so that a goroutine takes as
// much memory as without it.
func patchTypes(s *source) error {
	if err := s.field("p", "alloctop uintptr"); err != nil {
		return err
	}
	return s.fieldAfter("g", "runningCleanups", "alloctop uint16")
}

// patchProc hooks the start of goroutines and the end of the process.
func patchProc(s *source) error {
	if err := patchStart(s); err != nil {
		return err
	}
	return patchEnd(s)
}

// patchStart lets a goroutine inherit the owner of the one that starts it. One
// of the runtime's own has none, though the user's may happen to start it.
// What a goroutine has of its former life is overwritten in any case.
func patchStart(s *source) error {
	f, err := s.function("", "newproc1")
	if err != nil {
		return err
	}
	st, err := s.only(f, "if isSystemGoroutine(newg, false)", func(st ast.Stmt) bool {
		cond, ok := st.(*ast.IfStmt)
		return ok && s.textOf(cond.Cond) == "isSystemGoroutine(newg, false)"
	})
	if err != nil {
		return err
	}
	cond := st.(*ast.IfStmt)
	user, ok := cond.Else.(*ast.BlockStmt)
	if !ok || !hasParam(f, "callergp") {
		return errNoPlace(s, f.Name.Name)
	}
	s.insert(cond.Body.Lbrace+1, " newg.alloctop = 0;")
	s.insert(user.Lbrace+1, " newg.alloctop = callergp.alloctop;")
	return nil
}

// patchEnd notes an exit and takes the last reading before it, and notes an
// exec.
func patchEnd(s *source) error {
	f, err := s.function("", "runExitHooks")
	if err != nil {
		return err
	}
	s.insert(f.Body.Rbrace, "alloctopEnd("+f.Type.Params.List[0].Names[0].Name+") ")
	f, err = s.function("", "syscall_runtime_BeforeExec")
	if err != nil {
		return err
	}
	s.insert(f.Body.Lbrace+1, " alloctopExec(alloctopExeced)")
	f, err = s.function("", "syscall_runtime_AfterExec")
	if err != nil {
		return err
	}
	s.insert(f.Body.Lbrace+1, " alloctopExec(0)") // it failed
	return nil
}

// patchSyscallExit notes what ends without exit hooks.
func patchSyscallExit(s *source) error {
	f, err := s.function("", "syscall_Exit")
	if err != nil {
		return err
	}
	s.insert(f.Body.Lbrace+1, " alloctopExit("+f.Type.Params.List[0].Names[0].Name+")")
	return nil
}

// patchExits notes the exits by panic and throw.
func patchExits(s *source) error {
	if noteExits(s, s.tree) == 0 {
		return errNoPlace(s, "exit")
	}
	return nil
}

// noteExits notes the status before each call of exit below n.
func noteExits(s *source, n ast.Node) (places int) {
	ast.Inspect(n, func(n ast.Node) bool {
		if st, ok := n.(*ast.ExprStmt); ok {
			if code, ok := strings.CutPrefix(s.textOf(st), "exit("); ok {
				s.insert(st.Pos(), "alloctopExit("+code+"; ")
				places++
			}
		}
		return true
	})
	return places
}

// patchSignals notes the signal that the runtime ends the process with, and
// the exits after a fault.
func patchSignals(s *source) error {
	for _, d := range s.tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		if f.Name.Name != "dieFromSignal" {
			noteExits(s, f)
			continue
		}
		s.insert(f.Body.Lbrace+1, " alloctopSignal("+f.Type.Params.List[0].Names[0].Name+")")
	}
	if len(s.edits) == 0 {
		return errNoPlace(s, "dieFromSignal")
	}
	return nil
}

// patchB puts windows round the timed region of a benchmark, in the stops of
// the world that package testing makes for -benchmem.
func patchB(s *source) error {
	if err := s.field("B", "alloctop uint32"); err != nil {
		return err
	}
	const read = "runtime.ReadMemStats(&memStats)"
	for _, p := range []struct{ function, call string }{
		{"StartTimer", "b.alloctopStart(&memStats)"},
		{"StopTimer", "b.alloctopStop(&memStats)"},
		{"ResetTimer", "b.alloctopReset(&memStats)"},
	} {
		f, err := s.function("B", p.function)
		if err != nil {
			return err
		}
		st, err := s.statement(f, read)
		if err != nil {
			return err
		}
		s.replace(st, p.call)
		if p.function == "ResetTimer" {
			if err := stoppedReset(s, f, st); err != nil {
				return err
			}
		}
	}
	run, err := s.function("B", "runN")
	if err != nil {
		return err
	}
	begin, err := s.statement(run, "b.ResetTimer()")
	if err != nil {
		return err
	}
	s.insert(begin.Pos(), "defer b.alloctopEnd(); ")
	f, err := s.function("B", "launch")
	if err != nil {
		return err
	}
	st, err := s.assignment(f, "b.result")
	if err != nil {
		return err
	}
	s.insert(st.End(), "; b.alloctopDone()")
	return nil
}

// stoppedReset makes ResetTimer forget the window also while the timer stands.
func stoppedReset(s *source, f *ast.FuncDecl, read ast.Stmt) error {
	for _, st := range f.Body.List {
		if cond, ok := st.(*ast.IfStmt); ok && cond.Pos() < read.Pos() && read.End() < cond.Body.End() && cond.Else == nil {
			s.insert(cond.End(), " else { b.alloctop = 0 }")
			return nil
		}
	}
	return errNoPlace(s, "ResetTimer")
}

// patchT puts windows round tests.
func patchT(s *source) error {
	if err := s.field("T", "alloctop uint32"); err != nil {
		return err
	}
	run, err := s.function("", "tRunner")
	if err != nil {
		return err
	}
	start, err := s.assignment(run, "t.start")
	if err != nil {
		return err
	}
	s.insert(start.Pos(), "t.alloctopStart(); ")
	report, err := s.statement(run, "t.report()")
	if err != nil {
		return err
	}
	s.insert(report.Pos(), "t.alloctopDone(); ")

	parallel, err := s.function("T", "Parallel")
	if err != nil {
		return err
	}
	release, err := s.statement(parallel, "t.signal <- true")
	if err != nil {
		return err
	}
	s.insert(release.Pos(), "t.alloctopPause(); ")
	restart, err := s.assignment(parallel, "t.start")
	if err != nil {
		return err
	}
	s.insert(restart.Pos(), "t.alloctopResume(); ")

	start1, err := s.function("", "MainStart")
	if err != nil {
		return err
	}
	s.insert(start1.Body.Lbrace+1, " alloctopDeps = "+start1.Type.Params.List[0].Names[0].Name)
	return nil
}
