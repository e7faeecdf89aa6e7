// Package callsite goes from a stack to the line to blame: which frames are
// the runtime's, which line allocated, which line of the user's own code asked
// for it, and what kind of operation it was.
//
// Three answers come out of one stack. The allocation site is the first frame
// after the runtime's; it may be in the standard library or in a dependency.
// The user site is the first frame whose file is in the user's own modules,
// inlined calls counted. The cause is what the skipped frames of the runtime
// were doing: making a string from bytes, growing a slice, boxing a value.
//
// What is said here of the runtime holds for Go 1.26 and 1.27, and comes from
// the sources of runtime and internal/runtime/maps, and from stacks measured
// with both.
package callsite
