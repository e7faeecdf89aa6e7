package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/alloctop/alloctop/alloccount"
)

const docs = "../../docs"

// Every flag is in the reference, and each command takes those that are said to
// be for it, and names them in its help.
func TestReferenceFlags(t *testing.T) {
	rows := tableBelow(t, "reference.md", "## Flags")
	commands := map[string][]string{"counting": nil} // by what the table calls them: the words that lead there
	users := make([][]string, len(rows))
	for i, row := range rows {
		users[i] = strings.Split(strings.Replace(row[1], "both", "counting, report", 1), ", ")
		for _, user := range users[i] {
			if user != "counting" {
				commands[user] = []string{user}
			}
		}
	}
	var named []string
	for i, row := range rows {
		name := strings.TrimPrefix(row[0], "--")
		named = append(named, name)
		for user, words := range commands {
			want := slices.Contains(users[i], user)
			if hasFlag(words, name) != want {
				t.Errorf("--%s is for %q, but %s takes it: %v", name, row[1], user, !want)
			}
			help := usage
			if len(words) > 0 {
				help = helpPages()[user]
			}
			if want && !strings.Contains(help, "--"+name) {
				t.Errorf("the help on %s does not know --%s", user, name)
			}
		}
	}
	slices.Sort(named)
	if d := cmp.Diff(registeredFlags(t), named); d != "" {
		t.Errorf("flags (-command +reference):\n%s", d)
	}
}

// hasFlag reports whether a command knows a flag. The command gets nothing to
// work on, so it does nothing.
func hasFlag(command []string, flag string) bool {
	a := &app{ctx: nil, stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard}
	err := a.dispatch(append(command, "--"+flag))
	return err != nil && !strings.HasPrefix(err.Error(), "unknown flag")
}

// registeredFlags returns the names of all flags that the source of this
// command defines.
func registeredFlags(t *testing.T) []string {
	t.Helper()
	define := regexp.MustCompile(`^(Func|BoolFunc|Var|TextVar|(Bool|Int|Int64|Uint|Uint64|String|Float64|Duration)(Var)?)$`)
	var names []string
	eachFile(t, ".", func(f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			method, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !define.MatchString(method.Sel.Name) {
				return true
			}
			for _, arg := range call.Args[:min(2, len(call.Args))] {
				if s, ok := stringLiteral(arg); ok {
					names = append(names, s)
					break
				}
			}
			return true
		})
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// The reference lists the subcommands that there are.
func TestReferenceCommands(t *testing.T) {
	var have, named []string
	for _, s := range subcommands() {
		have = append(have, s.name)
	}
	for _, row := range tableBelow(t, "reference.md", "## Commands") {
		if word := strings.Fields(row[0])[1]; word != "[flags]" {
			named = append(named, word)
		}
	}
	slices.Sort(have)
	slices.Sort(named)
	if d := cmp.Diff(have, named); d != "" {
		t.Errorf("subcommands (-command +reference):\n%s", d)
	}
}

// Every key of the JSON report, and of the comment in a profile, is in the
// reference, and every key of the reference is one of the type.
func TestReferenceKeys(t *testing.T) {
	sections := map[string]string{ // by type
		"Report": "### Report", "Scope": "### Scope", "Process": "### Process", "Totals": "### Totals", "Counted": "### Counted",
		"Site": "### Site", "TypeCount": "### Type", "Cost": "### Cost", "Runs": "### Runs", "Spread": "### Spread",
		"Bucket": "### Size class", "Step": "### Size step",
		"run": "### The comment", "ownership": "### Owned", "module": "### Module", "runScope": "### Scope of the comment",
	}
	keys := map[string][]string{}
	for _, dir := range []string{"../../alloccount", "../../sizeclass"} {
		eachFile(t, dir, func(f *ast.File) { jsonKeys(f, keys) })
	}
	for typ := range keys {
		if sections[typ] == "" {
			t.Errorf("type %s has JSON keys and no section in the reference", typ)
		}
	}
	for typ, section := range sections {
		var named []string
		for _, row := range tableBelow(t, "reference.md", section) {
			named = append(named, row[0])
		}
		if d := cmp.Diff(keys[typ], named); d != "" {
			t.Errorf("%s: keys in order (-type %s +reference):\n%s", section, typ, d)
		}
	}
	if !strings.Contains(page(t, "reference.md"), "`"+alloccount.Schema+"`") {
		t.Errorf("the reference does not name the schema %s", alloccount.Schema)
	}
}

// jsonKeys adds the keys of all struct types in a file.
func jsonKeys(f *ast.File, keys map[string][]string) {
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		typ, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, field := range typ.Fields.List {
			if field.Tag == nil {
				continue
			}
			tag, _ := strconv.Unquote(field.Tag.Value)
			if name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ","); name != "" && name != "-" {
				keys[spec.Name.Name] = append(keys[spec.Name.Name], name)
			}
		}
		return true
	})
}

// The table of causes has all that package callsite explains, and no other.
func TestCausesAreExplained(t *testing.T) {
	constants, have := map[string]string{}, []string{}
	eachFile(t, "../../callsite", func(f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			if s, ok := stringLiteral(spec.Values[0]); ok {
				constants[spec.Names[0].Name] = s
			}
			table, ok := spec.Values[0].(*ast.CompositeLit)
			if !ok || spec.Names[0].Name != "means" {
				return true
			}
			for _, entry := range table.Elts {
				first := entry.(*ast.CompositeLit).Elts[0]
				if id, ok := first.(*ast.Ident); ok {
					have = append(have, constants[id.Name])
				} else if s, ok := stringLiteral(first); ok {
					have = append(have, s)
				}
			}
			return true
		})
	})
	var named []string
	for _, row := range tableBelow(t, "how-it-works.md", "## Causes") {
		named = append(named, row[0])
	}
	slices.Sort(have)
	slices.Sort(named)
	if d := cmp.Diff(have, named); d != "" || len(have) == 0 {
		t.Errorf("causes (-callsite +page):\n%s", d)
	}
}

// The limits that the pages give are those of the hook.
func TestLimitsAreTrue(t *testing.T) {
	limit := map[string]int64{}
	eachFile(t, "../../internal/hook/_runtime", func(f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, types.ExprString(spec.Values[0]))
			if err == nil && v.Value != nil {
				limit[spec.Names[0].Name], _ = strconv.ParseInt(v.Value.ExactString(), 10, 64)
			}
			return true
		})
	})
	table := limit["alloctopMaxTable"]
	text := strings.Join(strings.Fields(page(t, "how-it-works.md")), " ")
	for _, claim := range []string{
		fmt.Sprintf("at most %d of them", limit["alloctopDepth"]),
		fmt.Sprintf("up to %d return addresses is kept whole; of a deeper one the innermost %d", limit["alloctopDepth"]-1, limit["alloctopCut"]),
		fmt.Sprintf("**Windows.** %d at a time", limit["alloctopMaxOpen"]),
		fmt.Sprintf("starts with room for %s counters and doubles, up to %s", grouped(limit["alloctopMinTable"]), grouped(table)),
		fmt.Sprintf("more than %s keys", grouped(table/4*3)),
		fmt.Sprintf("the innermost %d return addresses are kept, or %d where", limit["alloctopLeaf"], limit["alloctopLine"]),
		fmt.Sprintf("`fallocate`, %d MiB at first, then %d MiB at a time", limit["alloctopFirst"]>>20, limit["alloctopStep"]>>20),
	} {
		if !strings.Contains(text, claim) {
			t.Errorf("how-it-works.md does not say, as the hook has it: %s", claim)
		}
	}
}

// grouped writes a number with a comma before each three digits.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Links from one page to another, and to its headings, lead there.
func TestLinksResolve(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^()\s]+)\)`)
	for _, file := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(read(t, file), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			at := file
			if target != "" {
				at = filepath.Join(filepath.Dir(file), target)
			}
			if _, err := os.Stat(at); err != nil {
				t.Errorf("%s: the link %s leads nowhere: %v", file, m[1], err)
			} else if anchor != "" && !slices.Contains(anchors(read(t, at)), anchor) {
				t.Errorf("%s: the link %s leads to no heading", file, m[1])
			}
		}
	}
}

// anchors returns what the headings of a page are linked by.
func anchors(text string) (list []string) {
	drop := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		list = append(list, strings.ReplaceAll(drop.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return list
}

// The command lines of all pages have subcommands and flags that there are.
func TestCommandLinesOfPages(t *testing.T) {
	line := regexp.MustCompile(`(?m)^(?:    |\t)(?:\$ )?(?:[^\n]* \| )?alloctop ([^\n]+)$`)
	have := registeredFlags(t)
	found := 0
	for _, file := range pages(t) {
		for _, m := range line.FindAllStringSubmatch(read(t, file), -1) {
			found++
			words := strings.Fields(m[1])
			first := words[0]
			known := slices.ContainsFunc(subcommands(), func(s subcommand) bool { return s.name == first })
			if !known && !strings.HasPrefix(first, "--") {
				t.Errorf("%s: no subcommand %s: alloctop %s", file, first, m[1])
			}
			for _, word := range words {
				if word == "--" || word == "#" {
					break
				}
				name, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
				if strings.HasPrefix(word, "--") && !slices.Contains(have, name) {
					t.Errorf("%s: no flag --%s: alloctop %s", file, name, m[1])
				}
			}
		}
	}
	if found == 0 {
		t.Error("no command line was found")
	}
}

// pages returns the paths of the README and of all pages of the documentation.
func pages(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(docs, "*.md"))
	if err != nil || len(list) == 0 {
		t.Fatalf("no pages in %s: %v", docs, err)
	}
	return append(list, "../../README.md")
}

func page(t *testing.T, name string) string {
	t.Helper()
	return read(t, filepath.Join(docs, name))
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// tableBelow returns the cells of the first table below a heading of a page,
// without its head, and without the quotes of code in the first column.
func tableBelow(t *testing.T, name, heading string) (rows [][]string) {
	t.Helper()
	_, rest, ok := strings.Cut("\n"+page(t, name), "\n"+heading+"\n")
	if !ok {
		t.Fatalf("%s has no heading %q", name, heading)
	}
	for line := range strings.Lines(rest) {
		if strings.HasPrefix(line, "#") || len(rows) > 0 && !strings.HasPrefix(line, "|") {
			break
		}
		if !strings.HasPrefix(line, "|") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		cells[0] = strings.Trim(cells[0], "`")
		rows = append(rows, cells)
	}
	if len(rows) < 3 {
		t.Fatalf("%s has no table below %q", name, heading)
	}
	return rows[2:]
}

// eachFile calls f for each source file of a package, in order, without tests.
func eachFile(t *testing.T, dir string, f func(*ast.File)) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no source in %s: %v", dir, err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		f(file)
	}
}

func stringLiteral(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}
