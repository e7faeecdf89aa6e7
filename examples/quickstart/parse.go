package main

import (
	"strconv"
	"strings"
)

// before adds up the prices of a list by name: what one writes first. Two of
// its lines allocate for every line of the list.
func before(list string) (records int, err error) {
	sums := make(map[string]int)
	for line := range strings.Lines(list) {
		fields := strings.Fields(line) // a slice for two strings
		price, err := strconv.Atoi(fields[1])
		if err != nil {
			return records, err
		}
		sums[strings.ToLower(fields[0])] += price // a string for the name
		records++
	}
	return records, nil
}

// after does the same. It cuts the line where it is, and makes a name only
// where it meets one for the first time.
func after(list string) (records int, err error) {
	sums := make(map[string]*int) // by the name as it is written
	for line := range strings.Lines(list) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		price, err := strconv.Atoi(rest)
		if err != nil {
			return records, err
		}
		sum := sums[name]
		if sum == nil {
			if sum = sums[strings.ToLower(name)]; sum == nil {
				sum = new(int)
				sums[strings.ToLower(name)] = sum
			}
			sums[name] = sum
		}
		*sum += price
		records++
	}
	return records, nil
}
