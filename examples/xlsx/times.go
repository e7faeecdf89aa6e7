package main

import (
	"context"
	"fmt"

	"github.com/alloctop/alloctop/examples/internal/study"
	"github.com/alloctop/alloctop/examples/xlsx/workbook"
)

// timed are the runs of one thing on a number of threads.
type timed struct {
	name    string
	threads int
	runs    []study.Run
	speedUp float64 // against the same on one thread
}

// timeLoader times the parallel loader of each level.
func timeLoader(ctx context.Context, b books, rounds study.Rounds) ([]timed, error) {
	var all []timed
	var jobs []study.Job
	for _, level := range workbook.Levels() {
		for _, n := range study.Threads(b.size.Sheets) {
			opts := workbook.Options{Level: level, ParallelParse: n > 1, ParallelParseThreads: n}
			all = append(all, timed{name: level.String(), threads: n})
			jobs = append(jobs, study.Job{Name: level.String(), Do: func() error {
				_, err := readOurs(b.study, opts)
				return err
			}})
		}
	}
	return timeAll(ctx, rounds, all, jobs)
}

// churned is how many objects the micro-benchmark allocates, and of which sizes in
// bytes.
const churned = 4_000_000

var churnSizes = []int{8, 32, 128}

// timeChurn times pure allocation.
func timeChurn(ctx context.Context, rounds study.Rounds) ([]timed, error) {
	var all []timed
	var jobs []study.Job
	for _, size := range churnSizes {
		for _, n := range study.Threads(1 << 10) {
			name := fmt.Sprintf("%d B", size)
			all = append(all, timed{name: name, threads: n})
			jobs = append(jobs, study.Job{Name: name, Do: func() error {
				churn(n, churned, size)
				return nil
			}})
		}
	}
	return timeAll(ctx, rounds, all, jobs)
}

// timeTiny times opening the tiny file, opens times in a run.
func timeTiny(ctx context.Context, b books, rounds study.Rounds) ([]timed, error) {
	var all []timed
	var jobs []study.Job
	for _, r := range readers() {
		all = append(all, timed{name: r.name, threads: 1})
		jobs = append(jobs, study.Job{Name: r.name, Do: func() error {
			for range opens {
				if _, err := r.read(b.tiny); err != nil {
					return err
				}
			}
			return nil
		}})
	}
	return timeAll(ctx, rounds, all, jobs)
}

const opens = 20

// timeAll runs the jobs, of which those on one thread come first of their name.
func timeAll(ctx context.Context, rounds study.Rounds, all []timed, jobs []study.Job) ([]timed, error) {
	runs, err := study.Turns(ctx, rounds, jobs)
	if err != nil {
		return nil, err
	}
	base := 0
	for i := range all {
		if all[i].name != all[base].name {
			base = i
		}
		all[i].runs = runs[i]
		all[i].speedUp = study.SpeedUp(runs[base], runs[i])
	}
	return all, nil
}
