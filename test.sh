#!/bin/sh
# Runs all tests of all modules, after fetching what they need.
set -eu
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*"; }

step "what the tests need"
go version
GOTOOLCHAIN=go1.27.4 go version # the other supported release, as a toolchain line gets it
if [ -f web/browsertest/go.mod ] && ! command -v chromium >/dev/null; then
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		apt-get update -q >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -q chromium >/dev/null
	else
		echo "the browser tests want chromium in PATH; on Debian: apt-get install chromium" >&2
	fi
fi

modules=". examples/jsonparse examples/xlsx"
[ ! -f web/browsertest/go.mod ] || modules="$modules web/browsertest"

step "format, vet, staticcheck"
unformatted=$(gofmt -l $(git ls-files '*.go'))
[ -z "$unformatted" ] || { echo "not formatted: $unformatted" >&2; exit 1; }
for m in $modules; do
	(cd "$m" && go vet ./... && go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...)
done

step "the module by itself, as its users get it"
GOWORK=off go mod tidy -diff
GOWORK=off go test -timeout 30m ./...

step "the main job of the README, and tests that alloctop counts though they run alloctop themselves"
go run ./cmd/alloctop --per cells/op -- go test -run '^$' -bench Read ./examples/xlsx
# Without CI: what is skipped here is not skipped below and above.
CI= go run ./cmd/alloctop --top 1 -- go test ./examples/quickstart ./examples/lines ./examples/jsonparse ./examples/xlsx

step "under the race detector"
GOWORK=off go test -race -shuffle=on ./alloccount ./alloccount/offcpu ./callsite ./sizeclass

for m in $modules; do
	[ "$m" != . ] || continue
	step "$m"
	(cd "$m" && go test -timeout 20m ./...)
done
