package offcpu

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"
)

// wall makes a profile as fgprof writes it: ten seconds of a hundred samples.
func wall(stacks ...[]string) *profile.Profile {
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "time", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "wallclock", Unit: "nanoseconds"}, Period: 1e8, DurationNanos: 1e10,
	}
	files := map[string]string{"runtime": "/go/src/runtime/proc.go", "sync": "/go/src/sync/mutex.go", "internal/sync": "/go/src/internal/sync/mutex.go", "main": "/src/app/main.go", "example.com/lib": "/mod/example.com/lib@v1.0.0/lib.go"}
	for _, stack := range stacks {
		s := &profile.Sample{Value: []int64{100, 1e10}}
		for i, name := range stack {
			dot := strings.LastIndexByte(name, '/') + strings.IndexByte(name[strings.LastIndexByte(name, '/')+1:], '.') + 1
			f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, Filename: files[name[:dot]]}
			l := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f, Line: int64(10 + i)}}}
			if strings.HasPrefix(name, "internal/sync.runtime_") {
				f.Filename = "/go/src/runtime/sema.go"
			}
			p.Function, p.Location, s.Location = append(p.Function, f), append(p.Location, l), append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

var locked = []string{"runtime.gopark", "runtime.goparkunlock", "runtime.semacquire1", "internal/sync.runtime_SemacquireMutex", "internal/sync.(*Mutex).lockSlow", "sync.(*Mutex).Lock", "main.pop", "main.worker", "runtime.goexit"}

func TestFinding(t *testing.T) {
	works := []string{"main.parse", "main.worker", "runtime.goexit"}
	p := wall(locked, locked, works, []string{"runtime.gopark", "example.com/lib.run", "runtime.goexit"})
	s, err := Summarize(p)
	if err != nil {
		t.Fatal(err)
	}
	const want = "3.0 goroutines of main.worker: 1.0 on a processor or ready to run, 2.0 waiting, most of it for a lock at app/main.go:16 (100 %)"
	if got := s.Finding(); got != want {
		t.Errorf("the finding is\n%s\nwant\n%s", got, want)
	}
	if s.Busy() != "" {
		t.Errorf("a profile of fgprof knows of processors: %q", s.Busy())
	}
	want2 := Summary{
		Seconds: 10, Samples: 100, Total: Time{CPU: 100, Waiting: 300},
		Lines: []Line{
			{"main.pop", "main", "/src/app/main.go", 16, true, Time{Waiting: 200}, []Wait{{"a lock", 200}}},
			{"main.parse", "main", "/src/app/main.go", 10, true, Time{CPU: 100}, nil},
			{"example.com/lib.run", "example.com/lib", "/mod/example.com/lib@v1.0.0/lib.go", 11, false, Time{Waiting: 100}, []Wait{{"something else", 100}}},
		},
	}
	s.Groups = nil
	if diff := cmp.Diff(want2, *s); diff != "" {
		t.Errorf("the summary (-want +got):\n%s", diff)
	}
}

func TestText(t *testing.T) {
	p := wall(locked, locked, []string{"main.parse", "main.worker", "runtime.goexit"})
	if err := setRun(p, run{Samples: 100, WallSeconds: 10, CPUSeconds: 13, Procs: 8}); err != nil {
		t.Fatal(err)
	}
	s, err := Summarize(p)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.WriteText(&b, TextOptions{Top: 1}); err != nil {
		t.Fatal(err)
	}
	const want = `where the time goes: 3.0 goroutines of main.worker: 1.0 on a processor or ready to run, 2.0 waiting,
  most of it for a lock at app/main.go:16 (100 %)
1.3 of 8 processors were busy

goroutines  on CPU  system  waiting  line of your own code
       2.0     0.0     0.0      2.0  app/main.go:16
                                     waits for a lock · in pop

not shown: 1 line with 33.3 % of all goroutines' time
goroutines on average over 10.00 s, 100 samples, in a run apart from the counting
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("the text (-want +got):\n%s", diff)
	}
}

func TestOtherProfilesAreErrors(t *testing.T) {
	allocs := &profile.Profile{SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}}}
	if _, err := Summarize(allocs); err == nil || !strings.Contains(err.Error(), "it has alloc_objects/count") {
		t.Errorf("a heap profile: %v", err)
	}
	timeless := wall(locked)
	timeless.DurationNanos = 0
	if _, err := Summarize(timeless); err == nil || !strings.Contains(err.Error(), "take it again") {
		t.Errorf("a profile of no time: %v", err)
	}
	if s, err := Summarize(wall()); err != nil || s.Finding() != "no goroutine was seen" {
		t.Errorf("an empty profile: %v, %v", s, err)
	}
}
