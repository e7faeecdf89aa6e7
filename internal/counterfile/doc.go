// Package counterfile reads the file in which a process with the counting hook
// leaves what it counted: all windows, all counts, with names. The file needs
// neither the process nor its binary, and can be read while the process goes
// on counting.
//
// It is apart from the hook itself, so that a program that measures itself
// links a reader and not the tools that patch a Go tree. The hook's runtime
// part, internal/hook/_runtime/alloctop_file.go, describes the format.
package counterfile
