// Package sizeclass knows the size classes of Go's allocator.
package sizeclass
