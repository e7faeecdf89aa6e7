package gorun

import (
	"slices"
	"strings"
)

// invocation is a go command line, read as the go tool reads it.
type invocation struct {
	args     []string // all, without the "go"
	chdir    string   // value of -C, "" if none
	verb     string   // "test"; "" if there is none
	flags    []argFlag
	packages []string
}

// argFlag is a flag of the go command's own on its command line.
type argFlag struct {
	name, value string
	at, words   int // args[at:at+words]
}

// boolFlags take no value unless it is joined on by "=". All others that
// the go tool knows take the next word.
var boolFlags = strings.Fields("a n x v race msan asan work linkshared modcacherw trimpath cover json c i buildvcs" +
	" artifacts benchmem failfast fullpath short")

// valueFlags of build, run, install and test.
var valueFlags = strings.Fields("C p asmflags compiler buildmode gcflags gccgoflags mod modfile overlay installsuffix" +
	" ldflags pgo pkgdir tags toolexec covermode coverpkg o exec debug-actiongraph debug-runtime-trace debug-trace" +
	" vet bench benchtime blockprofile blockprofilerate count coverprofile cpu cpuprofile fuzz fuzzminimizetime fuzztime" +
	" list memprofile memprofilerate mutexprofile mutexprofilefraction outputdir parallel run shuffle skip timeout trace")

// buildFlags decide what is compiled, and how.
var buildFlags = strings.Fields("p race msan asan linkshared modcacherw trimpath asmflags compiler buildmode gcflags gccgoflags" +
	" mod modfile overlay installsuffix ldflags pgo pkgdir tags toolexec")

// parseInvocation reads the arguments of a go command.
func parseInvocation(args []string) invocation {
	inv := invocation{args: args}
	rest := inv.takeChdir(0) // go -C dir test
	if rest < len(args) && !strings.HasPrefix(args[rest], "-") {
		inv.verb = args[rest]
		rest = inv.takeChdir(rest + 1) // go test -C dir
	}
	if inv.verb == "test" {
		inv.parseTest(rest)
	} else {
		inv.parse(rest)
	}
	return inv
}

// takeChdir reads a -C at args[i] and returns the index behind it.
func (inv *invocation) takeChdir(i int) int {
	if i >= len(inv.args) {
		return i
	}
	switch name, value, hasValue, _ := flagWord(inv.args[i]); {
	case name != "C":
		return i
	case hasValue:
		inv.chdir = value
		return i + 1
	case i+1 < len(inv.args):
		inv.chdir = inv.args[i+1]
		return i + 2
	}
	return i + 1
}

// parse reads flags up to the first word that is none; the packages follow,
// for run only the first of them or a list of files.
func (inv *invocation) parse(i int) {
	for i < len(inv.args) {
		_, _, _, isFlag := flagWord(inv.args[i])
		if !isFlag {
			break
		}
		i += inv.takeFlag(i)
	}
	if i < len(inv.args) && inv.args[i] == "--" {
		i++
	}
	inv.packages = inv.args[i:]
	if inv.verb == "run" {
		n := 0
		for n < len(inv.packages) && strings.HasSuffix(inv.packages[n], ".go") {
			n++
		}
		inv.packages = inv.packages[:min(max(n, 1), len(inv.packages))]
	}
}

// parseTest reads the command line of go test, where flags may follow the
// packages and unknown flags go to the test (cmd/go/internal/test, testFlags).
func (inv *invocation) parseTest(i int) {
	packagesDone, inPackages, afterUnknown := false, false, false
	for i < len(inv.args) {
		word := inv.args[i]
		name, _, hasValue, isFlag := flagWord(word)
		switch {
		case word == "--" || isFlag && name == "args":
			return
		case !isFlag && packagesDone && !inPackages:
			if !afterUnknown {
				return // for the test, and so is everything behind it
			}
			afterUnknown = false
			i++
		case !isFlag:
			packagesDone, inPackages = true, true
			inv.packages = append(inv.packages, word)
			i++
		case known(name):
			inPackages, afterUnknown = false, false
			i += inv.takeFlag(i)
		default:
			packagesDone, inPackages, afterUnknown = true, false, !hasValue
			i++
		}
	}
}

// takeFlag adds the flag at args[i] and returns how many words it takes.
func (inv *invocation) takeFlag(i int) int {
	name, value, hasValue, _ := flagWord(inv.args[i])
	f := argFlag{name: strings.TrimPrefix(name, "test."), value: value, at: i, words: 1}
	if !hasValue && !slices.Contains(boolFlags, f.name) && i+1 < len(inv.args) {
		f.value, f.words = inv.args[i+1], 2
	}
	inv.flags = append(inv.flags, f)
	return f.words
}

func known(name string) bool {
	name = strings.TrimPrefix(name, "test.")
	return slices.Contains(boolFlags, name) || slices.Contains(valueFlags, name)
}

// lookup returns the last flag of that name.
func (inv *invocation) lookup(name string) (f argFlag, ok bool) {
	for i := len(inv.flags) - 1; i >= 0; i-- {
		if inv.flags[i].name == name {
			return inv.flags[i], true
		}
	}
	return argFlag{}, false
}

// replace returns the arguments with the flag's words replaced by one.
func (inv *invocation) replace(f argFlag, word string) []string {
	return slices.Concat(inv.args[:f.at], []string{word}, inv.args[f.at+f.words:])
}
