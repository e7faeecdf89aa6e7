package gorun

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alloctop/alloctop/internal/wholefile"
)

// overlayFile is the go tool's overlay: which file's text stands in for which,
// "" for a file that is to be absent.
type overlayFile struct {
	Replace map[string]string
}

func readOverlay(path, dir string) (overlayFile, error) {
	var o overlayFile
	data, err := os.ReadFile(absIn(dir, path))
	if err != nil {
		return o, err
	}
	if err := json.Unmarshal(data, &o); err != nil {
		return o, fmt.Errorf("overlay %s: %w", path, err)
	}
	return o, nil
}

// absIn makes a path absolute that is meant from dir, as the go tool does.
func absIn(dir, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// mergeOverlays writes an overlay with the replacements of ours and of theirs,
// whose paths are meant from dir, into the directory out, and returns its path.
// It fails with a collisionError if both replace the same file.
func mergeOverlays(ours, theirs, dir, out string) (string, error) {
	merged, err := readOverlay(ours, dir)
	if err != nil {
		return "", err
	}
	user, err := readOverlay(theirs, dir)
	if err != nil {
		return "", err
	}
	mine := map[string]string{}
	for from, to := range merged.Replace {
		mine[realPath(from)] = to
	}
	var both []string
	for from, to := range user.Replace {
		from, to = absIn(dir, from), absIn(dir, to)
		if ours, ok := mine[realPath(from)]; ok && to != ours { // the same comes from an alloctop around this one
			both = append(both, from)
		}
		merged.Replace[from] = to
	}
	if len(both) > 0 {
		slices.Sort(both)
		return "", collisionError{overlay: theirs, files: both}
	}
	data, err := json.MarshalIndent(merged, "", "\t")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	path := filepath.Join(out, "overlay-"+hex.EncodeToString(sum[:8])+".json")
	return path, wholefile.Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// collisionError says that the user's own overlay replaces files that the hook needs.
type collisionError struct {
	overlay string
	files   []string
}

func (e collisionError) Error() string {
	return fmt.Sprintf("the overlay %s replaces %s, where the hook has to go", e.overlay, strings.Join(e.files, ", "))
}

// realPath resolves the links of a path whose end need not exist.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(real, filepath.Base(path))
	}
	return filepath.Clean(path)
}
