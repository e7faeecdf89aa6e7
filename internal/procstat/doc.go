// Package procstat reads what the system knows of a process.
package procstat
