package alloccount

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/callsite"
)

// Bounds of the source files that are looked at for one profile.
const (
	mostSources    = 4096    // files
	mostSourceSize = 4 << 20 // bytes of one
)

// RecordSources keeps with p, the profile of a run on this machine that has just
// ended, which source files it was made from: the SHA-256 of each Go file that
// has a site, by allocation or by the user's own code. [Sources] returns them.
//
// Left out are files that are not here (-trimpath), and those that were written
// after the run began, since they are not what was compiled.
func RecordSources(p *profile.Profile) error {
	r, err := runOf(p)
	if err != nil {
		return err
	}
	r.Sources = make(map[string]string)
	for _, file := range siteFiles(p, r) {
		if len(r.Sources) == mostSources {
			break
		}
		if hash, ok := hashSource(file, p.TimeNanos); ok {
			r.Sources[file] = hash
		}
	}
	return setRun(p, r)
}

// Sources returns what [RecordSources] kept with a profile: SHA-256 in
// hexadecimal by file. It is nil for a profile of another program, and for
// several that another tool merged.
func Sources(p *profile.Profile) map[string]string {
	r, err := runOf(p)
	if err != nil {
		return nil
	}
	return r.Sources
}

// siteFiles returns the files of all lines that a report of p may rank, in
// order: those that allocate, where stacks begin, and the user's own.
func siteFiles(p *profile.Profile, r *run) []string {
	files := make(map[string]bool)
	for _, s := range p.Sample {
		if len(s.Location) > 0 {
			for _, line := range s.Location[0].Line {
				if line.Function != nil {
					files[line.Function.Filename] = true
				}
			}
		}
	}
	var rules []callsite.Rules // of each main package once
	var mains []string
	for _, process := range r.Processes {
		if main := strings.TrimSuffix(process.Main, ".test"); !slices.Contains(mains, main) {
			mains = append(mains, main)
			rules = append(rules, r.Owned.rules(main, false))
		}
	}
	for _, f := range p.Function {
		owns := func(r callsite.Rules) bool {
			return r.Owns(callsite.Frame{Function: f.Name, File: f.Filename, Line: 1})
		}
		if !files[f.Filename] && slices.ContainsFunc(rules, owns) {
			files[f.Filename] = true
		}
	}
	return slices.Sorted(maps.Keys(files))
}

// hashSource returns the SHA-256 of a Go file that was not written since.
func hashSource(file string, since int64) (hash string, ok bool) {
	if filepath.Ext(file) != ".go" || !filepath.IsAbs(file) {
		return "", false
	}
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostSourceSize || since > 0 && info.ModTime().After(time.Unix(0, since)) {
		return "", false
	}
	f, err := os.Open(file)
	if err != nil {
		return "", false
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, mostSourceSize)); err != nil {
		return "", false
	}
	return hex.EncodeToString(h.Sum(nil)), true
}
