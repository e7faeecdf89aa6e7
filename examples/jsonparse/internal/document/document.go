// Package document makes the JSON documents of the study, and the digest by
// which what a parser made of one is compared.
//
// A document is one object of [Arrays] arrays. Those with even numbers hold
// decimals, the others texts. Every element takes 12 bytes with its comma, so
// that the document of the story, 500,000 elements in each array, has 60 MB.
package document

import (
	"math/rand/v2"
	"strconv"
)

// Arrays is the number of arrays of a document.
const Arrays = 10

// elementBytes is what an element takes, with the comma behind it.
const elementBytes = 12

// New returns the document with this many elements in each array. The same
// number gives the same bytes each time.
func New(elements int) []byte {
	rng := rand.New(rand.NewPCG(60, 5_000_000))
	doc := make([]byte, 0, Arrays*(elements*elementBytes+len(`"array0":[],`))+len(`{}`))
	for i := range Arrays {
		doc = append(doc, "{,"[min(i, 1)])
		doc = append(strconv.AppendQuote(doc, Name(i)), ":["...)
		for j := range elements {
			if j > 0 {
				doc = append(doc, ',')
			}
			if i%2 == 0 {
				doc = appendDecimal(doc, rng)
			} else {
				doc = appendText(doc, rng)
			}
		}
		doc = append(doc, ']')
	}
	return append(doc, '}')
}

// Name returns the name of an array, from 0.
func Name(array int) string { return "array" + strconv.Itoa(array) }

// appendDecimal appends a number of five digits, a point and five digits.
func appendDecimal(doc []byte, rng *rand.Rand) []byte {
	doc = strconv.AppendInt(doc, 10_000+rng.Int64N(90_000), 10)
	doc = append(doc, '.')
	return append(doc, strconv.Itoa(100_000 + rng.IntN(100_000))[1:]...)
}

// appendText appends a text of nine bytes in quotes. One of sixteen begins with
// an escape, so that a parser cannot take all of them as they stand.
func appendText(doc []byte, rng *rand.Rand) []byte {
	const letters = "abcdefghijklmnopqrstuvwxyz      "
	doc = append(doc, '"')
	n := 9
	if rng.IntN(16) == 0 {
		doc = append(doc, `\u00e9`...)
		n -= len(`\u00e9`)
	}
	for bits := rng.Uint64(); n > 0; n-- {
		doc = append(doc, letters[bits%uint64(len(letters))])
		bits /= uint64(len(letters))
	}
	return append(doc, '"')
}
