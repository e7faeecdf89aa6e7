package web

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What people with one kind of cone missing see of linear red, green and blue:
// G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A Physiologically-based
// Model for Simulation of Color Vision Deficiency", 2009.
var sight = map[string][3][3]float64{
	"all cones":     {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"no red cone":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"no green cone": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"no blue cone":  {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// lab returns where a colour is in a space in which equal distances look alike
// (CIE 1976).
func lab(t *testing.T, color string, eyes [3][3]float64) [3]float64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(color, "#"), 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	var linear, seen [3]float64
	for i, shift := range []int{16, 8, 0} {
		c := float64(n>>shift&255) / 255
		if linear[i] = c / 12.92; c > 0.04045 {
			linear[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	for i, row := range eyes {
		seen[i] = max(0, row[0]*linear[0]+row[1]*linear[1]+row[2]*linear[2])
	}
	f := func(v float64) float64 {
		if v > 0.008856 {
			return math.Cbrt(v)
		}
		return 7.787*v + 16.0/116
	}
	x := f((0.4124*seen[0] + 0.3576*seen[1] + 0.1805*seen[2]) / 0.9505)
	y := f(0.2126*seen[0] + 0.7152*seen[1] + 0.0722*seen[2])
	z := f((0.0193*seen[0] + 0.1192*seen[1] + 0.9505*seen[2]) / 1.0890)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// The colours of lines, of all other lines and of the paper can be told apart
// by all eyes, in both themes. A distance of 2 can just be seen.
func TestColoursAreToldApart(t *testing.T) {
	const least = 12
	light, rest, _ := strings.Cut(mustAssets(t).style.Text, ":root[data-theme=dark] {")
	dark, _, _ := strings.Cut(rest, "}")
	variable := regexp.MustCompile(`--(c\d|rest|paper): (#[0-9a-f]{6});`)
	for theme, text := range map[string]string{"light": light, "dark": dark} {
		colors := make(map[string]string)
		for _, m := range variable.FindAllStringSubmatch(text, -1) {
			colors[m[1]] = m[2]
		}
		if len(colors) != 8 {
			t.Fatalf("%s: %d colours, want 8", theme, len(colors))
		}
		names := slices.Sorted(maps.Keys(colors))
		for who, eyes := range sight {
			for i, a := range names {
				for _, b := range names[:i] {
					x, y := lab(t, colors[a], eyes), lab(t, colors[b], eyes)
					if d := math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2]); d < least {
						t.Errorf("%s, %s: %s and %s are %s apart, want %d", theme, who, a, b, fmt.Sprintf("%.1f", d), least)
					}
				}
			}
		}
	}
}
