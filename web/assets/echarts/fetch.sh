#!/bin/sh
# Gets Apache ECharts from its npm package, and refuses any other file than the
# one that the tests know. Run it from anywhere; it needs npm.
set -eu
version=5.6.0
sum=bf4a223524e40b77c304bec67e1222cf551f14880cf42c69dc046558e11c07b1
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
npm pack --silent "echarts@$version" >/dev/null
tar xzf "echarts-$version.tgz"
echo "$sum  package/dist/echarts.min.js" | sha256sum -c -
cp package/dist/echarts.min.js package/LICENSE package/NOTICE "$here/"
cp package/licenses/* "$here/licenses/"
