package callsite

// Key tells allocations apart that are to be counted together, in one profile
// or in two of different builds. It holds no address and no absolute line, so
// that a change above a function does not make it another.
type Key struct {
	Package  string
	Function string
	Line     int    // within the function, 0 is that of the func keyword; in the file if StartLine is unknown
	Size     int64  // requested bytes
	Type     string // Go type, "" if the allocator was told none
}

// KeyOf returns the key of what f allocates, f as in [Location].
func KeyOf(f Frame, size int64, typ string) Key {
	return Key{Package: f.Package(), Function: f.Function, Line: f.Line - f.StartLine, Size: size, Type: typ}
}
