package callsite

import "strings"

// unknown is the function of a frame that nothing is known of.
const unknown = "unknown"

// Location is what a stack says of an allocation.
type Location struct {
	Site Frame // the line that allocates
	At   int   // index in the stack of the frame that Site is made from

	User   Frame // the line of the user's own code, the zero Frame if there is none
	UserAt int   // its index in the stack, -1 if there is none

	Cause string // what kind of operation allocated, see Explain; "" if it cannot be told
}

// HasUser reports whether a frame of the stack is the user's own code.
func (l Location) HasUser() bool { return l.UserAt >= 0 }

// Locate says which lines to blame for an allocation with the given stack, leaf
// first, inlined calls expanded.
//
// The site's function is never empty. Its file is empty and its line 0 if it
// has no source: it is C, or nothing but generated code was found. If all
// frames are the runtime's, as for what is allocated on the system stack, the
// site is the innermost that is not part of the allocator. The part of the
// stack from Location.At on has the same site and user site, but no cause.
//
// The body of a range over a function is called by the iterator, but it belongs
// to the function that has the loop, and so does what it allocates. So for
// slices.Collect(items), the user site is that line, and not where items yields.
func (r Rules) Locate(stack []Frame) Location {
	return r.LocateKnown(stack, func(i int) bool {
		f, _ := resolve(stack, i)
		return r.Owns(f)
	})
}

// LocateKnown is [Rules.Locate] for a caller that has many stacks with the same
// frames, and knows already for each index whether Rules.Owns the frame.
func (r Rules) LocateKnown(stack []Frame, own func(i int) bool) Location {
	l := Location{Site: Frame{Function: unknown}, UserAt: -1}
	if len(stack) == 0 {
		l.Cause = r.cause(nil)
		return l
	}
	for l.At < len(stack) && (isWrapper(stack[l.At]) || r.isRuntime(stack[l.At])) {
		l.At++
	}
	l.Cause = r.cause(stack[:l.At])
	if l.At == len(stack) {
		l.At = runtimeSite(stack)
	}
	l.Site, _ = resolve(stack, l.At)
	for i := l.At; i < len(stack); i++ {
		at := i
		if own(i) {
			l.User, _ = resolve(stack, i)
			l.UserAt = i
			break
		}
		if isRangeBody(stack[i].Function) {
			_, at = resolve(stack, i)
		}
		i = at
	}
	return l
}

// runtimeSite returns the innermost frame that does more than allocate for its
// caller, or the outermost if all do only that.
func runtimeSite(stack []Frame) int {
	for i, f := range stack {
		if isWrapper(f) || !isAllocator(f) {
			return i
		}
	}
	return len(stack) - 1
}

// resolve returns frame i as it is to be shown: its name normalised, the body
// of a range over a function as the function that it is written in, and what
// has no source without a file. At is the index of the frame that is that
// function, i for all but bodies.
func resolve(stack []Frame, i int) (f Frame, at int) {
	f, at = stack[i], i
	f.Function = Normalize(f.Function)
	for isRangeBody(f.Function) {
		p := parent(stack, at, f)
		if p < 0 {
			f.Function = f.Function[:strings.LastIndex(f.Function, "-range")]
			continue
		}
		at = p
		f.Function, f.StartLine = Normalize(stack[p].Function), stack[p].StartLine
	}
	if f.Function == "" {
		f.Function = unknown
	}
	if isWrapper(f) || f.File == "?" {
		f.File = ""
	}
	if f.File == "" || f.Line < 0 {
		f.Line = 0
	}
	return f, at
}

// isRangeBody reports whether a function is the body of a range over a
// function, which the compiler makes a function of its own.
func isRangeBody(function string) bool {
	n := len(function)
	for n > 0 && '0' <= function[n-1] && function[n-1] <= '9' {
		n--
	}
	return n < len(function) && strings.HasSuffix(function[:n], "-range")
}

// parent returns the index of the call that runs the loop whose body is f at
// index i, -1 if the stack has been cut before it. It is known by its name, or
// else by being at the line where the body starts: when Go 1.26 inlines
// slices.Collect into main.f, the body, which is written in slices.AppendSeq,
// is called main.f.Collect[...]-range1.
func parent(stack []Frame, i int, f Frame) int {
	name := f.Function[:strings.LastIndex(f.Function, "-range")]
	start := -1
	for j := i + 1; j < len(stack); j++ {
		g := stack[j]
		if g.File != f.File {
			continue
		}
		if Normalize(g.Function) == name {
			return j
		}
		if start < 0 && f.StartLine != 0 && g.Line == f.StartLine {
			start = j
		}
	}
	return start
}
