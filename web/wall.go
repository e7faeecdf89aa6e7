package web

import (
	"strconv"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/alloccount/offcpu"
)

// Limits of what a page shows of where time goes.
const (
	mostWallLines  = 200
	mostWallGroups = 20
)

// wallData is where goroutines spend their time. Numbers are samples, as in
// [offcpu.Summary].
type wallData struct {
	Finding string      `json:"finding"`
	Seconds float64     `json:"seconds"`
	CPU     float64     `json:"cpu"` // seconds, 0 if unknown
	Procs   int         `json:"procs"`
	Samples int64       `json:"samples"`
	Total   wallTime    `json:"total"`
	Lines   []wallLine  `json:"lines"` // most time first
	Rest    wallTime    `json:"rest"`  // of lines that are left out
	More    int         `json:"more"`  // how many those are
	Groups  []wallGroup `json:"groups"`
}

// wallTime is on a processor or ready, in system calls or C, and waiting.
type wallTime [3]int64

func timeOf(t offcpu.Time) wallTime { return wallTime{t.CPU, t.System, t.Waiting} }

type wallLine struct {
	At       string   `json:"at"` // as lines that allocate are named
	Function string   `json:"function"`
	Own      bool     `json:"own"`
	Time     wallTime `json:"time"`
	For      string   `json:"for,omitempty"` // for what most goroutines wait there
}

type wallGroup struct {
	Function string   `json:"function"`
	Time     wallTime `json:"time"`
}

// newWallData makes the data of s beside a report.
func newWallData(s *offcpu.Summary, r *alloccount.Report) *wallData {
	if s == nil {
		return nil
	}
	d := &wallData{
		Finding: clean(s.Finding()), Seconds: s.Seconds, CPU: s.CPUSeconds, Procs: s.Procs, Samples: s.Samples,
		Total: timeOf(s.Total), Lines: []wallLine{}, Groups: []wallGroup{},
	}
	files := placesOf(r)
	for i, l := range s.Lines {
		if i >= mostWallLines {
			d.More++
			for k, n := range timeOf(l.Time) {
				d.Rest[k] += n
			}
			continue
		}
		line := wallLine{At: clean(wallPlace(files, l)), Function: clean(l.Function), Own: l.Own, Time: timeOf(l.Time)}
		if len(l.For) > 0 {
			line.For = clean(l.For[0].For)
		}
		d.Lines = append(d.Lines, line)
	}
	for _, g := range s.Groups[:min(mostWallGroups, len(s.Groups))] {
		d.Groups = append(d.Groups, wallGroup{clean(g.Function), timeOf(g.Time)})
	}
	return d
}

// placesOf names the files of a report, by their paths.
func placesOf(r *alloccount.Report) map[string]string {
	files := make(map[string]string)
	for _, s := range r.Scopes {
		for _, x := range s.Sites {
			if _, ok := files[x.File]; !ok && x.File != "" {
				files[x.File] = s.Place(x.Function, x.Package, x.File)
			}
		}
	}
	return files
}

// wallPlace names a line as the report does, if that has the file.
func wallPlace(files map[string]string, l offcpu.Line) string {
	if place, ok := files[l.File]; ok {
		return place + ":" + strconv.Itoa(l.Line)
	}
	return l.At()
}
