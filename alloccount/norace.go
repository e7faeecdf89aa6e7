//go:build !race

package alloccount

// raceEnabled says whether the program is built with -race.
const raceEnabled = false
