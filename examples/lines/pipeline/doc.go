// Package pipeline has one job in several shapes: lines come through a pipe, and
// what they say is added up by other goroutines. The shapes differ in how a line
// gets from the one that reads it to the one that works on it, which decides what it
// allocates.
package pipeline
