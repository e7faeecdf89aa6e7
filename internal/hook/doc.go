// Package hook is the counting hook: the runtime source that counts every
// heap allocation, and the overlay that puts it into a Go tree. Package
// counterfile reads what a hooked process leaves behind.
package hook
