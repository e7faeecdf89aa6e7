//go:build goexperiment.jsonv2

package parsers

// jsonV2 is the second version of encoding/json. In such a build the first is
// made of it.
func jsonV2() Parser { return Parser{Name: JSONv2, Parse: unmarshal(unmarshalV2)} }
