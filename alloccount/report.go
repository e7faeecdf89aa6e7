package alloccount

import (
	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/sizeclass"
)

// Schema names the version of the JSON form of a [Report].
const Schema = "alloctop/report/v1"

// Engine says how the allocations were counted.
type Engine string

const (
	Exact   Engine = "exact"   // by the counting hook: every allocation
	Sampled Engine = "profile" // by the runtime's own heap profile: without most tiny objects
)

// Report is what was counted, ready to be shown. Its fields are numbers as
// they were counted, never rounded or shortened.
type Report struct {
	Schema  string   `json:"schema"`
	Engine  Engine   `json:"engine"`
	Go      string   `json:"go"`
	Command []string `json:"command"`
	By      By       `json:"by"` // which line its sites are
	Scopes  []*Scope `json:"scopes"`
	Notes   []string `json:"notes,omitempty"` // what a reader of all scopes must know

	// Scope is the first of Scopes, so that a report of one scope reads
	// directly: report.Sites[0].Line. It is never nil.
	*Scope `json:"-"`

	// Profile is what the report of a Measure was made from, with all call
	// paths. It is nil for other reports, and with MeasureOptions.DropPaths.
	Profile *profile.Profile `json:"-"`
}

// Kind says what a scope is.
type Kind string

const (
	KindBenchmark Kind = "benchmark"
	KindTest      Kind = "test"
	KindProcess   Kind = "process"
	KindMeasure   Kind = "measure"
)

// Scope is one part of a run that was counted apart.
type Scope struct {
	Kind       Kind     `json:"kind"`
	Package    string   `json:"package"`
	Name       string   `json:"name"`            // without the GOMAXPROCS suffix
	Tests      []string `json:"tests,omitempty"` // of tests that ran in parallel: which ones are counted here together
	Procs      int      `json:"procs"`
	Run        int      `json:"run"` // counts repeats, from 0
	Iterations int64    `json:"iterations"`
	Records    int64    `json:"records"`        // 0 if nobody said how many
	Unit       string   `json:"unit,omitempty"` // what a record is, "cells"; "" for "op" or unknown
	Process    Process  `json:"process"`
	From       string   `json:"from,omitempty"` // file or address that it was read from, in a report of several

	Own bool `json:"own_goroutines,omitempty"` // of a Measure: only its own goroutines were counted, see [MeasureOptions]

	Totals     Totals   `json:"totals"`
	Runtime    *Counted `json:"runtime"`    // what the runtime counted by itself; nil if that could not be read, and with Own
	Attributed float64  `json:"attributed"` // Totals.Objects / Runtime.Objects: 1 if both are 0, 0 if Runtime is nil, since it is not known then

	SizeClasses []sizeclass.Bucket `json:"size_classes"`         // by requested size, those with objects, in order
	SizeSteps   []sizeclass.Step   `json:"size_steps,omitempty"` // the same by the thresholds that a Measure was told
	Sites       []*Site            `json:"sites"`                // most objects first

	Unplaced int64 `json:"unplaced_objects,omitempty"` // objects of no known line, which are a site without a file

	Folded  int64              `json:"folded_objects,omitempty"` // objects of its process whose call path was cut to its leaf frames
	Metrics map[string]float64 `json:"metrics,omitempty"`        // what the benchmark reported, "cells/op"
	Cost    *Cost              `json:"cost,omitempty"`
	Runs    *Runs              `json:"runs,omitempty"`  // how the calls of a repeated Measure differ
	Notes   []string           `json:"notes,omitempty"` // what a reader of the numbers must know
}

// Process is the process that a scope was counted in.
type Process struct {
	PID    int    `json:"pid"`
	Parent int    `json:"parent"`
	Main   string `json:"main"` // import path of the main package
	Exit   string `json:"exit"` // "0", "2", "signal: killed", "running"; "" if unknown
	Own    bool   `json:"own"`  // the main package is the user's, not a tool's
}

// Totals are sums over all objects of a scope.
type Totals struct {
	Objects   int64 `json:"objects"`
	Bytes     int64 `json:"bytes"` // slots, as the runtime counts them
	Requested int64 `json:"requested_bytes"`
	Tiny      int64 `json:"tiny_objects"`
}

// Counted is what the runtime counted over the same window.
type Counted struct {
	Objects int64 `json:"objects"` // growth of MemStats.Mallocs
	Bytes   int64 `json:"bytes"`   // growth of MemStats.TotalAlloc
}

// Site is a line that allocates, for one cause.
type Site struct {
	Function string `json:"function"`
	Package  string `json:"package"`
	File     string `json:"file"` // "" only for what has no source; then Line is 0
	Line     int    `json:"line"`

	StartLine int `json:"start_line,omitempty"` // of the function, 0 if unknown

	UserFunction string `json:"user_function"` // first frame in the user's own modules, "" if there is none
	UserFile     string `json:"user_file"`
	UserLine     int    `json:"user_line"`
	UserLines    int    `json:"user_lines,omitempty"`   // how many lines there are; the one named has most objects
	UserObjects  int64  `json:"user_objects,omitempty"` // objects that these lines led to; the others have no frame of the user's

	Cause  string `json:"cause"`            // "string from bytes"
	Reason string `json:"reason,omitempty"` // the compiler's, if known

	Objects         int64   `json:"objects"`
	Bytes           int64   `json:"bytes"`
	Requested       int64   `json:"requested_bytes"`
	PerRecord       float64 `json:"per_record"` // 0 if the scope has no records
	Share           float64 `json:"share"`      // of the scope's objects
	CumulativeShare float64 `json:"cumulative_share"`

	SizeClasses []sizeclass.Bucket `json:"size_classes"`
	Types       []TypeCount        `json:"types"` // most objects first
}

// TypeCount counts the objects of one Go type. The name is "" for what the
// allocator is told no type of: strings, and slices of pointer-free elements.
type TypeCount struct {
	Name    string `json:"name"`
	Objects int64  `json:"objects"`
}

// Runs says how the calls of a measured function differ.
type Runs struct {
	Calls       int    `json:"calls"`
	PerRecord   Spread `json:"per_record"`            // allocations per record, or per call if nobody said how many records there are
	WallSeconds Spread `json:"wall_seconds,omitzero"` // of a call; zero if no time was taken
}

// Spread sums up several values of the same thing.
type Spread struct {
	Min    float64 `json:"min"`
	Median float64 `json:"median"`
	Max    float64 `json:"max"`
}

// Cost is what a scope took beside allocations. With the exact engine the
// counter was on meanwhile, so times are longer than without alloctop.
type Cost struct {
	WallSeconds  float64 `json:"wall_seconds"`
	CPUSeconds   float64 `json:"cpu_seconds"` // user and system, all threads of the process
	GCCycles     int64   `json:"gc_cycles"`
	GCCPUSeconds float64 `json:"gc_cpu_seconds"` // as the runtime estimates; moves at the end of a cycle
	PauseSeconds float64 `json:"pause_seconds"`

	// Of a Measure only.
	MutexWaitSeconds float64 `json:"mutex_wait_seconds,omitempty"` // of all goroutines together; the runtime looks at one lock in eight
	PeakHeapBytes    int64   `json:"peak_heap_bytes,omitempty"`    // the largest heap that was seen: before, after and, if Timed, every millisecond
	Records          int64   `json:"records,omitempty"`            // of calls that were timed apart; 0 if there were none
	Uncounted        bool    `json:"uncounted,omitempty"`          // the counter was off
}
