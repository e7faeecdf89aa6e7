package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/alloctop/alloctop/examples/jsonparse/internal/parsers"
)

// A contender is one way to parse the document: a parser, a build and settings.
type contender struct {
	name    string // in its table
	parser  string
	program string   // that parses, "" for this one
	env     []string // settings of the runtime
	note    string   // what a reader of its numbers must know
}

// A contest is a table of the study. Its contenders are compared with the first,
// which is encoding/json as it comes.
type contest struct {
	title      string
	contenders []contender
	missing    []string // what does not run here, and why
}

// settings are what Go has instead of other memory managers: when to collect, how
// much memory to take, how to do it (package runtime, Go 1.26). The limits are
// multiples of the document: the small one is less than what is alive at the end, as
// a limit is that was set for smaller documents.
//
// GODEBUG=sbrk=1, an allocator that only moves a pointer on, would be the closest to
// another memory manager. It is left out since Go 1.26.8 crashes with it when it
// collects, and now and then hangs even if it does not.
func settings(documentBytes int) contest {
	limit := func(times int) string {
		return fmt.Sprintf("GOMEMLIMIT=%dMiB", max(times*documentBytes>>20, 1))
	}
	c := contest{title: "Settings, all with " + parsers.Standard}
	for _, s := range []struct {
		env  string // assignments with spaces between them
		note string
	}{
		{env: ""},
		{env: "GOGC=50"},
		{env: "GOGC=200"},
		{env: "GOGC=400"},
		{env: "GOGC=off"},
		{env: "GOGC=off " + limit(8)},
		{env: "GOGC=off " + limit(4), note: "the limit is below what is in use at the end"},
		{env: "GODEBUG=gcstoptheworld=1", note: "no collection beside the program"},
		{env: "GODEBUG=madvdontneed=0", note: "freed memory is given back only when the system needs it"},
		{env: "GOMAXPROCS=1", note: "no second processor for the collector"},
	} {
		c.contenders = append(c.contenders, contender{
			name:   cmp.Or(s.env, "as it comes (GOGC=100)"),
			parser: parsers.Standard,
			env:    strings.Fields(s.env),
			note:   s.note,
		})
	}
	return c
}

// others are the parsers with other habits, as they come.
func others(all []parsers.Parser) contest {
	c := contest{title: "Parsers, all with the settings as they come"}
	for _, p := range all {
		if p.Parse == nil {
			c.missing = append(c.missing, fmt.Sprintf("%s needs %s", p.Name, p.Lacks))
			continue
		}
		c.contenders = append(c.contenders, contender{name: p.Name, parser: p.Name, note: p.Note})
	}
	return c
}
