package pprofui

import "flag"

// flags are command line flags that come from here and not from the command
// line.
type flags struct {
	set  *flag.FlagSet
	args []string
}

func newFlags(args ...string) *flags {
	return &flags{flag.NewFlagSet("pprof", flag.ContinueOnError), args}
}

func (f *flags) Bool(name string, def bool, usage string) *bool { return f.set.Bool(name, def, usage) }

func (f *flags) Int(name string, def int, usage string) *int { return f.set.Int(name, def, usage) }

func (f *flags) Float64(name string, def float64, usage string) *float64 {
	return f.set.Float64(name, def, usage)
}

func (f *flags) String(name, def, usage string) *string { return f.set.String(name, def, usage) }

func (f *flags) StringList(name, def, usage string) *[]*string {
	return &[]*string{f.set.String(name, def, usage)}
}

func (f *flags) ExtraUsage() string { return "" }

func (f *flags) AddExtraUsage(string) {}

func (f *flags) Parse(func()) []string {
	if err := f.set.Parse(f.args); err != nil {
		return nil
	}
	return f.set.Args()
}
