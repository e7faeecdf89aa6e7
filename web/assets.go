package web

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/alloctop/alloctop/web/internal/onefile"
)

// echarts.min.js is Apache ECharts as npm has it; assets/echarts/fetch.sh gets
// it, and a test holds it to its checksum.
//
//go:embed assets/page.html assets/page.css assets/js/*.js
//go:embed assets/echarts/echarts.min.js assets/echarts/LICENSE assets/echarts/NOTICE assets/echarts/licenses
var assets embed.FS

// script is a script or style, and what a content security policy calls it.
type script struct {
	Text   string
	source string // 'sha256-…'
}

func newScript(text string) script {
	return script{text, onefile.Source(text)}
}

// pageAssets is what every page carries.
type pageAssets struct {
	page    string
	style   script
	echarts script
	own     script
	charts  []byte // options, JSON
}

// loadAssets reads the embedded files, once.
var loadAssets = sync.OnceValues(func() (*pageAssets, error) {
	a := new(pageAssets)
	var own strings.Builder
	own.WriteString("(() => {\n\"use strict\";\n")
	scripts, err := fs.Glob(assets, "assets/js/*.js")
	if err != nil {
		return nil, err
	}
	for _, name := range scripts {
		text, err := assets.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("reading the page's scripts: %w", err)
		}
		own.Write(text)
	}
	own.WriteString("})();\n")
	a.own = newScript(own.String())
	for name, to := range map[string]func(string){
		"assets/page.html":              func(s string) { a.page = s },
		"assets/page.css":               func(s string) { a.style = newScript(s) },
		"assets/echarts/echarts.min.js": func(s string) { a.echarts = newScript(s) },
	} {
		text, err := assets.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("reading the page's parts: %w", err)
		}
		to(string(text))
	}
	a.charts, err = chartOptions()
	return a, err
})

// policy returns the content security policy of a page: its own two scripts
// and its style, and nothing from anywhere, but what connect allows.
func (a *pageAssets) policy(connect string) string {
	return strings.Join([]string{
		"default-src 'none'",
		"script-src " + a.echarts.source + " " + a.own.source,
		"style-src " + a.style.source,
		"img-src data:",
		"connect-src " + connect,
		"base-uri 'none'",
		"form-action 'none'",
	}, "; ")
}
