package offcpu

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/pprof/profile"
)

// Measure calls f and returns the wall-clock profile of what it did meanwhile:
// of its own goroutine, of those that it started, and of others that were not
// asleep in one place all the time. The profile has the sample types
// samples/count and time/nanoseconds, as fgprof writes it, and is what
// [Summarize] and pprof read.
//
// The error is f's own, or says that f was too short for a sample. Measure does
// not begin when ctx is done; after that it is for f to heed it. If f panics,
// sampling ends and so does Measure. Several Measures at a time see each other's
// goroutines.
func Measure(ctx context.Context, f func(context.Context) error) (*profile.Profile, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("no wall-clock profile was begun: %w", err)
	}
	s := begin()
	ended := false
	defer func() {
		if !ended {
			s.end() // f panicked: the profile is of no use, the sampling must not go on
		}
	}()
	err := call(ctx, f)
	ended = true
	p, perr := s.end()
	if err != nil {
		return nil, err
	}
	return p, perr
}

// call is where the stacks of f's goroutine are cut.
//
//go:noinline
func call(ctx context.Context, f func(context.Context) error) error {
	err := f(ctx)
	return err
}

// During returns the wall-clock profile of the program for some time, or of the
// time until ctx is done, and then with its error. Goroutines that sleep in one
// place all the time are in it, if they were there before or not.
func During(ctx context.Context, d time.Duration) (*profile.Profile, error) {
	if d <= 0 {
		return nil, errors.New("a wall-clock profile takes some time; ask for more than none")
	}
	s := begin()
	s.before = nil
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		s.end()
		return nil, fmt.Errorf("the wall-clock profile was not finished: %w", ctx.Err())
	}
	return s.end()
}
