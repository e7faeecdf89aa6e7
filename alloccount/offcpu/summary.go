package offcpu

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/callsite"
)

// Summary is a wall-clock profile by line.
type Summary struct {
	Seconds    float64 // that passed
	CPUSeconds float64 // of the process, user and system; 0 if unknown
	Procs      int     // GOMAXPROCS; 0 if unknown
	Samples    int64   // how many times all goroutines were looked at

	Total  Time
	Lines  []Line  // most time first
	Groups []Group // most time first
}

// Time counts samples of goroutines, by what they did.
type Time struct {
	CPU, System, Waiting int64
}

// All returns all samples.
func (t Time) All() int64 { return t.CPU + t.System + t.Waiting }

func (t *Time) add(s State, n int64) {
	switch s {
	case CPU:
		t.CPU += n
	case System:
		t.System += n
	default:
		t.Waiting += n
	}
}

// Line is the line of the user's own code at which goroutines spend time, or
// that called what does. Where there is none, it is the first line that is not
// the runtime's.
type Line struct {
	Function, Package, File string
	Line                    int
	Own                     bool // the user's own code
	Time
	For []Wait // in system calls and asleep, most first
}

// Wait is what goroutines at a line wait for.
type Wait struct {
	For     string // "a lock"
	Samples int64
}

// At names a line by its package and the base name of its file.
func (l Line) At() string {
	if l.File == "" {
		return l.Function
	}
	pkg := l.Package
	if pkg == "" || pkg == "main" {
		pkg = path.Base(path.Dir(l.File))
	}
	return fmt.Sprintf("%s:%d", path.Join(pkg, path.Base(l.File)), l.Line)
}

// Group is all goroutines that began with the same function: of the user's own,
// if they come to one. So a worker that sync.WaitGroup started has its own name.
type Group struct {
	Function string // "" if the stacks were too deep to know
	Own      bool   // they come to the user's own code
	Time
	Lines []Line // of these goroutines, most time first
}

// Summarize reads a wall-clock profile: of [Measure], or of fgprof. The error
// says what else the profile is.
func Summarize(p *profile.Profile) (*Summary, error) {
	at := -1
	var names []string
	for i, t := range p.SampleType {
		names = append(names, t.Type+"/"+t.Unit)
		if t.Type == "samples" && t.Unit == "count" {
			at = i
		}
	}
	if at < 0 || p.PeriodType == nil || p.PeriodType.Type != "wallclock" {
		return nil, fmt.Errorf("not a wall-clock profile, it has %s: take one of fgprof, as a program serves at /debug/fgprof, or of offcpu.Measure", cmp.Or(strings.Join(names, ", "), "no sample types"))
	}
	r := runOf(p)
	if r.Samples <= 0 || r.WallSeconds <= 0 {
		return nil, errors.New("the wall-clock profile does not say how long it took; take it again")
	}
	t := &tally{lines: make(map[callsite.Frame]*Line), groups: make(map[string]*groupTally), frames: make(map[*profile.Location][]callsite.Frame)}
	for _, s := range p.Sample {
		if n := s.Value[at]; n > 0 {
			t.add(s, n)
		}
	}
	s := &Summary{Seconds: r.WallSeconds, CPUSeconds: r.CPUSeconds, Procs: r.Procs, Samples: r.Samples, Total: t.total, Lines: sorted(t.lines)}
	for name, g := range t.groups {
		s.Groups = append(s.Groups, Group{name, g.own, g.time, sorted(g.lines)})
	}
	slices.SortFunc(s.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.All(), a.All()), cmp.Compare(a.Function, b.Function))
	})
	return s, nil
}

// tally adds up samples.
type tally struct {
	total  Time
	lines  map[callsite.Frame]*Line
	groups map[string]*groupTally
	frames map[*profile.Location][]callsite.Frame
}

type groupTally struct {
	own   bool
	time  Time
	lines map[callsite.Frame]*Line
}

func (t *tally) add(s *profile.Sample, n int64) {
	stack := t.stack(s)
	state, what := stateOf(stack)
	where := callsite.Rules{}.LocateKnown(stack, func(i int) bool { return isOwn(stack[i]) })
	at := where.Site
	if where.HasUser() {
		at = where.User
	}
	name := groupName(stack)
	g := t.groups[name]
	if g == nil {
		g = &groupTally{lines: make(map[callsite.Frame]*Line)}
		t.groups[name] = g
	}
	g.own = g.own || where.HasUser()
	t.total.add(state, n)
	g.time.add(state, n)
	for _, lines := range []map[callsite.Frame]*Line{t.lines, g.lines} {
		key := callsite.Frame{Function: at.Function, File: at.File, Line: at.Line}
		l := lines[key]
		if l == nil {
			l = &Line{Function: at.Function, Package: at.Package(), File: at.File, Line: at.Line, Own: where.HasUser()}
			lines[key] = l
		}
		l.Time.add(state, n)
		if state != CPU {
			l.wait(what, n)
		}
	}
}

func (l *Line) wait(what string, n int64) {
	for i := range l.For {
		if l.For[i].For == what {
			l.For[i].Samples += n
			return
		}
	}
	l.For = append(l.For, Wait{what, n})
}

// stack returns the frames of a sample, leaf first.
func (t *tally) stack(s *profile.Sample) (stack []callsite.Frame) {
	for _, l := range s.Location {
		frames, ok := t.frames[l]
		if !ok {
			for _, line := range l.Line {
				f := callsite.Frame{Line: int(line.Line)}
				if fn := line.Function; fn != nil {
					f.Function, f.File, f.StartLine = callsite.Normalize(fn.Name), fn.Filename, int(fn.StartLine)
				}
				frames = append(frames, f)
			}
			t.frames[l] = frames
		}
		stack = append(stack, frames...)
	}
	return stack
}

// mostFrames is where runtime.GoroutineProfile cuts a stack.
const mostFrames = 32

// groupName is the function that a goroutine began with.
func groupName(stack []callsite.Frame) string {
	n := len(stack)
	whole := n > 0 && n < mostFrames
	for n > 0 && (stack[n-1].Function == "runtime.goexit" || stack[n-1].Function == "runtime.main") {
		n, whole = n-1, true
	}
	if n == 0 || !whole {
		return ""
	}
	for i := n - 1; i >= 0; i-- {
		if isOwn(stack[i]) {
			return stack[i].Function
		}
	}
	return stack[n-1].Function
}

// sorted returns lines, most time first.
func sorted(lines map[callsite.Frame]*Line) []Line {
	list := make([]Line, 0, len(lines))
	for _, l := range lines {
		slices.SortFunc(l.For, func(a, b Wait) int { return cmp.Or(cmp.Compare(b.Samples, a.Samples), cmp.Compare(a.For, b.For)) })
		list = append(list, *l)
	}
	slices.SortFunc(list, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.All(), a.All()), -compareBool(a.Own, b.Own), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Function, b.Function))
	})
	return list
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
