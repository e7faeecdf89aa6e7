package callsite

// Frame is one call of a stack. Inlined calls are frames of their own.
type Frame struct {
	Function  string // normalised, see Normalize
	File      string // "" if unknown
	Line      int    // 0 if unknown
	StartLine int    // line of the func keyword, 0 if unknown
}
