package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/examples/internal/study"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/document"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/parsers"
)

// countedRuns is how often each parser is counted: counts that vary have to be seen.
const countedRuns = 3

// count counts what each parser allocates, in scopes that have the parser's name,
// one for each run. It has the best engine that this program has. What a parser
// makes once, as tables of types or code, is made before.
func count(ctx context.Context, all []parsers.Parser, elements int) (*alloccount.Report, error) {
	small, doc := document.New(1), document.New(elements)
	var reports []*alloccount.Report
	for _, p := range all {
		if p.Parse == nil {
			continue
		}
		if _, err := p.Parse(small); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		for range countedRuns {
			o := alloccount.MeasureOptions{Label: p.Name, Context: ctx, DropPaths: true}
			report, err := o.Measure(func() (int, error) {
				digest, err := p.Parse(doc)
				return digest.Elements(), err
			})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
			report.Scope.Unit = "elements"
			reports = append(reports, report)
		}
	}
	return alloccount.Merge(reports...), nil
}

// recount has this program counted by alloctop. With an experiment of the toolchain
// the build for it is counted.
func recount(ctx context.Context, log io.Writer, elements int, experiment string) (*alloccount.Report, error) {
	var env []string
	if experiment != "" {
		env = []string{"GOEXPERIMENT=" + experiment}
	}
	return study.Recount(ctx, log, env, "./examples/jsonparse", "-count", "-elements", strconv.Itoa(elements))
}

// countCommand is what [recount] runs, as one types it.
func countCommand(elements int, experiment string) string {
	command := strings.Join(study.Command("./examples/jsonparse", "-count", "-elements", strconv.Itoa(elements)), " ")
	if experiment != "" {
		return "GOEXPERIMENT=" + experiment + " " + command
	}
	return command
}
