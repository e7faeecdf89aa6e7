//go:build !goexperiment.jsonv2

package parsers

// jsonV2 stands for the parser that this build does not have.
func jsonV2() Parser {
	return Parser{Name: JSONv2, Lacks: "a build with GOEXPERIMENT=jsonv2"}
}
