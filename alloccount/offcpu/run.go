package offcpu

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/pprof/profile"
)

const runSchema = "alloctop/wall/v1"

// run is what Measure knows beside the samples: a comment of the profile.
type run struct {
	Schema      string  `json:"schema"`
	Samples     int64   `json:"samples"` // how many times
	WallSeconds float64 `json:"wall_seconds"`
	CPUSeconds  float64 `json:"cpu_seconds,omitempty"` // user and system, of the process
	Procs       int     `json:"procs"`
}

func setRun(p *profile.Profile, r run) error {
	r.Schema = runSchema
	text, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("describing the run: %w", err)
	}
	p.Comments = append(p.Comments, string(text))
	return nil
}

// runOf returns what is known of a profile that fgprof may have written by
// itself: then it is the time and the number of samples that follows from it.
func runOf(p *profile.Profile) run {
	var r run
	for _, c := range p.Comments {
		if strings.HasPrefix(c, `{"schema":"`+runSchema+`"`) && json.Unmarshal([]byte(c), &r) == nil && r.Samples > 0 && r.WallSeconds > 0 {
			return r
		}
	}
	r = run{WallSeconds: float64(p.DurationNanos) / 1e9}
	if p.Period > 0 {
		r.Samples = (p.DurationNanos + p.Period/2) / p.Period
	}
	return r
}
