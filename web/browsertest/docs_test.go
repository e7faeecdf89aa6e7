package browsertest

import (
	"bufio"
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// images is where the pictures of docs/pages.md go:
//
//	go test -run DocsPictures . -images ../../docs/images
var images = flag.String("images", "", "`directory` to write the pictures of the documentation to")

// mostImage bounds a picture, in bytes.
const mostImage = 150 << 10

// pictured is the scope that the documentation tells of.
const pictured = "scope=github.com/alloctop/alloctop/examples/xlsx.BenchmarkRead/naive-2"

func TestDocsPictures(t *testing.T) {
	if *images == "" {
		t.Skip("no pictures are wanted: name a directory with -images")
	}
	b := newTab(t, 1280, false)
	b.open(write(t, walled(t, spreadsheet(t))) + "#" + pictured)
	b.do(chromedp.EmulateViewport(1280, 830))
	b.settle()
	keep(t, "page-top.png", b.window())
	b.show(pictured + "&size=33-64")
	b.do(eval0(`document.getElementById("sizes").scrollIntoView()`))
	b.settle()
	keep(t, "page-filter.png", b.window())
	b.show(pictured)
	for _, id := range []string{"line", "heat", "tree", "flame", "wall"} {
		keep(t, "page-"+id+".png", b.section(id))
	}

	phone := newTab(t, 400, true)
	phone.open(write(t, spreadsheet(t)) + "#" + pictured)
	keep(t, "page-phone.png", phone.window())

	live := newTab(t, 1280, false)
	pictureLive(t, live)
}

// section makes a picture of a part of the page, without what stands around it.
func (b *tab) section(id string) []byte {
	b.t.Helper()
	const width, most = 1100, 900
	b.do(eval0(`(() => {
		document.body.classList.remove("several");
		document.getElementById("scopes").hidden = true;
		document.querySelector("header.bar").style.position = "static";
		document.querySelector(".flame-scroll").style.maxHeight = "none";
	})()`))
	b.do(chromedp.EmulateViewport(width, most))
	b.settle()
	height := eval[float64](b, fmt.Sprintf(`document.getElementById(%q).offsetHeight`, id))
	b.do(chromedp.EmulateViewport(width, min(int64(height), most)))
	b.do(eval0(fmt.Sprintf(`scrollTo(0, document.getElementById(%q).getBoundingClientRect().top + scrollY)`, id)))
	b.settle()
	return b.window()
}

// pictureLive makes a picture of the page of a command that runs: alloctop and
// benchmarks of the standard library. It takes a while.
func pictureLive(t *testing.T, b *tab) {
	t.Helper()
	alloctop := filepath.Join(t.TempDir(), "alloctop")
	if out, err := exec.Command("go", "build", "-o", alloctop, "github.com/alloctop/alloctop/cmd/alloctop").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	test := []string{"--", "go", "test", "-run", "^$", "-bench", "Marshal|Unmarshal|Indent", "encoding/xml", "-benchtime"}
	if out, err := exec.Command(alloctop, append(test, "1x")...).CombinedOutput(); err != nil { // compiles it
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(alloctop, append(append([]string{"--http", "127.0.0.1:0"}, test...), "20s")...)
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	})
	address := ""
	lines := bufio.NewScanner(stderr)
	for address == "" && lines.Scan() {
		_, address, _ = strings.Cut(lines.Text(), "the page is at ")
	}
	if address == "" {
		t.Fatal("alloctop served no page")
	}
	go func() {
		for lines.Scan() { // or it would block
		}
	}()
	b.open(address)
	for range 90 {
		if eval[bool](b, `Number(document.body.dataset.ticks || 0) > 40`) {
			break
		}
		time.Sleep(time.Second)
	}
	b.click("#live") // hold it
	keep(t, "page-live.png", b.section("rates"))
}

// keep writes a picture, small enough for a repository.
func keep(t *testing.T, name string, data []byte) {
	t.Helper()
	data = fewColors(t, data)
	if len(data) > mostImage {
		t.Errorf("%s has %d bytes, want at most %d", name, len(data), mostImage)
	}
	if err := os.WriteFile(filepath.Join(*images, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// fewColors makes a picture smaller: it gets a palette of its 256 most frequent
// colours, which letters and flat areas are fine with.
func fewColors(t *testing.T, data []byte) []byte {
	t.Helper()
	full, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	box := full.Bounds()
	seen := make(map[color.RGBA]int)
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(full.At(x, y)).(color.RGBA) }
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			seen[at(x, y)]++
		}
	}
	common := slices.SortedFunc(maps.Keys(seen), func(a, b color.RGBA) int { return cmp.Compare(seen[b], seen[a]) })
	var palette color.Palette
	for _, c := range common[:min(256, len(common))] {
		palette = append(palette, c)
	}
	index := make(map[color.RGBA]uint8, len(seen))
	for c := range seen {
		index[c] = uint8(palette.Index(c))
	}
	small := image.NewPaletted(box, palette)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			small.SetColorIndex(x, y, index[at(x, y)])
		}
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, small); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// The page of the documentation has the pictures that these tests make.
func TestDocsHaveTheirPictures(t *testing.T) {
	text, err := os.ReadFile("../../docs/pages.md")
	if err != nil {
		t.Fatal(err)
	}
	made, err := filepath.Glob("../../docs/images/page-*.png")
	if err != nil || len(made) == 0 {
		t.Fatalf("there are no pictures in docs/images: %v", err)
	}
	for _, file := range made {
		name := filepath.Base(file)
		if !strings.Contains(string(text), "images/"+name) {
			t.Errorf("docs/pages.md does not show %s", name)
		}
		if info, err := os.Stat(file); err != nil || info.Size() > mostImage {
			t.Errorf("%s has %d bytes, want at most %d (%v)", name, info.Size(), mostImage, err)
		}
	}
}
