// Package hook is the counting hook: the runtime source that counts every
// heap allocation, the overlay that puts it into a Go tree, and the reader of
// the counter file that a hooked process leaves behind.
package hook
