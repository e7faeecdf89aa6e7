package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/callsite"
)

// ownLines ranks the lines of a module by what they allocate, themselves or in what
// they call outside of the module: of each allocation the innermost line of the
// module counts. These are the lines that those who maintain it can change.
func ownLines(p *profile.Profile, module string) []*alloccount.Site {
	objects := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == "alloc_objects" })
	if objects < 0 {
		return nil
	}
	type key struct {
		function *profile.Function
		line     int64
	}
	sites := make(map[key]*alloccount.Site)
	for _, sample := range p.Sample {
		line, ok := firstOf(sample, module)
		if !ok {
			continue
		}
		k := key{line.Function, line.Line}
		if sites[k] == nil {
			sites[k] = &alloccount.Site{
				Function: line.Function.Name, Package: callsite.Package(line.Function.Name), File: line.Function.Filename, Line: int(line.Line),
			}
		}
		sites[k].Objects += sample.Value[objects]
	}
	return slices.SortedFunc(maps.Values(sites), func(a, b *alloccount.Site) int {
		return cmp.Or(cmp.Compare(b.Objects, a.Objects), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
}

// firstOf returns the innermost line of a module in a stack.
func firstOf(sample *profile.Sample, module string) (profile.Line, bool) {
	for _, location := range sample.Location {
		for _, line := range location.Line {
			if line.Function == nil {
				continue
			}
			rest, ok := strings.CutPrefix(line.Function.Name, module)
			if ok && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "/")) {
				return line, true
			}
		}
	}
	return profile.Line{}, false
}
