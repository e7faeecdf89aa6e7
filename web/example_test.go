package web_test

import (
	"context"
	"log"
	"os"
	"time"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/web"
	"github.com/alloctop/alloctop/web/pprofui"

	"github.com/google/pprof/profile"
)

// A profile becomes a file that can be opened, sent and kept.
func ExampleWriteHTML() {
	in, err := os.Open("testdata/std.pb.gz")
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	p, err := alloccount.ReadProfile(in)
	if err != nil {
		log.Fatal(err)
	}
	r, err := alloccount.NewReport(p, alloccount.ReportOptions{})
	if err != nil {
		log.Fatal(err)
	}
	out, err := os.CreateTemp("", "report-*.html")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(out.Name())
	// web.WriteHTML(out, r) is enough; with the profile there are call paths too.
	if err := (web.Page{Report: r, Profile: p}).WriteHTML(out); err != nil {
		log.Fatal(err)
	}
	if err := out.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
}

// A page follows a program, until it ends.
func ExampleLive() {
	now := func(context.Context) (*profile.Profile, error) {
		return new(profile.Profile), nil // from wherever profiles come
	}
	live := &web.Live{
		Take: func(ctx context.Context) (web.Snapshot, error) {
			p, err := now(ctx)
			if err != nil {
				return web.Snapshot{}, err
			}
			r, err := alloccount.NewReport(p, alloccount.ReportOptions{})
			return web.Snapshot{Page: web.Page{Report: r, Profile: p}, Time: time.Now()}, err
		},
		PProf: &pprofui.Pages{Profile: now},
	}
	l, err := web.Listen("127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop() // at once, in an example
	if err := web.Serve(ctx, l, live.Handler()); err != nil {
		log.Fatal(err)
	}
	// Output:
}
