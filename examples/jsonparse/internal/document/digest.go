package document

import "slices"

// Digest says what a parser found in a document. Of two parsers that read the
// same it is the same.
type Digest []Array

// Array is the digest of one array.
type Array struct {
	Name    string
	Numbers int
	Sum     float64 // of the numbers, added up in their order
	Texts   int
	Bytes   int    // of all texts, without their escapes
	Hash    uint64 // of all texts in their order, FNV-1a
}

// Elements returns the number of elements of all arrays.
func (d Digest) Elements() (n int) {
	for _, a := range d {
		n += a.Numbers + a.Texts
	}
	return n
}

// Sort puts the arrays into the order of their names: a parser that makes a map
// gives them in any order.
func (d Digest) Sort() {
	slices.SortFunc(d, func(a, b Array) int {
		switch {
		case a.Name < b.Name:
			return -1
		case a.Name > b.Name:
			return 1
		}
		return 0
	})
}

// The parameters of the 64-bit FNV-1a hash.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// NewArray returns the digest of an array without elements.
func NewArray(name string) Array { return Array{Name: name, Hash: fnvOffset} }

// AddNumber adds a number.
func (a *Array) AddNumber(f float64) {
	a.Numbers++
	a.Sum += f
}

// AddText adds a text. The hash takes its length too, so that a text cannot
// lend a letter to the next.
func AddText[T string | []byte](a *Array, text T) {
	a.Texts++
	a.Bytes += len(text)
	h := (a.Hash ^ uint64(len(text))) * fnvPrime
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * fnvPrime
	}
	a.Hash = h
}
