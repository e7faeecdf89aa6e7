// Package benchtable makes a table of repeated measurements of benchmarks: mean,
// error, standard deviation, ratio to a baseline and its deviation, collections,
// allocated bytes, allocations per record.
//
//	t, err := benchtable.New(rows, benchtable.Options{Baseline: "list"})
//	…
//	err = t.WriteText(os.Stdout, benchtable.TextOptions{})
//
// Rows come from a program's own measurements, from output in Go's benchmark
// format ([Read]), and from reports of alloctop ([AddCounts]). Nothing is
// measured here. The functions keep no state, and may be called from several
// goroutines with different rows.
package benchtable
