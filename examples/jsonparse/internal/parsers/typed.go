package parsers

import (
	"encoding/json"

	"github.com/alloctop/alloctop/examples/jsonparse/internal/document"
)

// typed is the document for one who knows what is in it: no element needs a
// box of its own to say what it is.
type typed struct {
	Array0 []float64 `json:"array0"`
	Array1 []string  `json:"array1"`
	Array2 []float64 `json:"array2"`
	Array3 []string  `json:"array3"`
	Array4 []float64 `json:"array4"`
	Array5 []string  `json:"array5"`
	Array6 []float64 `json:"array6"`
	Array7 []string  `json:"array7"`
	Array8 []float64 `json:"array8"`
	Array9 []string  `json:"array9"`
}

func parseTyped(doc []byte) (document.Digest, error) {
	var t typed
	if err := json.Unmarshal(doc, &t); err != nil {
		return nil, err
	}
	digest := make(document.Digest, document.Arrays)
	for i := range digest {
		digest[i] = document.NewArray(document.Name(i))
	}
	for i, numbers := range [][]float64{t.Array0, t.Array2, t.Array4, t.Array6, t.Array8} {
		for _, n := range numbers {
			digest[2*i].AddNumber(n)
		}
	}
	for i, texts := range [][]string{t.Array1, t.Array3, t.Array5, t.Array7, t.Array9} {
		for _, s := range texts {
			document.AddText(&digest[2*i+1], s)
		}
	}
	return digest, nil
}
