//go:build goexperiment.jsonv2 && !go1.27

package parsers

import "encoding/json/v2"

func unmarshalV2(doc []byte, v any) error { return json.Unmarshal(doc, v) }
