//go:build !race

package sizeclass_test

const race = false
