// Package environ reads and changes environments, lists of NAME=value. A change
// returns a list of its own.
package environ

import (
	"slices"
	"strings"
)

// Get returns the last setting of a variable, as a process sees it.
func Get(env []string, name string) (string, bool) {
	for _, kv := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(kv, name+"="); ok {
			return value, true
		}
	}
	return "", false
}

// Set returns env with a variable set.
func Set(env []string, name, value string) []string {
	return append(Unset(env, name), name+"="+value)
}

// Unset returns env without a variable.
func Unset(env []string, name string) []string {
	out := make([]string, 0, len(env)+1)
	for _, kv := range env {
		if !strings.HasPrefix(kv, name+"=") {
			out = append(out, kv)
		}
	}
	return out
}

// AddDebug returns env with a setting added to GODEBUG. What that had before
// stays, since later settings go over earlier ones.
func AddDebug(env []string, setting string) []string {
	before, _ := Get(env, "GODEBUG")
	return Set(env, "GODEBUG", strings.Trim(before+","+setting, ","))
}
