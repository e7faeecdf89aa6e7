// Package study is what the studies among the examples have in common: how a
// program that was started by go run has itself counted by alloctop, and how it
// times several ways of doing the same work so that their ratios can be trusted.
package study
