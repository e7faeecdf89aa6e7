package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// keepName is the name that a process is started by in place of a test, through
// the -exec flag of the go tool.
const keepName = "alloctop-keep"

// IsKeep reports whether the process was started in place of a test.
func IsKeep(arg0 string) bool { return filepath.Base(arg0) == keepName }

// kept is what is written beside a test binary that was kept.
type kept struct {
	Dir  string   // that the go tool runs the test in
	Args []string // that it gives to the test
}

// Keep is what runs in place of a test: it keeps the binary and how it would
// have been run, in the directory of args[0]. That is how the go tool's own
// reading of the command line is learnt.
func Keep(args []string) error {
	if len(args) < 2 {
		return errors.New("alloctop-keep is called by the go tool, with a test binary")
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	to, err := os.CreateTemp(filepath.Dir(args[0]), "*.test")
	if err != nil {
		return err
	}
	defer to.Close()
	from, err := os.Open(args[1])
	if err != nil {
		return err
	}
	defer from.Close()
	if _, err := io.Copy(to, from); err != nil {
		return fmt.Errorf("keeping %s: %w", args[1], err)
	}
	if err := to.Chmod(0o777); err != nil {
		return err
	}
	data, err := json.Marshal(kept{dir, args[2:]})
	if err != nil {
		return err
	}
	if err := os.WriteFile(to.Name()+".json", data, 0o666); err != nil {
		return err
	}
	return to.Close()
}

// readKept returns how a binary that was kept is run, and its checksum.
func readKept(binary string) (k kept, sum string, err error) {
	data, err := os.ReadFile(binary + ".json")
	if err != nil {
		return k, "", err
	}
	if err := json.Unmarshal(data, &k); err != nil {
		return k, "", err
	}
	f, err := os.Open(binary)
	if err != nil {
		return k, "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return k, "", err
	}
	return k, hex.EncodeToString(h.Sum(nil)), nil
}

// arguments returns what a test binary is given: what the go tool gave it, and
// flags that go over its flags, before the words that are for the test.
func (k kept) arguments(flags ...string) []string {
	var own, rest []string
	for _, arg := range k.Args {
		switch name, _, _ := strings.Cut(arg, "="); {
		case name == "-test.testlogfile" || name == "-test.gocoverdir":
			// They name files of the go tool, which are gone.
		case strings.HasPrefix(arg, "-test.") && len(rest) == 0:
			own = append(own, arg)
		default:
			rest = append(rest, arg)
		}
	}
	return append(append(own, flags...), rest...)
}
