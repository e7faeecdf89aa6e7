// Package callsite goes from a stack to the line to blame: which frames are
// the runtime's, which line allocated, which line of the user's own code asked
// for it, and what kind of operation it was.
package callsite
