module github.com/alloctop/alloctop

go 1.26.0
