package benchtable

import (
	"path"
	"strconv"
	"strings"
)

// Labels returns for each row what to call it among the others: without
// "Benchmark", without the number of threads if it is the same for all, and
// with the package only if there are several.
func Labels(rows []Row) []string {
	labels := make([]string, len(rows))
	common, several := commonProcs(rows), severalPackages(rows)
	for i, r := range rows {
		l := strings.TrimSuffix(r.Name, common)
		if short := strings.TrimPrefix(l, "Benchmark"); short != "" {
			l = short
		}
		if several && r.Package != "" {
			l = path.Base(r.Package) + "." + l
		}
		labels[i] = l
	}
	return labels
}

// commonProcs returns the suffix for GOMAXPROCS, "-8", that all rows have.
// Go leaves it out where it is 1, so names without it are of other numbers.
func commonProcs(rows []Row) string {
	suffix := ""
	for i, r := range rows {
		at := strings.LastIndexByte(r.Name, '-')
		if at < 0 {
			return ""
		}
		if n, err := strconv.Atoi(r.Name[at+1:]); err != nil || n < 2 {
			return ""
		}
		if i > 0 && r.Name[at:] != suffix {
			return ""
		}
		suffix = r.Name[at:]
	}
	return suffix
}

func severalPackages(rows []Row) bool {
	for _, r := range rows {
		if r.Package != rows[0].Package {
			return true
		}
	}
	return false
}
