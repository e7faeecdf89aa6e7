package alloccount

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// foreignRun describes a profile that another program wrote: one scope, of
// which little is known.
func foreignRun(p *profile.Profile) *run {
	r := &run{Schema: runSchema, Engine: Sampled}
	s := runScope{Kind: KindProcess, Name: "profile"}
	if len(p.Mapping) > 0 && p.Mapping[0].File != "" {
		s.Name = path.Base(strings.ReplaceAll(p.Mapping[0].File, `\`, "/"))
	}
	if merged := mergedRuns(p); merged != nil {
		r.Engine, r.Go, r.Owned = merged.Engine, merged.Go, merged.Owned
		s.Notes = append(s.Notes, "several alloctop profiles that another tool merged: their benchmarks and tests cannot be told apart")
	} else {
		s.Notes = append(s.Notes, sampling(p))
	}
	if !hasType(p, requestedSpace) {
		s.Notes = append(s.Notes, "requested sizes are unknown: sizes are those of the allocator's slots")
	}
	r.Processes = []Process{{Own: true}}
	r.Scopes = []runScope{s}
	return r
}

// sampling says how far the counts of a profile of runtime/pprof can be
// trusted.
func sampling(p *profile.Profile) string {
	if p.Period > 1 {
		return fmt.Sprintf("sampled once every %d bytes: all numbers are estimates, and most objects below 16 bytes without pointers are missing", p.Period)
	}
	return "from the runtime's own profile: most objects below 16 bytes without pointers are missing"
}

// mergedRuns returns what the runs in a merged profile have in common, nil if
// there are none.
func mergedRuns(p *profile.Profile) *run {
	var all *run
	for _, c := range p.Comments {
		var r run
		if !isRun(c) || json.Unmarshal([]byte(c), &r) != nil {
			continue
		}
		if all == nil {
			all = &r
			continue
		}
		if r.Engine != Exact {
			all.Engine = r.Engine
		}
		if r.Go != all.Go {
			all.Go = ""
		}
		all.Owned.Modules = append(all.Owned.Modules, r.Owned.Modules...)
		all.Owned.Others = append(all.Owned.Others, r.Owned.Others...)
		all.Owned.Packages = append(all.Owned.Packages, r.Owned.Packages...)
	}
	return all
}

// hasType reports whether p has a sample type.
func hasType(p *profile.Profile, name string) bool {
	return slices.ContainsFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == name })
}
