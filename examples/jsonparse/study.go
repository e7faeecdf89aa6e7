package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/internal/study"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/document"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/parsers"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/turn"
)

// findings is what the study found.
type findings struct {
	elements int       // of all arrays
	bytes    int       // of the document
	contests []contest // none in a program that alloctop built
	results  results
	measure  measure           // that contenders are compared by
	engine   alloccount.Engine // that counted
	counts   []counted         // of this build, and of that with json/v2
}

// A measure is what contenders are compared by.
type measure struct {
	name string
	of   func(turn.Result) float64
}

// base is encoding/json as it comes.
func (f *findings) base() *outcome { return f.results[f.contests[0].contenders[0].work()] }

// choose takes the time by the clock, but on a busy machine processor time. A parser
// of one thread takes less processor time than time only if it has to wait.
func (f *findings) choose() measure {
	if share := f.base().median(busy); share > 0 && share < 0.8 {
		return measure{"processor time", cpu}
	}
	return measure{"time", wall}
}

// parseOnce is what a turn runs.
func parseOnce(w io.Writer, parser, path string) error {
	r, err := turn.Parse(parser, path)
	if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(r)
}

// runStudy does the study, and writes what it found to stdout, how far it is to
// stderr.
func runStudy(ctx context.Context, o options, stdout, stderr io.Writer) error {
	progress := study.NewProgress(stderr)
	f := &findings{elements: document.Arrays * o.elements}
	hooked, err := study.Hooked()
	if err != nil {
		return err
	}
	if hooked {
		progress.Step("counting what each parser allocates")
		report, err := count(ctx, parsers.All(), o.elements)
		if err != nil {
			return err
		}
		f.bytes = len(document.New(o.elements))
		f.add(report)
	} else if err := f.collect(ctx, o, progress, stderr); err != nil {
		return err
	}
	var text bytes.Buffer
	f.write(&text)
	if _, err := stdout.Write(text.Bytes()); err != nil || o.html == "" {
		return err
	}
	return chart(ctx, o.html, progress, stderr)
}

// collect times all contenders, and has them counted.
func (f *findings) collect(ctx context.Context, o options, progress *study.Progress, log io.Writer) error {
	dir, err := os.MkdirTemp("", "jsonparse-study")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	progress.Step("writing a document of %d arrays of %d elements", document.Arrays, o.elements)
	doc := document.New(o.elements)
	f.bytes = len(doc)
	path := filepath.Join(dir, "document.json")
	if err := os.WriteFile(path, doc, 0o644); err != nil {
		return err
	}
	f.contests = []contest{settings(len(doc)), others(parsers.All())}
	if o.experiments {
		c, err := buildExperiments(ctx, dir, progress)
		if err != nil {
			return err
		}
		f.contests = append(f.contests, c)
	}
	if f.results, err = compare(ctx, f.contests, o.rounds, o.budget, path, progress); err != nil {
		return err
	}
	f.measure = f.choose()
	return f.recount(ctx, o, progress, log)
}

// recount has all parsers counted under alloctop, that of the experiment in a
// build of its own. Where alloctop cannot count, this program does with what the
// runtime has.
func (f *findings) recount(ctx context.Context, o options, progress *study.Progress, log io.Writer) error {
	builds := []string{""}
	if o.experiments {
		builds = append(builds, experimentJSON)
	}
	for _, x := range builds {
		progress.Step("counting, under alloctop: %s", countCommand(o.elements, x))
		report, err := recount(ctx, log, o.elements, x)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && x != "":
			progress.Step("the build with GOEXPERIMENT=%s was not counted: %v", x, err)
			continue
		case err != nil:
			progress.Step("alloctop could not count, the runtime's heap profile has to do: %v", err)
			if report, err = count(ctx, parsers.All(), o.elements); err != nil {
				return err
			}
		}
		report.Scopes = slices.DeleteFunc(report.Scopes, func(s *alloccount.Scope) bool {
			return x != "" && !parsers.Changes(s.Name) // and was counted before
		})
		f.add(report)
	}
	return nil
}

// add adds counts. If some are not exact, that is what has to be said of all.
func (f *findings) add(r *alloccount.Report) {
	if f.engine != alloccount.Sampled {
		f.engine = r.Engine
	}
	f.counts = append(f.counts, group(r)...)
}
