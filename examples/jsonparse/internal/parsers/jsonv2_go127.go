//go:build goexperiment.jsonv2 && go1.27

package parsers

import "encoding/json/v2"

// Go 1.27 has the package by default, but only for files that ask for this version.

func unmarshalV2(doc []byte, v any) error { return json.Unmarshal(doc, v) }
