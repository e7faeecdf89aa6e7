package alloccount

import (
	"encoding/binary"
	"path"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/callsite"
)

// The sample types of every profile that alloctop writes.
const (
	allocObjects   = "alloc_objects"   // count
	allocSpace     = "alloc_space"     // bytes of slots, as the runtime counts them
	requestedSpace = "requested_space" // bytes that the program asked for
)

// The labels of its samples.
const (
	labelBytes     = "bytes" // requested size of one object
	labelScope     = "scope" // index into run.Scopes
	labelType      = "type"
	labelCause     = "cause"
	labelBenchmark = "benchmark"
	labelTest      = "test"
	labelPackage   = "package"
)

// frame is one call as a profile keeps it. It is comparable and names no
// address, so that two builds of the same code share frames.
type frame struct {
	callsite.Frame
	symbol string // as the symbol table has it
}

// builder makes a profile, each frame, stack and set of scopes once.
type builder struct {
	p         *profile.Profile
	mapping   *profile.Mapping
	locations map[frame]*profile.Location
	functions map[frame]*profile.Function // Line is 0
	stacks    map[string]int
	stackList [][]*profile.Location
	refs      int // locations in all stacks
	samples   map[sampleKey]*profile.Sample
	scratch   []byte
}

// sampleKey tells samples apart.
type sampleKey struct {
	stack  int // index into builder.stackList
	scopes int // of a set of scopes, chosen by the caller
	size   int64
	typ    string
	cause  string
}

func newBuilder(main string) *builder {
	b := &builder{
		p: &profile.Profile{
			SampleType: []*profile.ValueType{
				{Type: allocObjects, Unit: "count"},
				{Type: allocSpace, Unit: "bytes"},
				{Type: requestedSpace, Unit: "bytes"},
			},
			DefaultSampleType: allocObjects,
			PeriodType:        &profile.ValueType{Type: "space", Unit: "bytes"},
			Period:            1,
		},
		locations: make(map[frame]*profile.Location),
		functions: make(map[frame]*profile.Function),
		stacks:    make(map[string]int),
		samples:   make(map[sampleKey]*profile.Sample),
	}
	// Without a mapping that claims to be symbolized, pprof looks for the binary.
	b.mapping = &profile.Mapping{
		ID: 1, File: path.Base(main),
		HasFunctions: true, HasFilenames: true, HasLineNumbers: true, HasInlineFrames: true,
	}
	b.p.Mapping = []*profile.Mapping{b.mapping}
	return b
}

// location returns the location of f.
func (b *builder) location(f frame) *profile.Location {
	if l, ok := b.locations[f]; ok {
		return l
	}
	l := &profile.Location{
		ID:      uint64(len(b.p.Location) + 1),
		Mapping: b.mapping,
		Line:    []profile.Line{{Function: b.function(f), Line: int64(f.Line)}},
	}
	b.p.Location = append(b.p.Location, l)
	b.locations[f] = l
	return l
}

// function returns the function that f is in.
func (b *builder) function(f frame) *profile.Function {
	f.Line = 0
	if fn, ok := b.functions[f]; ok {
		return fn
	}
	fn := &profile.Function{
		ID: uint64(len(b.p.Function) + 1), Name: f.Function, SystemName: f.symbol,
		Filename: f.File, StartLine: int64(f.StartLine),
	}
	b.p.Function = append(b.p.Function, fn)
	b.functions[f] = fn
	return fn
}

// stack returns the number of the stack of frames, leaf first.
func (b *builder) stack(frames []frame) int {
	locations := make([]*profile.Location, len(frames))
	b.scratch = b.scratch[:0]
	for i, f := range frames {
		locations[i] = b.location(f)
		b.scratch = binary.AppendUvarint(b.scratch, locations[i].ID)
	}
	if n, ok := b.stacks[string(b.scratch)]; ok {
		return n
	}
	n := len(b.stackList)
	b.refs += len(locations)
	b.stackList = append(b.stackList, locations)
	b.stacks[string(b.scratch)] = n
	return n
}

// add counts objects of bytes in slots and requested bytes at k. The labels
// beside those in k come from label, which is called for a new sample only.
func (b *builder) add(k sampleKey, objects, bytes, requested int64, label func(*profile.Sample)) {
	s, ok := b.samples[k]
	if !ok {
		s = &profile.Sample{
			Location: b.stackList[k.stack],
			Value:    make([]int64, 3),
			Label:    make(map[string][]string),
			NumLabel: make(map[string][]int64),
			NumUnit:  make(map[string][]string),
		}
		if k.size >= 0 {
			s.NumLabel[labelBytes] = []int64{k.size}
			s.NumUnit[labelBytes] = []string{"bytes"}
		}
		if k.typ != "" {
			s.Label[labelType] = []string{k.typ}
		}
		if k.cause != "" {
			s.Label[labelCause] = []string{k.cause}
		}
		label(s)
		b.samples[k] = s
		b.p.Sample = append(b.p.Sample, s)
	}
	s.Value[0] += objects
	s.Value[1] += bytes
	s.Value[2] += requested
}

// addScope labels a sample with one more scope.
func addScope(s *profile.Sample, scope int) {
	s.NumLabel[labelScope] = append(s.NumLabel[labelScope], int64(scope))
	s.NumUnit[labelScope] = append(s.NumUnit[labelScope], "index") // without a unit, 0 is not read back
}
