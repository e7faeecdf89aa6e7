package hook

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// Functions of runtime/malloc.go that every supported release has: without
// one of them the tree is not one that this package knows.
var allocators = []string{"mallocgcTiny", "mallocgcSmallNoscan", "mallocgcSmallScanNoHeader", "mallocgcSmallScanHeader", "mallocgcLarge"}

// calledDirectly reports whether a function of the allocator is called by
// compiled code, as those specialised for a size are, and not by another one.
func calledDirectly(name string) bool {
	kind := strings.TrimRight(name, "0123456789")
	return kind != name && strings.HasPrefix(name, "mallocgc") && (strings.HasSuffix(kind, "SC") || strings.HasSuffix(kind, "Size"))
}

// allocatorFunctions hooks every function of one file that allocates: it
// counts before each `mp.mallocing = 0`, where the m is still acquired and
// the object is in the runtime's own count. It returns the names of the
// functions that it hooked.
//
// A function that it does not know is an error: an allocation path that is
// not counted would make every total wrong.
func allocatorFunctions(s *source) ([]string, error) {
	var hooked []string
	for _, d := range s.tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || !setsMallocing(s, f) {
			continue
		}
		switch {
		case strings.HasPrefix(f.Name.Name, "mallocgc"), f.Name.Name == "newUserArenaChunk":
			n, err := allocatorFunction(s, f)
			if err != nil {
				return nil, err
			}
			if n == 0 {
				return nil, fmt.Errorf("%s: no place to count in %s", s.name, f.Name.Name)
			}
			hooked = append(hooked, f.Name.Name)
		case strings.HasPrefix(f.Name.Name, "freegc"), f.Name.Name == "userArenaNextFree":
			// These give back, or hand out a part of what was counted as a chunk.
		case strings.HasSuffix(f.Name.Name, "Stub"):
			// The generator's templates in malloc_stubs.go: never called.
		default:
			return nil, fmt.Errorf("%s: unknown allocator function %s", s.name, f.Name.Name)
		}
	}
	if slices.ContainsFunc(hooked, hasCopy) {
		return hooked, callCopies(s, hooked)
	}
	return hooked, nil
}

func setsMallocing(s *source, f *ast.FuncDecl) bool {
	found := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if st, ok := n.(ast.Stmt); ok && s.textOf(st) == "mp.mallocing = 0" {
			found = true
		}
		return !found
	})
	return found
}

// allocatorFunction hooks one function and returns in how many places.
//
// What counts needs the requested size and the type to the end, which takes
// time even where nothing is counted. So a function that mallocgc calls gets a
// copy that counts, and for itself no more than a test at its begin. The m is
// acquired right after that, with no point between at which the world could
// stop: the counter is on for the whole of an object or for nothing of it.
func allocatorFunction(s *source, f *ast.FuncDecl) (int, error) {
	slot, size, typ := slotExpr(s, f), sizeExpr(s, f), "nil"
	if hasParam(f, "typ") {
		typ = "typ"
	}
	if slot == "" || size == "" {
		return 0, fmt.Errorf("%s: %s does not say what it allocates", s.name, f.Name.Name)
	}
	if hasCopy(f.Name.Name) {
		return countInCopy(s, f, size, typ, slot)
	}
	skip := 2
	if calledDirectly(f.Name.Name) || f.Name.Name == "newUserArenaChunk" {
		skip = 1
	}
	if size == savedSize {
		s.insert(f.Body.Lbrace+1, " "+savedSize+" := size; _ = "+savedSize)
	}
	edits := atEnds(s, f, slot, func(bytes string) string {
		return fmt.Sprintf("if alloctop.on { alloctopCount(%s, %s, %s, %d) }; ", size, typ, bytes, skip)
	})
	s.edits = append(s.edits, edits...)
	return len(edits), s.noinline(f)
}

// countInCopy makes the copy of a function count: its first half at the begin,
// so that the counter is in the cache when the object is made.
func countInCopy(s *source, f *ast.FuncDecl, size, typ, slot string) (int, error) {
	edits := atEnds(s, f, slot, func(bytes string) string {
		return fmt.Sprintf("alloctopAdd(alloctopHash, %s, %s, %s); ", size, typ, bytes)
	})
	places := len(edits)
	begin, err := s.statement(f, "mp.mallocing = 1")
	if err != nil {
		return 0, err
	}
	first := "; alloctopHash := alloctopFind(size, " + typ + ")"
	if size == savedSize {
		first = "; " + savedSize + " := size" + first
	}
	at := s.offset(begin.End())
	s.appendCopy(f, f.Name.Name+copySuffix, append(edits, edit{at, at, first}))
	s.insert(f.Body.Lbrace+1, " if alloctop.on { return "+f.Name.Name+copySuffix+"("+strings.Join(paramNames(f), ", ")+") };")
	return places, nil
}

// copySuffix is the end of the name of a copy that counts.
const copySuffix = "Alloctop"

// hasCopy reports whether a function of the allocator counts in a copy: one that
// mallocgc calls, except for that of large objects, which are few.
func hasCopy(name string) bool {
	return name != "mallocgcLarge" && slices.Contains(allocators, name)
}

// atEnds returns edits that put a text, made for the bytes of the slot, where a
// function has allocated an object.
func atEnds(s *source, f *ast.FuncDecl, slot string, text func(bytes string) string) (edits []edit) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		for i, st := range statements(n) {
			if s.textOf(st) != "mp.mallocing = 0" {
				continue
			}
			before := ""
			if i > 0 {
				before = s.textOf(statements(n)[i-1])
			}
			if strings.Contains(before, "Reuse(") {
				continue // a reused object is not counted by the runtime
			}
			bytes := slot
			if before == "c.tinyAllocs++" {
				bytes = "0" // it shares a block that is counted already
			}
			at := s.offset(st.Pos())
			edits = append(edits, edit{at, at, text(bytes)})
		}
		return true
	})
	return edits
}

// callCopies lets mallocgc call the copies that count while the counter is on,
// without the detour by the functions themselves.
func callCopies(s *source, hooked []string) error {
	f, err := s.function("", "mallocgc")
	if err != nil {
		return err
	}
	calls := 0
	ast.Inspect(f.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Rhs) != 1 {
			return true
		}
		call, ok := a.Rhs[0].(*ast.CallExpr)
		if !ok {
			return true
		}
		if name := s.textOf(call.Fun); hasCopy(name) && slices.Contains(hooked, name) {
			s.insert(a.Pos(), "if alloctop.on { "+strings.Replace(s.textOf(a), name+"(", name+copySuffix+"(", 1)+" } else { ")
			s.insert(a.End(), " }")
			calls++
		}
		return true
	})
	if calls == 0 {
		return errNoPlace(s, f.Name.Name)
	}
	return nil
}

func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	}
	return nil
}

// slotExpr is what the function tells the heap profiler as the size of the
// slot.
func slotExpr(s *source, f *ast.FuncDecl) (slot string) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && s.textOf(c.Fun) == "profilealloc" && len(c.Args) == 3 {
			slot = s.textOf(c.Args[2])
		}
		return true
	})
	return slot
}

const savedSize = "alloctopSize"

// sizeExpr is the requested size: the parameter, or a copy of it where the
// function overwrites the parameter with the slot's.
func sizeExpr(s *source, f *ast.FuncDecl) string {
	if f.Name.Name == "newUserArenaChunk" {
		return slotExpr(s, f)
	}
	if !hasParam(f, "size") {
		return ""
	}
	overwritten := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok != token.DEFINE {
			for _, l := range a.Lhs {
				overwritten = overwritten || s.textOf(l) == "size"
			}
		}
		return true
	})
	if overwritten {
		return savedSize
	}
	return "size"
}

func hasParam(f *ast.FuncDecl, name string) bool { return slices.Contains(paramNames(f), name) }

func paramNames(f *ast.FuncDecl) (names []string) {
	for _, p := range f.Type.Params.List {
		for _, id := range p.Names {
			names = append(names, id.Name)
		}
	}
	return names
}

// checkAllocators says which allocator function of a tree was not hooked.
func checkAllocators(goroot string, hooked map[string]bool) error {
	for _, name := range allocators {
		if !hooked[name] {
			return fmt.Errorf("%s has no allocator function %s", filepath.Join(goroot, "src", "runtime"), name)
		}
	}
	return nil
}
