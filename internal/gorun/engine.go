package gorun

// Engine is a way to count.
type Engine string

const (
	Plain   Engine = ""        // not counted
	Exact   Engine = "exact"   // by the counting hook in the runtime
	Profile Engine = "profile" // by the stock heap profile
)
