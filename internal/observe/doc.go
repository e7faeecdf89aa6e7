// Package observe looks at what programs allocate while they run, from outside
// and without stopping them: at the address where a program serves its heap
// profile, and in the counter files of a run.
package observe
