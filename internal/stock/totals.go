package stock

import (
	"fmt"
	"os"
	"strings"
)

// ReadTotals reads what a test with the overlay of this package left: how many
// objects and bytes the runtime counted from its start to its end.
func ReadTotals(path string) (objects, bytes int64, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, err
	}
	line, whole := strings.CutSuffix(string(data), "\n")
	if _, err := fmt.Sscanf(line, "%d %d", &objects, &bytes); err != nil || !whole {
		return 0, 0, fmt.Errorf("%s: not the totals of a test: %q", path, data)
	}
	return objects, bytes, nil
}
