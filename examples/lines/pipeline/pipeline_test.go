package pipeline

import (
	"bufio"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// reference adds up without this package: by the standard library's splitting
// and hashing.
func reference(data string) (want Sum) {
	for line := range strings.Lines(data) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		want.Lines++
		var status, sent int64
		parts := strings.Split(line, "\t")
		if len(parts) < fields {
			want.Malformed++
			continue
		}
		if n, err := fmt.Sscanf(parts[4]+" "+parts[5], "%d %d", &status, &sent); n != 2 || err != nil {
			want.Malformed++
			continue
		}
		if status >= 500 {
			want.Failed++
		}
		want.Bytes += sent
		for row := range byte(hashes) {
			h := fnv.New64a()
			h.Write([]byte{row})
			h.Write([]byte(line))
			want.Digest += h.Sum64()
		}
	}
	return want
}

// logOf is a log of these lines.
func logOf(lines string) Log {
	return Log{[]byte(lines), len(slices.Collect(strings.Lines(lines)))}
}

// text is what comes out of the pipe of a log.
func text(t *testing.T, l Log) string {
	t.Helper()
	in := l.Pipe()
	defer in.Close()
	all, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

// TestSameSum: all shapes find the same in the same lines, with whatever readers.
func TestSameSum(t *testing.T) {
	data := text(t, NewLog(5000))
	long := strings.Repeat("x", 3*pipeBuffer) + "\t\t\t\t200\t7"
	for name, lines := range map[string]string{
		"nothing":          "",
		"one line":         "a\tb\tc\td\t200\t1\n",
		"no end":           "a\tb\tc\td\t200\t1\na\tb\tc\td\t500\t2",
		"CRLF":             "a\tb\tc\td\t200\t1\r\na\tb\tc\td\t500\t2\r\n",
		"malformed":        "a\n\na\tb\tc\td\t2x0\t1\na\tb\tc\td\t200\t\n",
		"a log":            data,
		"a log cut off":    data[:len(data)-30],
		"a log after long": "a\n" + long + "\n" + data,
		"long at the end":  data + long,
	} {
		want := reference(lines)
		for _, v := range Variants() {
			for _, readers := range []int{1, 2, 3, 8} {
				for how, r := range map[string]io.Reader{
					"pipe":     logOf(lines).Pipe(),
					"half":     iotest.HalfReader(strings.NewReader(lines)),
					"data+EOF": iotest.DataErrReader(strings.NewReader(lines)),
				} {
					got, err := v.Run(r, readers)
					if err != nil || got != want {
						t.Errorf("%s, %s, %d readers, %s: %+v, %v: want %+v", name, v.Name, readers, how, got, err, want)
					}
				}
			}
		}
	}
	if want := reference(data); want.Lines != 5000 || want.Malformed > 0 || want.Failed == 0 || want.Bytes == 0 {
		t.Errorf("the log adds up to %+v", want)
	}
}

// TestErrors: an error of the pipe, and a line that is too long, come out; nothing
// hangs.
func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, v := range Variants() {
		r := io.MultiReader(NewLog(1000).Pipe(), iotest.ErrReader(broken))
		if _, err := v.Run(r, 3); !errors.Is(err, broken) {
			t.Errorf("%s: %v: want %v", v.Name, err, broken)
		}
		in := logOf(text(t, NewLog(10)) + strings.Repeat("x", 2*MaxLine)).Pipe()
		if _, err := v.Run(in, 3); !errors.Is(err, bufio.ErrTooLong) {
			t.Errorf("%s: %v: want %v", v.Name, err, bufio.ErrTooLong)
		}
		if err := in.Close(); err != nil {
			t.Errorf("%s: %v", v.Name, err)
		}
	}
}

func TestLogIsTheSameEachTime(t *testing.T) {
	for _, n := range []int{1, 300, distinct, 3*distinct + 7} {
		if a, b := text(t, NewLog(n)), text(t, NewLog(n)); a != b || strings.Count(a, "\n") != n {
			t.Errorf("%d lines: it is not, or has %d", n, strings.Count(a, "\n"))
		}
	}
}
