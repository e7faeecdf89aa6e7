package callsite_test

import (
	"fmt"

	"github.com/alloctop/alloctop/callsite"
)

// A field of a CSV file becomes a string.
func ExampleRules_Locate() {
	rules := callsite.Rules{Modules: []callsite.Module{{Path: "example.com/app", Dir: "/home/u/app"}}}
	l := rules.Locate([]callsite.Frame{
		{Function: "runtime.slicebytetostring", File: "/usr/local/go/src/runtime/string.go", Line: 170},
		{Function: "encoding/csv.(*Reader).readRecord", File: "/usr/local/go/src/encoding/csv/reader.go", Line: 407},
		{Function: "encoding/csv.(*Reader).Read", File: "/usr/local/go/src/encoding/csv/reader.go", Line: 200},
		{Function: "example.com/app/load.Rows", File: "/home/u/app/load/rows.go", Line: 31},
		{Function: "main.main", File: "/home/u/app/main.go", Line: 10},
	})
	fmt.Printf("%s allocates in line %d\n", l.Site.Function, l.Site.Line)
	fmt.Printf("for %s in line %d\n", l.User.Function, l.User.Line)
	fmt.Printf("%s: %s\n", l.Cause, callsite.Explain(l.Cause))
	// Output:
	// encoding/csv.(*Reader).readRecord allocates in line 407
	// for example.com/app/load.Rows in line 31
	// string from bytes: string(b) of a []byte copies the bytes
}

func ExampleNormalize() {
	fmt.Println(callsite.Normalize("example.com/my%2epkg.(*List[go.shape.struct { X int }]).Add"))
	// Output: example.com/my.pkg.(*List[...]).Add
}

func ExamplePackage() {
	fmt.Println(callsite.Package("example.com/app/load.(*Reader).Rows.func1"))
	// Output: example.com/app/load
}
