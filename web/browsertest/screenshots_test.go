package browsertest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// screenshots is where pictures go, for the documentation and for those who
// change how the page looks:
//
//	go test -run 'Screenshots|Paper' . -screenshots DIR
var screenshots = flag.String("screenshots", "", "`directory` to write pictures of the pages to")

// picture keeps a picture if pictures are wanted.
func picture(t *testing.T, name string, data []byte) {
	t.Helper()
	if *screenshots == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(*screenshots, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// whole makes a picture of the whole page.
func (b *tab) whole(width int64) []byte {
	b.t.Helper()
	height := eval[int64](b, `document.documentElement.scrollHeight`)
	b.do(chromedp.EmulateViewport(width, min(height, 12000)))
	b.settle()
	return b.window()
}

// window makes a picture of what the window shows.
func (b *tab) window() []byte {
	b.t.Helper()
	data, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	b.must(err)
	return data
}

func TestScreenshots(t *testing.T) {
	if *screenshots == "" {
		t.Skip("no pictures are wanted: name a directory with -screenshots")
	}
	file := write(t, walled(t, spreadsheet(t)))
	for _, dark := range []bool{false, true} {
		theme := map[bool]string{false: "light", true: "dark"}[dark]
		for _, width := range []int64{1280, 400} {
			b := newTab(t, width, dark)
			b.open(file)
			picture(t, fmt.Sprintf("report-%d-%s-top.png", width, theme), b.window())
			picture(t, fmt.Sprintf("report-%d-%s.png", width, theme), b.whole(width))
		}
	}
}
