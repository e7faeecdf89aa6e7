package counterfile

// Counters is what a counter file says of one process: all windows, all counts, with names.
// It needs neither the process nor its binary.
type Counters struct {
	PID     int
	Parent  int
	Start   int64  // Unix time in nanoseconds when counting began
	Go      string // runtime.Version of the process
	Main    string // import path of the main package, "encoding/csv.test" for a test binary; "" if unknown
	Module  string // path of the main module, "" if unknown
	Args    []string
	Exit    Exit
	Folded  int64    // allocations counted under their leaf frames only
	Missed  Totals   // allocations in no entry; they are in the totals
	Refused int      // windows that could not be opened or closed, of too many or in a full file
	GrowErr int      // errno that ended the file's growth, 0 if none
	Process Window   // from the start of counting to the end of the process
	Windows []Window // in the order of opening
	Entries []Entry
}

// Exit says how a process ended.
type Exit struct {
	State  ExitState
	Code   int // of ExitCode
	Signal int // of ExitSignal
}

// ExitState tells the ways to end apart.
type ExitState int

const (
	ExitNone   ExitState = iota // nothing written: still running, or killed
	ExitCode                    // by os.Exit, a return of main, a panic or a throw
	ExitSignal                  // the runtime raised the signal that ends it
	ExitExec                    // replaced by another program
)

// Totals are sums over allocations.
type Totals struct {
	Objects   int64
	Bytes     int64 // slots, as MemStats.TotalAlloc counts them
	Requested int64
	Tiny      int64 // pointer-free objects below 16 bytes
}

// Kind of a window.
type Kind int

const (
	KindProcess   Kind = iota
	KindBenchmark      // one benchmark's timed region
	KindTest           // one top-level test
	KindParallel       // tests that ran in parallel, together
	KindMeasure        // one Measure
)

// Window is a piece of a process's life, or several pieces, that was counted apart.
type Window struct {
	Kind       Kind
	Name       string // benchmark or test without its GOMAXPROCS suffix, or the label of a Measure
	Package    string // import path under test, "" for other kinds
	Procs      int    // GOMAXPROCS when it ended
	Own        bool   // of KindMeasure: only its own goroutines are in Segments; Objects and Bytes are the process's
	Final      bool   // its numbers were reported: the last round of a benchmark, an ended test
	Open       bool   // not closed: the process ended inside it
	Iterations int64
	Metrics    []Metric // what the benchmark reported by ReportMetric
	Tests      []string // of KindParallel: the tests in it
	Objects    int64    // the runtime's own growth of Mallocs; meaningless while Open
	Bytes      int64    // the runtime's own growth of TotalAlloc
	Wall       int64    // nanoseconds
	CPU        int64    // nanoseconds of the process, user and system
	GCs        int64    // completed cycles
	GCCPU      int64    // nanoseconds
	Pause      int64    // nanoseconds of stopped world
	Segments   []uint32 // Entry.Segment values that lie in the window
}

// Metric is one value of testing.B.ReportMetric.
type Metric struct {
	Unit  string
	Value float64
}

// Entry is one counter.
type Entry struct {
	Segment uint32
	Stack   *Stack // nil if unknown; shared between entries, not to be changed
	Size    int64  // requested bytes of one object
	Type    string // Go type, "" when the allocator is not told one (strings, byte slices)
	Objects int64
	Bytes   int64 // slots
	Tiny    bool  // pointer-free and below 16 bytes
}

// Frame is one call, as the process's own tables name it.
type Frame struct {
	Function  string // as the symbol table has it, with the shapes of generics
	File      string
	Line      int
	StartLine int // of the function
}

// Stack is a call, and those that led to it. Stacks share their callers: there
// can be millions, hundreds of calls deep.
type Stack struct {
	Frames []Frame // of one return address, the innermost inlined call first; the same slice wherever the address is met
	Caller *Stack
}

// Expand returns all frames of a stack, leaf first.
func (s *Stack) Expand() []Frame {
	var all []Frame
	for ; s != nil; s = s.Caller {
		all = append(all, s.Frames...)
	}
	return all
}
