package hook

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"sort"
)

// source is one file of a Go tree and the edits to be made to it. Edits are
// found by syntax tree and made in the text, within its lines where that is
// possible, so that positions in stack traces stay as they are.
type source struct {
	name  string
	text  []byte
	fset  *token.FileSet
	tree  *ast.File
	edits []edit
}

type edit struct {
	at, end int // offsets of what is replaced
	text    string
}

func readSource(name string) (*source, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &source{name: name, text: text, fset: fset, tree: tree}, nil
}

func (s *source) offset(p token.Pos) int { return s.fset.Position(p).Offset }

func (s *source) insert(p token.Pos, text string) {
	s.edits = append(s.edits, edit{s.offset(p), s.offset(p), text})
}

func (s *source) replace(n ast.Node, text string) {
	s.edits = append(s.edits, edit{s.offset(n.Pos()), s.offset(n.End()), text})
}

func (s *source) textOf(n ast.Node) string {
	return string(s.text[s.offset(n.Pos()):s.offset(n.End())])
}

// bytes returns the edited text.
func (s *source) bytes() []byte { return s.edited(0, len(s.text), s.edits) }

// edited returns the text from one offset to another, with edits that lie
// between them.
func (s *source) edited(from, to int, edits []edit) []byte {
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].at < edits[j].at })
	var out bytes.Buffer
	for _, e := range edits {
		out.Write(s.text[from:e.at])
		out.WriteString(e.text)
		from = e.end
	}
	out.Write(s.text[from:to])
	return out.Bytes()
}

// appendCopy adds at the end of the file a copy of a function, under another
// name and with edits. Its lines have the numbers that they have in the
// original.
func (s *source) appendCopy(f *ast.FuncDecl, name string, edits []edit) {
	id := f.Name
	edits = append(edits, edit{s.offset(id.Pos()), s.offset(id.End()), name})
	line := s.fset.Position(f.Type.Func).Line
	text := fmt.Sprintf("\n//line :%d:1\n//go:noinline\n%s\n", line-1, s.edited(s.offset(f.Type.Func), s.offset(f.End()), edits))
	s.edits = append(s.edits, edit{len(s.text), len(s.text), text})
}

// function returns the declaration of a function, or of a method if recv is
// the receiver's type name.
func (s *source) function(recv, name string) (*ast.FuncDecl, error) {
	for _, d := range s.tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != name || f.Body == nil {
			continue
		}
		if recv == "" && f.Recv == nil || recv != "" && f.Recv != nil && receiver(f) == recv {
			return f, nil
		}
	}
	return nil, fmt.Errorf("%s has no function %s", s.name, name)
}

func receiver(f *ast.FuncDecl) string {
	t := f.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// statement returns the one statement below n with the given text.
func (s *source) statement(n ast.Node, text string) (ast.Stmt, error) {
	return s.only(n, text, func(st ast.Stmt) bool { return s.textOf(st) == text })
}

// assignment returns the one statement below n that assigns to left.
func (s *source) assignment(n ast.Node, left string) (ast.Stmt, error) {
	return s.only(n, left+" = ...", func(st ast.Stmt) bool {
		a, ok := st.(*ast.AssignStmt)
		return ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && s.textOf(a.Lhs[0]) == left
	})
}

func (s *source) only(n ast.Node, what string, is func(ast.Stmt) bool) (ast.Stmt, error) {
	var found []ast.Stmt
	ast.Inspect(n, func(n ast.Node) bool {
		if st, ok := n.(ast.Stmt); ok && is(st) {
			found = append(found, st)
		}
		return true
	})
	if len(found) != 1 {
		return nil, fmt.Errorf("%s has %d statements %q where one was expected", s.name, len(found), what)
	}
	return found[0], nil
}

// field adds a field to a struct type.
func (s *source) field(typeName, text string) error {
	st, err := s.structType(typeName)
	if err != nil {
		return err
	}
	s.insert(st.Fields.Closing, text+" ")
	return nil
}

// fieldAfter adds a field to a struct type, behind one that it has.
func (s *source) fieldAfter(typeName, name, text string) error {
	st, err := s.structType(typeName)
	if err != nil {
		return err
	}
	for _, f := range st.Fields.List {
		if len(f.Names) == 1 && f.Names[0].Name == name {
			s.insert(f.End(), "; "+text)
			return nil
		}
	}
	return fmt.Errorf("%s: type %s has no field %s", s.name, typeName, name)
}

func (s *source) structType(name string) (*ast.StructType, error) {
	for _, d := range s.tree.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			t, ok := spec.(*ast.TypeSpec)
			if !ok || t.Name.Name != name {
				continue
			}
			if st, ok := t.Type.(*ast.StructType); ok {
				return st, nil
			}
		}
	}
	return nil, fmt.Errorf("%s has no struct type %s", s.name, name)
}

// noinline puts a directive in the line above a function, in the place of
// nothing or of a comment, so that no line moves.
func (s *source) noinline(f *ast.FuncDecl) error {
	start := s.offset(f.Type.Func)
	for end := start - 1; end > 0; {
		from := bytes.LastIndexByte(s.text[:end], '\n') + 1
		line := s.text[from:end]
		switch {
		case len(bytes.TrimSpace(line)) == 0, bytes.HasPrefix(line, []byte("// ")):
			s.edits = append(s.edits, edit{from, end, "//go:noinline"})
			return nil
		case bytes.Equal(line, []byte("//go:noinline")):
			return nil
		case !bytes.HasPrefix(line, []byte("//")):
			return fmt.Errorf("%s: no line above %s to put a directive in", s.name, f.Name.Name)
		}
		end = from - 1
	}
	return fmt.Errorf("%s: no line above %s to put a directive in", s.name, f.Name.Name)
}
