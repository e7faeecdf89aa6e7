package browsertest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// allocating is a program that allocates little until there is a file "fast",
// then much, and ends when there is a file "stop".
const allocating = `package main

import (
	"os"
	"time"
)

var sink *[3]int

func exists(name string) bool { _, err := os.Stat(name); return err == nil }

func main() {
	for n := 1000; !exists("stop"); time.Sleep(10 * time.Millisecond) {
		if exists("fast") {
			n = 20_000
		}
		for range n {
			sink = new([3]int)
		}
	}
}
`

// command is alloctop at work in a directory.
type command struct {
	t      *testing.T
	dir    string
	url    string
	cmd    *exec.Cmd
	stderr bytes.Buffer
	copied chan struct{} // closed when stderr is complete
}

// alloctop builds the command and starts it on the program. It returns once the
// page has an address.
func alloctop(t *testing.T) *command {
	t.Helper()
	c := &command{t: t, dir: t.TempDir(), copied: make(chan struct{})}
	binary := filepath.Join(t.TempDir(), "alloctop")
	build := exec.Command("go", "build", "-o", binary, "./cmd/alloctop")
	build.Dir, build.Env = "../..", append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	c.file("go.mod", "module example.com/app\ngo 1.26\n")
	c.file("main.go", allocating)
	env := append(os.Environ(), "GOWORK=off", "XDG_CACHE_HOME="+t.TempDir(), "GOCACHE="+strings.TrimSpace(string(cache)))
	build = exec.Command(binary, "--", "go", "build", "-o", "app", ".") // with Go's library, which takes its time
	build.Dir, build.Env = c.dir, env
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c.cmd = exec.Command(binary, "--http", "127.0.0.1:0", "--source", "--", "./app")
	c.cmd.Dir, c.cmd.Env = c.dir, env
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stderr, err := c.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL) })
	lines := bufio.NewReader(stderr)
	for c.url == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("it printed no address: %v", err)
		}
		c.url = regexp.MustCompile(`http://127\.0\.0\.1:\d+/`).FindString(line)
	}
	go func() {
		defer close(c.copied)
		io.Copy(&c.stderr, lines)
	}()
	return c
}

func (c *command) file(name, text string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// rate is what the page says of the last second, 0 if nothing yet.
const rate = `parseInt((document.querySelector("#rates-sub").innerText || "0").replaceAll(",", ""))`

// coloured counts the pixels of a plot that are not grey. Areas shine through,
// so that their colours are mixed.
const coloured = `((canvas) => {
	const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
	let n = 0;
	for (let i = 0; i < data.length; i += 4) {
		const rgb = [data[i], data[i + 1], data[i + 2]];
		if (data[i + 3] > 0 && Math.max(...rgb) - Math.min(...rgb) > 80) n++;
	}
	return n;
})(document.querySelector("#%s canvas"))`

// The page of a command moves as its program allocates more, and keeps the
// report that the command ended with.
func TestCommandThatRuns(t *testing.T) {
	newTab(t, 1280, false) // before all, there has to be a browser
	c := alloctop(t)
	b := newTab(t, 1280, false)
	b.open(c.url)
	b.waitFor(`!document.getElementById("rates").hidden && ` + rate + ` > 1000`)
	slow := eval[int](b, rate)
	c.file("fast", "")
	b.waitFor(rate + ` > 3 * ` + eval[string](b, `String(`+rate+`)`))
	if fast := eval[int](b, rate); fast <= slow {
		t.Errorf("the rate is %d, and was %d before the program allocated 20 times as much", fast, slow)
	}
	picture(t, "http-1280-light-running.png", b.window())
	for _, plot := range []string{"rate-plot", "rate-heat-plot"} {
		if got := eval[int](b, fmt.Sprintf(coloured, plot)); got < 1000 {
			t.Errorf("%s has %d pixels that are not grey", plot, got)
		}
	}
	b.waitFor(`document.querySelector("#line-body").innerText.includes("sink = new([3]int)")`)
	c.file("stop", "")
	b.waitFor(`document.getElementById("live").innerText === "ended"`)
	<-c.copied
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("the command ended with %v", err)
	}
	whole := regexp.MustCompile(`example\.com/app: ([\d,]+) allocations`).FindStringSubmatch(c.stderr.String())
	if whole == nil {
		t.Fatalf("the report is\n%s", &c.stderr)
	}
	if got := b.text("h1"); !strings.HasSuffix(got, " of "+whole[1]+" allocations") {
		t.Errorf("the page ends with %q, and the report with %s allocations", got, whole[1])
	}
	if got, want := b.text("#rates-title"), "What did it do over time?"; got != want {
		t.Errorf("after the end the title is %q, want %q", got, want)
	}
	for _, address := range b.requests {
		if address != c.url && !strings.HasPrefix(address, c.url+"events?page=") {
			t.Errorf("the page asked for %s", address)
		}
	}
	picture(t, "http-1280-light-top.png", b.window())
}

// That a program ended, or does not answer, is said in a narrow window too, and
// takes neither the numbers nor the place away.
func TestTroubleIsSaid(t *testing.T) {
	p, s := run(t)
	b := newTab(t, 400, false)
	b.open(s.URL)
	b.waitFor(`document.getElementById("live").innerText === "live"`)
	const why = "the program at localhost:6060 ended, or serves no more (dial tcp 127.0.0.1:6060: connect: connection refused)"
	p.fail(errors.New(why))
	b.waitFor(`document.getElementById("live").title.includes("connection refused")`)
	picture(t, "trouble-400-light-top.png", b.window())
	if got := eval[int](b, `document.documentElement.scrollWidth`); got > 400 {
		t.Errorf("the page is %d wide in a window of 400", got)
	}
	if got := eval[string](b, `document.getElementById("live-trouble").innerText`); got != why {
		t.Errorf("the page says %q, want %q", got, why)
	}
	p.fail(nil)
	b.waitFor(`document.getElementById("live").innerText === "live" && !document.getElementById("live-trouble")`)
	if got, want := b.text("h1"), "1 line makes 97 % of 103 allocations"; got != want {
		t.Errorf("the headline is %q, want %q", got, want)
	}
}
