package sweep

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/alloctop/alloctop/internal/environ"
)

// Axis is a setting and the values that it is to have, as they were given.
type Axis struct {
	Name   string   `json:"name"` // see AxisNames
	Values []string `json:"values"`
}

// Default is the value that leaves a setting as the environment has it.
const Default = "default"

// Names of axes.
const (
	CPU        = "cpu"
	GOGC       = "gogc"
	MemLimit   = "memlimit"
	Experiment = "experiment"
	GODEBUG    = "godebug"
)

// AxisNames returns the settings that there are, in the order of a grid.
func AxisNames() []string { return []string{CPU, GOGC, MemLimit, Experiment, GODEBUG} }

// variable returns the environment variable of a setting.
func variable(axis string) string {
	switch axis {
	case CPU:
		return "GOMAXPROCS"
	case MemLimit:
		return "GOMEMLIMIT"
	case Experiment:
		return "GOEXPERIMENT"
	}
	return strings.ToUpper(axis)
}

// ParseAxis reads the values of a setting, with commas between them. Several
// experiments or debug settings in one value are joined by "+".
func ParseAxis(name, list string) (Axis, error) {
	a := Axis{Name: name}
	for value := range strings.SplitSeq(list, ",") {
		value = strings.TrimSpace(value)
		if err := checkValue(name, value); err != nil {
			return a, err
		}
		if slices.Contains(a.Values, value) {
			return a, fmt.Errorf("%s is in it twice", value)
		}
		a.Values = append(a.Values, value)
	}
	return a, nil
}

var (
	memoryLimit = regexp.MustCompile(`^[0-9]+(B|[KMGT]iB)?$`) // runtime/debug.SetMemoryLimit, Go 1.26
	experiments = regexp.MustCompile(`^[a-z0-9]+(\+[a-z0-9]+)*$`)
	debugValues = regexp.MustCompile(`^[a-z0-9#]+=[^+=\s'"]+(\+[a-z0-9#]+=[^+=\s'"]+)*$`)
)

// checkValue says what is wrong with a value. Go itself would take a wrong GOGC
// for none.
func checkValue(name, v string) error {
	number := func(least int) bool {
		n, err := strconv.Atoi(v)
		return err == nil && n >= least
	}
	switch {
	case v == "":
		return errors.New("a value is empty; write them with commas between")
	case v == Default:
	case name == CPU && !number(1):
		return fmt.Errorf("%s: it takes numbers of threads, 1 or more", v)
	case name == GOGC && v != "off" && !number(0):
		return fmt.Errorf("%s: it takes percentages, or off", v)
	case name == MemLimit && v != "off" && !memoryLimit.MatchString(v):
		return fmt.Errorf("%s: it takes sizes like 512MiB, or off", v)
	case name == Experiment && !experiments.MatchString(v):
		return fmt.Errorf("%s: it takes names of experiments, several at once as a+b, or default", v)
	case name == GODEBUG && !debugValues.MatchString(v):
		return fmt.Errorf("%s: it takes settings like madvdontneed=1, several at once as a=1+b=2, or default", v)
	}
	return nil
}

// Grid is the settings to go through, in the order of AxisNames.
type Grid []Axis

// NewGrid puts axes in order.
func NewGrid(axes []Axis) Grid {
	g := Grid(slices.Clone(axes))
	slices.SortFunc(g, func(a, b Axis) int {
		return slices.Index(AxisNames(), a.Name) - slices.Index(AxisNames(), b.Name)
	})
	return g
}

// Cell is one combination: a value for each axis of the grid.
type Cell []string

// Cells returns all combinations, the first values first and the last axis
// fastest. A grid without axes has one cell.
func (g Grid) Cells() []Cell {
	cells := []Cell{{}}
	for _, a := range g {
		var next []Cell
		for _, c := range cells {
			for _, v := range a.Values {
				next = append(next, append(slices.Clone(c), v))
			}
		}
		cells = next
	}
	return cells
}

// Value returns the value of a setting in a cell, Default if the grid lacks it.
func (g Grid) Value(c Cell, axis string) string {
	if i := g.index(axis); i >= 0 {
		return c[i]
	}
	return Default
}

func (g Grid) index(axis string) int {
	return slices.IndexFunc(g, func(a Axis) bool { return a.Name == axis })
}

// Label names a cell: "cpu=2 gogc=off".
func (g Grid) Label(c Cell) string {
	if len(g) == 0 {
		return "as it is"
	}
	words := make([]string, len(g))
	for i, a := range g {
		words[i] = a.Name + "=" + c[i]
	}
	return strings.Join(words, " ")
}

// Environ returns env with the settings of a cell.
func (g Grid) Environ(c Cell, env []string) []string {
	env = slices.Clone(env)
	for i, a := range g {
		switch value := strings.ReplaceAll(c[i], "+", ","); {
		case c[i] == Default:
		case a.Name == GODEBUG:
			env = environ.AddDebug(env, value)
		default:
			env = environ.Set(env, variable(a.Name), value)
		}
	}
	return env
}

// Wrapper returns a value for the -exec flag of the go tool that gives a test,
// and not the compilers, the settings of a cell; "" if there are none. The
// experiment is no setting of a test.
func (g Grid) Wrapper(c Cell, env []string) string {
	words := []string{"env"}
	for _, kv := range g.Environ(c, env) {
		if name, _, _ := strings.Cut(kv, "="); name != variable(Experiment) && !slices.Contains(env, kv) {
			words = append(words, kv)
		}
	}
	if len(words) == 1 {
		return ""
	}
	return strings.Join(words, " ")
}
