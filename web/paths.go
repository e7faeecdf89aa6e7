package web

import (
	"cmp"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/callsite"
	"github.com/alloctop/alloctop/sizeclass"
)

// treeData is the call tree of a scope, callers above. Node 0 is the root and
// has no function. An end is where a path stops at a site; a site of -1 stands
// for ends too small to be shown apart.
type treeData struct {
	Parent   []int     `json:"parent"`
	Function []int     `json:"function"`
	Standard []int     `json:"standard"` // nodes in Go's own library
	Node     []int     `json:"node"`     // of each end
	Site     []int     `json:"site"`     // index into the columns of sites
	Class    []int     `json:"class"`    // index into scopeData.Bounds, -1 if unknown
	Amounts  []amounts `json:"amounts"`
}

// addTrees adds to each scope of d the call paths that p has of it.
func addTrees(d *data, p *profile.Profile, shown [][]*alloccount.Site, t *table, most limits) {
	v := valuesOf(p)
	if v.objects < 0 {
		d.Paths = false
		return
	}
	trees := make([]*tree, len(d.Scopes))
	for i := range trees {
		trees[i] = newTree(shown[i], d.Scopes[i].Bounds)
	}
	e := &expander{
		rules:  callsite.Rules{Stripped: d.Engine == alloccount.Sampled},
		frames: make(map[*profile.Location][]callsite.Frame),
		byUser: d.By == alloccount.ByUser,
	}
	for _, s := range p.Sample {
		a, size := v.amounts(s)
		if a[0] == 0 {
			continue
		}
		scopes, ok := s.NumLabel["scope"]
		if !ok && len(trees) == 1 {
			scopes = []int64{0} // another program wrote it
		}
		for _, i := range scopes {
			if i >= 0 && i < int64(len(trees)) {
				trees[i].add(e, s, a, size)
			}
		}
	}
	ends := make([]int, len(trees))
	for i, tr := range trees {
		ends[i] = len(tr.ends)
	}
	each := fairShare(ends, most.paths, most.leastPaths)
	for i, tr := range trees {
		if len(tr.ends) == 0 {
			continue
		}
		d.Scopes[i].Tree = tr.data(each, d.Scopes[i].Totals, t)
	}
}

// values are the indexes of the sample types of a profile, -1 for what it
// lacks.
type values struct{ objects, bytes, requested int }

func valuesOf(p *profile.Profile) values {
	v := values{-1, -1, -1}
	for i, t := range p.SampleType {
		switch t.Type {
		case "alloc_objects":
			v.objects = i
		case "alloc_space":
			v.bytes = i
		case "requested_space":
			v.requested = i
		}
	}
	return v
}

// amounts returns what s counts, and the size of one of its objects.
func (v values) amounts(s *profile.Sample) (a amounts, size int64) {
	for m, i := range [3]int{v.objects, v.bytes, v.requested} {
		if i >= 0 {
			a[m] = s.Value[i]
		}
	}
	if l := s.NumLabel["bytes"]; len(l) > 0 {
		size = l[0]
	}
	if v.bytes < 0 {
		a[1] = a[0] * size
	}
	if v.requested < 0 {
		a[2] = a[1]
	}
	if size == 0 && a[0] > 0 && len(s.NumLabel["bytes"]) == 0 {
		size = a[2] / a[0]
	}
	return a, size
}

// expander finds the calls and the site of a sample.
type expander struct {
	rules  callsite.Rules
	byUser bool
	frames map[*profile.Location][]callsite.Frame
	stack  []callsite.Frame
}

// expand returns the stack of s, leaf first, inlined calls expanded.
func (e *expander) expand(s *profile.Sample) []callsite.Frame {
	e.stack = e.stack[:0]
	for _, l := range s.Location {
		frames, ok := e.frames[l]
		if !ok {
			for _, line := range l.Line {
				if line.Function == nil {
					continue
				}
				name := cmp.Or(line.Function.Name, line.Function.SystemName, "?")
				frames = append(frames, callsite.Frame{Function: name, File: line.Function.Filename, Line: int(line.Line), StartLine: int(line.Function.StartLine)})
			}
			e.frames[l] = frames
		}
		e.stack = append(e.stack, frames...)
	}
	return e.stack
}

// siteKey is what tells sites apart in a report.
type siteKey struct {
	function, file string
	line           int
	cause          string
}

// tree grows the call tree of one scope.
type tree struct {
	sites   map[siteKey]int
	classes map[sizeclass.Bound]int
	nodes   []treeNode
	child   map[treeCall]int
	ends    map[treeEnd]*amounts
}

type treeNode struct {
	treeCall
	standard bool
}

// treeCall tells the nodes below one from each other.
type treeCall struct {
	parent   int
	function string
}

type treeEnd struct{ node, site, class int }

func newTree(shown []*alloccount.Site, bounds []sizeclass.Bound) *tree {
	t := &tree{
		sites: make(map[siteKey]int), classes: make(map[sizeclass.Bound]int),
		nodes: []treeNode{{treeCall: treeCall{parent: -1}}}, child: make(map[treeCall]int), ends: make(map[treeEnd]*amounts),
	}
	for i, x := range shown {
		t.sites[siteKey{x.Function, x.File, x.Line, x.Cause}] = i
	}
	for i, b := range bounds {
		t.classes[b] = i
	}
	return t
}

// add adds a sample of objects of the given size.
func (t *tree) add(e *expander, s *profile.Sample, a amounts, size int64) {
	stack := e.expand(s)
	at := e.rules.LocateKnown(stack, func(int) bool { return true }) // whose code it is does not matter here
	cause := at.Cause
	if c := s.Label["cause"]; len(c) > 0 {
		cause = c[0]
	}
	site, ok := t.sites[siteKey{at.Site.Function, at.Site.File, at.Site.Line, cause}]
	if !ok {
		site = -1
		for _, f := range stack {
			if i, ok := t.sites[siteKey{f.Function, f.File, f.Line, cause}]; ok && e.byUser {
				site = i
				break
			}
		}
	}
	node := 0
	for i := len(stack) - 1; i >= min(max(at.At, 0), len(stack)-1) && i >= 0; i-- {
		if f := stack[i]; f.Function != "runtime.goexit" && f.Function != "runtime.main" {
			node = t.step(node, f)
		}
	}
	class, ok := t.classes[sizeclass.Of(size)]
	if !ok {
		class = -1
	}
	k := treeEnd{node, site, class}
	if t.ends[k] == nil {
		t.ends[k] = new(amounts)
	}
	t.ends[k].add(a[0], a[1], a[2])
}

// step returns the node below another where f is called.
func (t *tree) step(node int, f callsite.Frame) int {
	k := treeCall{node, f.Function}
	n, ok := t.child[k]
	if !ok {
		n = len(t.nodes)
		t.child[k] = n
		t.nodes = append(t.nodes, treeNode{k, isStandard(f)})
	}
	return n
}

// isStandard reports whether f is in Go's own library, as far as its name says:
// the first element of its import path has no dot, and its file is in a Go
// tree, or named by import path as with -trimpath.
func isStandard(f callsite.Frame) bool {
	pkg := f.Package()
	first, _, _ := strings.Cut(pkg, "/")
	if pkg == "" || pkg == "main" || strings.Contains(first, ".") {
		return false
	}
	file := strings.ReplaceAll(f.File, `\`, "/")
	return strings.HasPrefix(file, pkg+"/") || strings.Contains(file, "/src/"+pkg+"/")
}

// data returns the tree with its heaviest ends, at most n of them. The others
// end at the deepest node that is left of their path.
func (t *tree) data(n int, totals amounts, strings *table) *treeData {
	ends := t.sorted(totals)
	kept := make([]bool, len(t.nodes))
	kept[0] = true
	for _, e := range ends[:min(n, len(ends))] {
		for node := e.node; !kept[node]; node = t.nodes[node].parent {
			kept[node] = true
		}
	}
	d := &treeData{Standard: []int{}}
	number := make([]int, len(t.nodes))
	for i, node := range t.nodes {
		if !kept[i] {
			continue
		}
		number[i] = len(d.Parent)
		parent := -1
		if i > 0 {
			parent = number[node.parent]
		}
		if node.standard {
			d.Standard = append(d.Standard, number[i])
		}
		d.Parent = append(d.Parent, parent)
		d.Function = append(d.Function, strings.index(node.function))
	}
	rest := make(map[treeEnd]*amounts)
	var order []treeEnd
	for i, e := range ends {
		if i < n {
			d.end(treeEnd{number[e.node], e.site, e.class}, *t.ends[e])
			continue
		}
		node := e.node
		for !kept[node] {
			node = t.nodes[node].parent
		}
		k := treeEnd{number[node], -1, e.class}
		if rest[k] == nil {
			rest[k] = new(amounts)
			order = append(order, k)
		}
		a := t.ends[e]
		rest[k].add(a[0], a[1], a[2])
	}
	for _, k := range order {
		d.end(k, *rest[k])
	}
	return d
}

func (d *treeData) end(e treeEnd, a amounts) {
	d.Node = append(d.Node, e.node)
	d.Site = append(d.Site, e.site)
	d.Class = append(d.Class, e.class)
	d.Amounts = append(d.Amounts, a)
}

// sorted returns the ends, by whatever measure they are heavy, heaviest first.
func (t *tree) sorted(totals amounts) []treeEnd {
	ends := make([]treeEnd, 0, len(t.ends))
	weights := make(map[treeEnd]float64, len(t.ends))
	for e, a := range t.ends {
		ends = append(ends, e)
		for m := range a {
			weights[e] = max(weights[e], part(a[m], totals[m]))
		}
	}
	slices.SortFunc(ends, func(a, b treeEnd) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a.node, b.node), cmp.Compare(a.site, b.site), cmp.Compare(a.class, b.class))
	})
	return ends
}
