package callsite

import "strings"

// cause names what the skipped frames, leaf first, were doing. Mostly the
// outermost tells, the function of the runtime that the site called.
func (r Rules) cause(skipped []Frame) string {
	frames, allocator := calls(skipped)
	if len(frames) == 0 {
		if r.Stripped && !allocator {
			return ""
		}
		return newObject // compiled code called the allocator directly, as it often does since Go 1.27
	}
	for _, f := range frames {
		switch k := key(f); {
		case strings.HasPrefix(k, "mallocgc"):
			return collection // an allocation in the middle of another
		case strings.HasPrefix(k, "panic"), strings.HasPrefix(k, "goPanic"), strings.HasPrefix(k, "gopanic"):
			return panicking
		}
	}
	outer := frames[len(frames)-1]
	if c := operation(frames, outer); c != "" {
		return c
	}
	for i := len(frames) - 1; i >= 0; i-- {
		if c := lookup(services[:], key(frames[i])); c != "" {
			return c
		}
	}
	if name := exported(outer); name != "" {
		return "call of " + name
	}
	return runtimeItself
}

// exported returns the name of a function or method that runtime exports, ""
// for any other.
func exported(f Frame) string {
	name, ok := strings.CutPrefix(f.Function, "runtime.")
	if !ok {
		return ""
	}
	name, _, _ = strings.Cut(name, "[")
	last := name[strings.LastIndexByte(name, '.')+1:]
	if last == "" || last[0] < 'A' || last[0] > 'Z' {
		return ""
	}
	return "runtime." + name
}

// calls returns the frames without wrappers and without the innermost ones that
// are the allocator, and whether there were any of those.
func calls(skipped []Frame) (frames []Frame, allocator bool) {
	for _, f := range skipped {
		switch {
		case isWrapper(f):
		case len(frames) == 0 && strings.HasPrefix(key(f), "mallocgc"):
			allocator = true
		default:
			frames = append(frames, f)
		}
	}
	return frames, allocator
}

// operation names what the compiler, or package reflect, called the runtime's
// function outer for; "" if outer is not such a function.
func operation(frames []Frame, outer Frame) string {
	k := key(outer)
	name, reflected := strings.CutPrefix(k, "reflect.")
	if !reflected {
		name, reflected = strings.CutPrefix(k, "internal/reflectlite.")
	}
	c := lookup(operations[:], name)
	if c == mapGrowth && !grows(frames) {
		c = mapInsertion
	}
	if c != "" && reflected {
		c += byReflection
	}
	return c
}

// grows reports whether a map made room, rather than only a place for a key or
// value that is too large to lie in the map itself (over 128 bytes).
func grows(frames []Frame) bool {
	for _, f := range frames {
		for _, s := range []string{"grow", "rehash", "split", "newGroups", "newTable"} {
			if strings.Contains(f.Function, s) {
				return true
			}
		}
	}
	return false
}

// isAllocator reports whether f is a function that allocates for its caller.
func isAllocator(f Frame) bool {
	k := key(f)
	return strings.HasPrefix(k, "mallocgc") || lookup(operations[:], k) != ""
}

// key returns the name that the tables have for f: of a function of package
// runtime its name, of a method its receiver, of other packages' functions the
// same after the import path. Closures are the function that they are in.
func key(f Frame) string {
	name, isRuntime := strings.CutPrefix(f.Function, "runtime.")
	pkg := ""
	if !isRuntime {
		if pkg = Package(f.Function); pkg != "" {
			pkg += "."
		}
		name = strings.TrimPrefix(f.Function, pkg)
	}
	if strings.HasPrefix(name, "(*") {
		name, _, _ = strings.Cut(name, ")")
		return pkg + name + ")"
	}
	if i := strings.IndexAny(name, ".["); i >= 0 {
		name = name[:i]
	}
	return pkg + name
}

// lookup returns the cause of the first entry whose prefix key starts with.
func lookup(table []entry, key string) string {
	for _, e := range table {
		if strings.HasPrefix(key, e.prefix) {
			return e.cause
		}
	}
	return ""
}
