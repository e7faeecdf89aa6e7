package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/alloctop/alloctop/examples/internal/study"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/document"
	"github.com/alloctop/alloctop/examples/jsonparse/internal/turn"
)

// work is what a contender does. The same work is done once a round, however many
// contests it stands in.
type work struct{ program, parser, env string }

func (c contender) work() work { return work{c.program, c.parser, strings.Join(c.env, " ")} }

// outcome is what became of a contender: a result of each round, or why it failed.
type outcome struct {
	rounds []turn.Result
	failed error
}

// results are the outcomes of all work.
type results map[work]*outcome

// compare lets all contenders parse the document in turn, so many rounds, so that a
// change of the machine's speed hits all alike. Each round begins with another one,
// and every second goes backwards, since what ran before matters, too. After the
// budget, if it is not 0, it makes no more rounds, but three.
func compare(ctx context.Context, contests []contest, rounds int, budget time.Duration, path string, progress *study.Progress) (results, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("where this program lies is unknown: %w", err)
	}
	all := make(results)
	var order []contender
	for _, c := range contests {
		for _, x := range c.contenders {
			if all[x.work()] == nil {
				all[x.work()] = new(outcome)
				order = append(order, x)
			}
		}
	}
	var want document.Digest
	start := time.Now()
	for round := range rounds {
		if budget > 0 && round >= 3 && time.Since(start) > budget {
			progress.Step("no more rounds, so that it does not take too long: -full makes all")
			break
		}
		progress.Step("round %d of %d: %d parses%s", round+1, rounds, len(order), left(time.Since(start), round, rounds))
		for _, x := range shuffled(order, round, rounds) {
			o := all[x.work()]
			if o.failed != nil {
				continue
			}
			r, err := parse(ctx, self, x, path)
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err != nil:
				o.failed = err
				continue
			case want == nil:
				want = r.Digest // that of the parser of the standard library, the first of the first round
			case !reflect.DeepEqual(want, r.Digest):
				return nil, fmt.Errorf("%s read another document than %s", x.name, order[0].name)
			}
			o.rounds = append(o.rounds, r)
		}
	}
	return all, nil
}

// shuffled returns the order of a round.
func shuffled(order []contender, round, rounds int) []contender {
	first := round * len(order) / rounds
	turned := slices.Concat(order[first:], order[:first])
	if round%2 == 1 {
		slices.Reverse(turned)
	}
	return turned
}

func parse(ctx context.Context, self string, x contender, path string) (turn.Result, error) {
	program := x.program
	if program == "" {
		program = self
	}
	return turn.Run(ctx, program, []string{"-parse", x.parser, "-file", path}, x.env)
}

// left says how long the remaining rounds will take, if that is known yet.
func left(took time.Duration, done, rounds int) string {
	if done == 0 {
		return ""
	}
	return fmt.Sprintf(", about %d s left", int((took / time.Duration(done) * time.Duration(rounds-done)).Seconds()))
}

// median returns the median over the rounds of what f says of them, 0 if there are
// none.
func (o *outcome) median(f func(turn.Result) float64) float64 {
	values := make([]float64, len(o.rounds))
	for i, r := range o.rounds {
		values[i] = f(r)
	}
	return median(values)
}

// ratio returns the median over the rounds of f divided by that of base in the same
// round.
func (o *outcome) ratio(base *outcome, f func(turn.Result) float64) float64 {
	values := make([]float64, min(len(o.rounds), len(base.rounds)))
	for i := range values {
		values[i] = f(o.rounds[i]) / f(base.rounds[i])
	}
	return median(values)
}

// faster returns in how many rounds o has less of f than base, and how often two
// equals are as far apart by chance (sign test).
func (o *outcome) faster(base *outcome, f func(turn.Result) float64) (n int, chance float64) {
	rounds := min(len(o.rounds), len(base.rounds))
	for i := range rounds {
		if f(o.rounds[i]) < f(base.rounds[i]) {
			n++
		}
	}
	return n, signTest(max(n, rounds-n), rounds)
}

// signTest returns the probability that of n tosses of a coin so many or more fall
// on the same side, most being more than half of n.
func signTest(most, n int) float64 {
	p, ways := 0.0, 1.0 // ways to choose k of n
	for k := range n + 1 {
		if k >= most {
			p += ways
		}
		ways = ways * float64(n-k) / float64(k+1)
	}
	return min(2*p/math.Pow(2, float64(n)), 1)
}

// median sorts values.
func median(values []float64) float64 {
	slices.Sort(values)
	switch n := len(values); {
	case n == 0:
		return 0
	case n%2 == 1:
		return values[n/2]
	default:
		return (values[n/2-1] + values[n/2]) / 2
	}
}

// What a turn took.
func wall(r turn.Result) float64    { return r.Wall }
func cpu(r turn.Result) float64     { return r.CPU }
func gc(r turn.Result) float64      { return r.GC }
func cycles(r turn.Result) float64  { return float64(r.GCs) }
func busy(r turn.Result) float64    { return r.CPU / r.Wall } // threads
func peak(r turn.Result) float64    { return float64(r.Peak) }
func objects(r turn.Result) float64 { return float64(r.Count) }
