package alloccount

import (
	"strings"

	"github.com/alloctop/alloctop/callsite"
)

// located says which frames of a stack to blame.
type located struct {
	site  int // index of the allocation site
	user  int // index of the user site, -1 if there is none
	cause string
}

// locator finds the line to blame in stacks.
type locator struct {
	modules, roots []string
}

func newLocator(modules, roots []string) *locator {
	return &locator{modules: modules, roots: roots}
}

func (l *locator) locate(stack []callsite.Frame) located {
	at := located{user: -1}
	for at.site < len(stack)-1 && strings.HasPrefix(stack[at.site].Function, "runtime.") {
		at.site++
	}
	if at.site > 0 {
		at.cause = stack[at.site-1].Function
	}
	at.user = l.user(stack)
	return at
}

func (l *locator) user(stack []callsite.Frame) int {
	for i, f := range stack {
		for _, m := range l.modules {
			if strings.HasPrefix(f.Function, m) {
				return i
			}
		}
	}
	return -1
}

// packageOf returns the import path of the package that a function is in.
func packageOf(function string) string {
	slash := strings.LastIndex(function, "/") + 1
	pkg, _, _ := strings.Cut(function[slash:], ".")
	return function[:slash] + pkg
}
