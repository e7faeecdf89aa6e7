package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	_ "net/http/pprof" // for pprofserver
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// visitMain starts a command that serves pages, looks at them, and ends it:
//
//	visit [-tty] STATUS STEPS COMMAND...
//
// The address is the first that the command prints. Where COMMAND has ADDR in
// it, that is replaced by a free one, and with -tty its standard error is the
// terminal. STEPS is a file with a step in each line; see visitor.step. At the
// end the command is interrupted, if it has not ended, and the status is checked.
func visitMain() {
	args, tty := os.Args[1:], false
	if args[0] == "-tty" {
		args, tty = args[1:], true
	}
	steps, err := os.ReadFile(args[1])
	if err != nil {
		fatal("%v", err)
	}
	v := &visitor{cmd: exec.Command(args[2], args[3:]...)}
	v.start(tty)
	time.AfterFunc(8*time.Minute, func() { v.fail("it takes too long") })
	for line := range strings.Lines(string(steps)) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		v.at.Store(line)
		if err := v.step(line); err != nil {
			v.fail(err.Error())
		}
	}
	if !v.ended {
		v.cmd.Process.Signal(syscall.SIGINT)
	}
	v.output.Wait()
	checkStatus(v.cmd.Wait(), args[0])
}

// visitor looks at the pages of a command.
type visitor struct {
	cmd    *exec.Cmd
	url    string // "http://127.0.0.1:8080/"
	output sync.WaitGroup
	ended  bool
	at     atomic.Value // the step, a string
}

// fail ends the visit, and the command with all that it started.
func (v *visitor) fail(why string) {
	if v.cmd.SysProcAttr.Setpgid {
		syscall.Kill(-v.cmd.Process.Pid, syscall.SIGKILL)
	} else {
		v.cmd.Process.Kill()
	}
	fatal("%v: %s", v.at.Load(), why)
}

// start starts the command and finds its address.
func (v *visitor) start(tty bool) {
	v.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: !tty} // in the background of the terminal, if it is not for it
	for i, arg := range v.cmd.Args {
		if strings.Contains(arg, "ADDR") {
			addr := freeAddress()
			v.cmd.Args[i] = strings.ReplaceAll(arg, "ADDR", addr)
			v.url = "http://" + addr + "/"
		}
	}
	found := make(chan string, 2)
	v.follow(found, v.cmd.StdoutPipe, os.Stdout)
	if tty {
		terminal, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0)
		if err != nil {
			fatal("%v", err)
		}
		v.cmd.Stderr = terminal
	} else {
		v.follow(found, v.cmd.StderrPipe, os.Stderr)
	}
	if err := v.cmd.Start(); err != nil {
		fatal("%v", err)
	}
	if v.url == "" {
		if v.url = <-found; v.url == "" {
			if v.url = <-found; v.url == "" {
				fatal("the command printed no address: %v", v.cmd.Wait())
			}
		}
	}
	for range 600 {
		if c, err := net.Dial("tcp", v.addr()); err == nil {
			c.Close()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	fatal("nothing listens at %s", v.url)
}

func freeAddress() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fatal("%v", err)
	}
	defer l.Close()
	return l.Addr().String()
}

func (v *visitor) addr() string {
	return strings.TrimSuffix(strings.TrimPrefix(v.url, "http://"), "/")
}

// follow copies what the command prints, and sends the first address in it, or
// none.
func (v *visitor) follow(found chan<- string, pipe func() (io.ReadCloser, error), to io.Writer) {
	r, err := pipe()
	if err != nil {
		fatal("%v", err)
	}
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+/`)
	v.output.Go(func() {
		lines := bufio.NewReader(r)
		sent := false
		for {
			line, err := lines.ReadString('\n')
			io.WriteString(to, line)
			if at := address.FindString(line); at != "" && !sent {
				found <- at
				sent = true
			}
			if err != nil {
				if !sent {
					found <- ""
				}
				return
			}
		}
	})
}

// step does one of
//
//	get PATH CODE [PATTERN]    asks for a page, which has the pattern in it
//	lacks PATH PATTERN         a page does not have it
//	head PATH NAME PATTERN     a header of the answer has it
//	host NAME CODE             asks for the page by another name
//	method METHOD CODE         asks in another way
//	events PATTERN             waits until an event has the pattern in it
//	run COMMAND                runs a command of the shell, with the address as ADDR
//	after FILE PATTERN         makes a file, and waits so, being there before
//	leave                      asks for events and goes away
//	signal TERM|INT            sends the command a signal
//	ends                       waits for its end
func (v *visitor) step(line string) error {
	word := strings.Fields(line)
	rest := func(n int) string { // what is behind n words
		text := line
		for range n {
			_, text, _ = strings.Cut(strings.TrimLeft(text, " "), " ")
		}
		return strings.TrimSpace(text)
	}
	switch word[0] {
	case "get":
		return v.expect("GET", word[1], "", word[2], rest(3))
	case "host":
		return v.expect("GET", "/", word[1], word[2], "")
	case "method":
		return v.expect(word[1], "/", "", word[2], "")
	case "lacks":
		return v.lacks(word[1], rest(2))
	case "head":
		return v.header(word[1], word[2], rest(3))
	case "events":
		return v.events("", rest(1))
	case "after":
		return v.events(word[1], rest(2))
	case "leave":
		return v.events("", "")
	case "run":
		cmd := exec.Command("sh", "-c", rest(1))
		cmd.Env = append(os.Environ(), "ADDR="+v.addr())
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		return cmd.Run()
	case "signal":
		return v.cmd.Process.Signal(map[string]os.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT}[word[1]])
	case "ends":
		v.ended = true
		return nil // checked by all that follows
	}
	return fmt.Errorf("no such step")
}

// ask asks the server.
func (v *visitor) ask(method, path, host string) (*http.Response, []byte, error) {
	r, err := http.NewRequest(method, v.url+strings.TrimPrefix(path, "/"), nil)
	if err != nil {
		return nil, nil, err
	}
	r.Host = host
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return answer, body, err
}

func (v *visitor) expect(method, path, host, code, pattern string) error {
	answer, body, err := v.ask(method, path, host)
	switch {
	case err != nil:
		return err
	case strconv.Itoa(answer.StatusCode) != code:
		return fmt.Errorf("it answers %s: %.200s", answer.Status, body)
	case pattern != "" && !regexp.MustCompile(pattern).Match(body):
		return fmt.Errorf("the page is without it: %.20000s", body)
	}
	return nil
}

func (v *visitor) lacks(path, pattern string) error {
	_, body, err := v.ask("GET", path, "")
	if at := regexp.MustCompile(pattern).FindIndex(body); at != nil {
		return fmt.Errorf("it is there: %s", body[max(0, at[0]-80):min(len(body), at[1]+80)])
	}
	return err
}

func (v *visitor) header(path, name, pattern string) error {
	answer, _, err := v.ask("GET", path, "")
	if err != nil {
		return err
	}
	if got := answer.Header.Get(name); !regexp.MustCompile(pattern).MatchString(got) {
		return fmt.Errorf("it is %q", got)
	}
	return nil
}

// events reads events until one has the pattern in it, the first if it is "".
// When the first has come it makes a file, if one is named.
func (v *visitor) events(file, pattern string) error {
	answer, err := http.Get(v.url + "events")
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	lines := bufio.NewReader(answer.Body)
	for {
		line, err := lines.ReadString('\n')
		if file != "" && err == nil {
			if err := os.WriteFile(file, nil, 0o666); err != nil {
				return err
			}
			file = ""
			continue
		}
		if regexp.MustCompile(pattern).MatchString(line) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the events end: %w", err)
		}
	}
}

// pprofServerMain is a program that serves its profiles as net/http/pprof does:
//
//	pprofserver ADDRFILE STOPFILE
//
// It writes its address into one file, allocates, and ends when there is the
// other.
func pprofServerMain() {
	runtime.MemProfileRate = 1
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fatal("%v", err)
	}
	go http.Serve(l, nil)
	if err := os.WriteFile(os.Args[1], []byte(l.Addr().String()), 0o666); err != nil {
		fatal("%v", err)
	}
	var kept bytes.Buffer
	for {
		for range 100 {
			kept.Write(allocateForTests(300))
		}
		kept.Reset()
		runtime.GC()
		time.Sleep(20 * time.Millisecond)
		if _, err := os.Stat(os.Args[2]); err == nil {
			return
		}
	}
}

//go:noinline
func allocateForTests(n int) []byte { return make([]byte, n) }
