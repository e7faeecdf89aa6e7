module github.com/alloctop/alloctop/examples/jsonparse

go 1.26.0

require (
	github.com/bytedance/sonic v1.15.5
	github.com/goccy/go-json v0.12.0
	github.com/google/go-cmp v0.7.0
	github.com/minio/simdjson-go v0.4.5
	github.com/valyala/fastjson v1.6.10
)

require github.com/google/pprof v0.0.0-20261105003125-4bf881d7fb0b // indirect

require (
	github.com/alloctop/alloctop v0.0.0-00010101000000-000000000000
	github.com/bytedance/gopkg v0.1.3 // indirect
	github.com/bytedance/sonic/loader v0.5.3 // indirect
	github.com/cloudwego/base64x v0.1.6 // indirect
	github.com/klauspost/compress v1.15.15 // indirect
	github.com/klauspost/cpuid/v2 v2.2.9 // indirect
	github.com/twitchyliquid64/golang-asm v0.15.1 // indirect
	golang.org/x/arch v0.0.0-20210923205945-b76863e36670 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/alloctop/alloctop => ../..
