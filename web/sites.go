package web

import (
	"cmp"
	"slices"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/callsite"
	"github.com/alloctop/alloctop/sizeclass"
)

// siteColumns are the sites that a page shows, most objects first, a column
// for each thing to know of them. Names are indexes into data.Strings.
type siteColumns struct {
	Place        []int     `json:"place"`
	Line         []int     `json:"line"`
	File         []int     `json:"file"`
	Function     []int     `json:"function"`
	Package      []int     `json:"package"`
	UserPlace    []int     `json:"userPlace"` // 0 if the line is the user's own, or there is none
	UserLine     []int     `json:"userLine"`
	UserFunction []int     `json:"userFunction"`
	UserLines    []int     `json:"userLines"`
	Cause        []int     `json:"cause"`
	Reason       []int     `json:"reason"`
	Amounts      []amounts `json:"amounts"`
	Sizes        [][]int64 `json:"sizes"` // runs of four, as a sizeRow
	Types        [][]int64 `json:"types"` // runs of two: name, objects; name -1 is all others
}

// newSiteColumns makes the columns of the given sites of s.
func newSiteColumns(s *alloccount.Scope, shown []*alloccount.Site, classes map[sizeclass.Bound]int, t *table) siteColumns {
	c := siteColumns{Amounts: []amounts{}, Sizes: [][]int64{}, Types: [][]int64{}}
	for _, column := range []*[]int{&c.Place, &c.Line, &c.File, &c.Function, &c.Package, &c.UserPlace, &c.UserLine, &c.UserFunction, &c.UserLines, &c.Cause, &c.Reason} {
		*column = make([]int, len(shown))
	}
	for i, x := range shown {
		c.Place[i] = t.index(s.Place(x.Function, x.Package, x.File))
		c.Line[i] = x.Line
		c.File[i] = t.index(x.File)
		c.Function[i] = t.index(x.Function)
		c.Package[i] = t.index(x.Package)
		if x.UserFile != "" && (x.UserFile != x.File || x.UserLine != x.Line) {
			pkg := callsite.Frame{Function: x.UserFunction, File: x.UserFile}.Package()
			c.UserPlace[i] = t.index(s.Place(x.UserFunction, pkg, x.UserFile))
			c.UserLine[i] = x.UserLine
			c.UserFunction[i] = t.index(x.UserFunction)
		}
		c.UserLines[i] = x.UserLines
		c.Cause[i] = t.index(x.Cause)
		c.Reason[i] = t.index(x.Reason)
		c.Amounts = append(c.Amounts, amounts{x.Objects, x.Bytes, x.Requested})
		c.Sizes = append(c.Sizes, flatSizes(x.SizeClasses, classes))
		c.Types = append(c.Types, flatTypes(x.Types, t))
	}
	return c
}

// flatSizes puts rows behind each other. Classes that the scope does not have
// cannot be shown, and a report has none.
func flatSizes(buckets []sizeclass.Bucket, classes map[sizeclass.Bound]int) []int64 {
	flat := make([]int64, 0, 4*len(buckets))
	for _, b := range buckets {
		if class, ok := classes[b.Max]; ok {
			row := rowOf(class, b)
			flat = append(flat, row[:]...)
		}
	}
	return flat
}

// flatTypes puts the types of a site behind each other.
func flatTypes(types []alloccount.TypeCount, t *table) []int64 {
	var flat []int64
	var others int64
	for i, x := range types {
		if i < mostTypes {
			flat = append(flat, int64(t.index(x.Words())), x.Objects)
			continue
		}
		others += x.Objects
	}
	if others > 0 {
		flat = append(flat, -1, others)
	}
	return flat
}

// heaviest returns at most n sites of s, by whatever measure they are heavy,
// in the order of the report.
func heaviest(s *alloccount.Scope, n int) []*alloccount.Site {
	if len(s.Sites) <= n {
		return s.Sites
	}
	weight := func(x *alloccount.Site) float64 {
		return max(part(x.Objects, s.Totals.Objects), part(x.Bytes, s.Totals.Bytes), part(x.Requested, s.Totals.Requested))
	}
	order := make([]int, len(s.Sites))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight(s.Sites[b]), weight(s.Sites[a])) })
	order = order[:n]
	slices.Sort(order)
	shown := make([]*alloccount.Site, n)
	for i, at := range order {
		shown[i] = s.Sites[at]
	}
	return shown
}

// part returns a/b, 0 if b is 0.
func part(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// restOf sums up the sites of s that are not shown, nil if all are.
func restOf(s *alloccount.Scope, shown []*alloccount.Site, classes map[sizeclass.Bound]int) *restData {
	if len(shown) == len(s.Sites) {
		return nil
	}
	isShown := make(map[*alloccount.Site]bool, len(shown))
	for _, x := range shown {
		isShown[x] = true
	}
	rest := &restData{Sites: len(s.Sites) - len(shown)}
	rows := make([]amounts, len(s.SizeClasses))
	for _, x := range s.Sites {
		if isShown[x] {
			continue
		}
		rest.Totals.add(x.Objects, x.Bytes, x.Requested)
		for _, b := range x.SizeClasses {
			if class, ok := classes[b.Max]; ok {
				rows[class].add(b.Objects, b.Bytes, b.Requested)
			}
		}
	}
	for class, a := range rows {
		if a != (amounts{}) {
			rest.Sizes = append(rest.Sizes, sizeRow{int64(class), a[0], a[1], a[2]})
		}
	}
	return rest
}
