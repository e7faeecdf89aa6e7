package environ

import (
	"slices"
	"testing"
)

// A variable that is set twice has its last value, and is set once afterwards.
func TestEnvironment(t *testing.T) {
	env := []string{"A=1", "B=2", "A=3", "AB=4", "EMPTY="}
	for name, want := range map[string]string{"A": "3", "AB": "4", "EMPTY": ""} {
		if got, ok := Get(env, name); got != want || !ok {
			t.Errorf("%s is %q, %v", name, got, ok)
		}
	}
	if got, ok := Get(env, "NONE"); got != "" || ok {
		t.Errorf("what is not set is %q", got)
	}
	if got, want := Set(env, "A", "5"), []string{"B=2", "AB=4", "EMPTY=", "A=5"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := Unset(env, "A"), []string{"B=2", "AB=4", "EMPTY="}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if env[0] != "A=1" {
		t.Error("the list that was given has changed")
	}
}

func TestAddDebug(t *testing.T) {
	for before, want := range map[string]string{"": "a=1", "GODEBUG=": "a=1", "GODEBUG=b=2": "b=2,a=1"} {
		if got, _ := Get(AddDebug([]string{before}, "a=1"), "GODEBUG"); got != want {
			t.Errorf("%q: %q, want %q", before, got, want)
		}
	}
}
