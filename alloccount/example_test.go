package alloccount_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"runtime/pprof"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/sizeclass"
)

// csv is what the examples parse.
var csv = strings.Repeat("Ada Lovelace,36\n", 1000)

// people keeps what they have parsed.
var people []person

type person struct {
	name string
	age  int
}

// parse makes a slice for each line.
func parse() (lines int, err error) {
	people = make([]person, 0, 1000)
	for line := range strings.Lines(csv) {
		cells := strings.Split(strings.TrimSpace(line), ",")
		age, err := strconv.Atoi(cells[1])
		if err != nil {
			return lines, err
		}
		people = append(people, person{cells[0], age})
		lines++
	}
	return lines, nil
}

func ExampleMeasure() {
	report, err := alloccount.Measure(parse)
	if err != nil {
		log.Fatal(err)
	}
	worst := report.Sites[0]
	fmt.Printf("%.1f allocations per record\n", report.PerRecord())
	fmt.Printf("%.0f %% of them in %s, called by %s\n", 100*worst.Share, worst.Function, worst.UserFunction)
	// Output:
	// 1.0 allocations per record
	// 100 % of them in strings.genSplit, called by github.com/alloctop/alloctop/alloccount_test.parse
}

func ExampleMeasureOptions_Measure() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	report, err := alloccount.MeasureOptions{
		Label:   "people",
		WarmUp:  1,
		Runs:    5,
		Context: ctx,
		Timed:   true,
		Sizes:   []sizeclass.Bound{16, 32, 64},
	}.Measure(parse)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range report.Scopes {
		fmt.Printf("%s: %d calls, %d records, %.1f allocations each\n", s.Name, s.Iterations, s.Records, s.PerRecord())
	}
	fmt.Printf("median %.1f\n", report.Runs.PerRecord.Median)
	for _, step := range report.SizeSteps {
		fmt.Printf("%5v bytes: %3.0f %%\n", step, 100*step.Share)
	}
	fmt.Println("took some time:", report.Cost.WallSeconds > 0)
	// Output:
	// people/steady: 5 calls, 5000 records, 1.0 allocations each
	// people/first: 1 calls, 1000 records, 1.0 allocations each
	// median 1.0
	//   ≤16 bytes:   0 %
	//   ≤32 bytes: 100 %
	//   ≤64 bytes:   0 %
	//   >64 bytes:   0 %
	// took some time: true
}

func ExampleBenchmark() {
	// In a test file: func BenchmarkParse(b *testing.B) { ... }
	result := testing.Benchmark(func(b *testing.B) {
		alloccount.Benchmark(b, 1000, func() error { _, err := parse(); return err })
	})
	fmt.Printf("%.1f allocs/record\n", result.Extra["allocs/record"])
	// Output: 1.0 allocs/record
}

func ExampleNewReport() {
	var file bytes.Buffer // of another program, mostly
	if err := pprof.Lookup("allocs").WriteTo(&file, 0); err != nil {
		log.Fatal(err)
	}
	p, err := alloccount.ReadProfile(&file)
	if err != nil {
		log.Fatal(err)
	}
	report, err := alloccount.NewReport(p, alloccount.ReportOptions{By: alloccount.ByUser})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("engine:", report.Engine, "by:", report.By)
	// Output: engine: profile by: user
}

func ExampleFromHeaps() {
	var file bytes.Buffer // of a process that had runtime.MemProfileRate = 1
	if err := pprof.Lookup("allocs").WriteTo(&file, 0); err != nil {
		log.Fatal(err)
	}
	heap, err := alloccount.ReadProfile(&file)
	if err != nil {
		log.Fatal(err)
	}
	p, err := alloccount.FromHeaps([]alloccount.Heap{{
		Profile: heap,
		Process: alloccount.Process{PID: 4711, Main: "example.com/server", Exit: "0"},
		Runtime: &alloccount.Counted{Objects: 1_419_822, Bytes: 90_000_000}, // of its runtime.MemStats
	}}, alloccount.ScopeOptions{})
	if err != nil {
		log.Fatal(err)
	}
	report, err := alloccount.NewReport(p, alloccount.ReportOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Kind, report.Name, report.Runtime.Objects)
	// Output: process server 1419822
}

func ExampleReport_WriteText() {
	report, err := alloccount.MeasureOptions{Label: "people"}.Measure(parse)
	if err != nil {
		log.Fatal(err)
	}
	var text strings.Builder
	if err := report.WriteText(&text, alloccount.TextOptions{Width: 80}); err != nil {
		log.Fatal(err)
	}
	headline, _, _ := strings.Cut(text.String(), " (")
	fmt.Println(headline)
	// Output: people: 1.0 allocations per record
}

func ExampleReport_WriteJSON() {
	report, err := alloccount.MeasureOptions{Label: "people"}.Measure(parse)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := report.WriteJSON(&file); err != nil {
		log.Fatal(err)
	}
	again, err := alloccount.ReadReport(&file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.Name, again.Records, again.Totals == report.Totals)
	// Output: people 1000 true
}

func ExampleWriteProfile() {
	report, err := alloccount.Measure(parse)
	if err != nil {
		log.Fatal(err)
	}
	file, err := os.CreateTemp("", "*.pprof")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(file.Name())
	if err := alloccount.WriteProfile(file, report.Profile); err != nil {
		log.Fatal(err)
	}
	if err := file.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("go tool pprof -http=: shows it")
	// Output: go tool pprof -http=: shows it
}

func ExampleMerge() {
	var reports []*alloccount.Report
	for _, label := range []string{"monday", "tuesday"} {
		report, err := alloccount.MeasureOptions{Label: label}.Measure(parse)
		if err != nil {
			log.Fatal(err)
		}
		reports = append(reports, report)
	}
	for _, s := range alloccount.Merge(reports...).Scopes {
		fmt.Println(s.Name, s.Records)
	}
	// Output:
	// monday 1000
	// tuesday 1000
}

func ExampleParsePer() {
	for _, s := range []string{"20", "BenchmarkRead=20", "cells/op"} {
		per, err := alloccount.ParsePer(s)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d %q %q\n", per.Count, per.Name, per.Metric)
	}
	// Output:
	// 20 "" ""
	// 20 "BenchmarkRead" ""
	// 0 "" "cells/op"
}
