package web

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/alloctop/alloctop/alloccount"
)

// namer gives scopes names that tell them apart.
type namer struct {
	procs map[string]map[int]bool    // by kind, package and name
	from  map[string]map[string]bool // likewise
	own   map[string]map[bool]bool   // likewise, whether only own goroutines were counted
	runs  map[string]int             // by kind, package, name, procs, place that it is from and own goroutines
	ids   map[string]int
}

// newNamer looks at all scopes of a report.
func newNamer(scopes []*alloccount.Scope) *namer {
	n := &namer{procs: make(map[string]map[int]bool), from: make(map[string]map[string]bool), own: make(map[string]map[bool]bool), runs: make(map[string]int), ids: make(map[string]int)}
	for _, s := range scopes {
		k := namerKey(s)
		if n.procs[k] == nil {
			n.procs[k], n.from[k], n.own[k] = make(map[int]bool), make(map[string]bool), make(map[bool]bool)
		}
		n.procs[k][s.Procs] = true
		n.from[k][s.From] = true
		n.own[k][s.Own] = true
		n.runs[runsKey(s)]++
	}
	return n
}

func namerKey(s *alloccount.Scope) string {
	return fmt.Sprintf("%s\x00%s\x00%s", s.Kind, s.Package, s.Name)
}

func runsKey(s *alloccount.Scope) string {
	return fmt.Sprintf("%s\x00%d\x00%s\x00%t", namerKey(s), s.Procs, s.From, s.Own)
}

// name returns the name of a scope within its package, and what tells it from
// the others of that name.
func (n *namer) name(s *alloccount.Scope) (name, detail string) {
	k := namerKey(s)
	switch {
	case len(s.Tests) > 0:
		name = fmt.Sprintf("%d tests in parallel", len(s.Tests))
	case s.Kind == alloccount.KindProcess && s.Package != "":
		name = s.Package
	default:
		name = s.Name
	}
	if len(n.procs[k]) > 1 && len(s.Tests) == 0 {
		name = fmt.Sprintf("%s-%d", name, s.Procs)
	}
	var details []string
	switch runs := n.runs[runsKey(s)]; {
	case runs < 2 || len(s.Tests) > 0:
	case s.Kind == alloccount.KindProcess:
		details = append(details, fmt.Sprintf("process %d", s.Process.PID))
	default:
		details = append(details, fmt.Sprintf("run %d of %d", s.Run+1, runs))
	}
	if len(n.own[k]) > 1 && s.Own {
		details = append(details, "own goroutines")
	}
	if len(n.from[k]) > 1 && s.From != "" {
		details = append(details, "from "+s.From)
	}
	return name, strings.Join(details, ", ")
}

// id returns what names a scope in the fragment of an address, the same in
// every page that is made of the same report.
func (n *namer) id(s *alloccount.Scope) string {
	id := s.Package
	if s.Name != "" && s.Name != s.Package {
		id = strings.TrimPrefix(id+"."+s.Name, ".")
	}
	if s.Procs > 0 {
		id = fmt.Sprintf("%s-%d", id, s.Procs)
	}
	n.ids[id]++
	if again := n.ids[id]; again > 1 {
		return fmt.Sprintf("%s~%d", id, again)
	}
	return id
}

// clean makes a name safe to look at: what could hide or reorder letters is
// shown as what it is not. That it cannot be markup is for others to see to.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Bidi_Control, r), unicode.Is(unicode.Co, r), r == '\u2028', r == '\u2029':
			return unicode.ReplacementChar
		}
		return r
	}, name)
}

func cleanAll(names []string) []string {
	cleaned := make([]string, len(names))
	for i, s := range names {
		cleaned[i] = clean(s)
	}
	return cleaned
}
