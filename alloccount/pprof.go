package alloccount

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/google/pprof/profile"
)

// maxProfile bounds a profile before and after decompression: far above any
// real one, far below what would take the machine down.
const maxProfile = 1 << 30 // bytes

// WriteProfile writes p as every pprof tool reads it.
func WriteProfile(w io.Writer, p *profile.Profile) error {
	if err := p.Write(w); err != nil {
		return fmt.Errorf("writing the profile: %w", err)
	}
	return nil
}

// ReadProfile reads a pprof profile, whoever wrote it. It does not look
// whether the profile is of allocations; [NewReport] does.
func ReadProfile(r io.Reader) (*profile.Profile, error) {
	return readProfile(r, maxProfile)
}

// readProfile reads a profile of at most limit bytes, packed or not.
func readProfile(r io.Reader, limit int64) (*profile.Profile, error) {
	data, err := readAll(r, limit)
	if err != nil {
		return nil, fmt.Errorf("reading the profile: %w", err)
	}
	if err := recognize(data); err != nil {
		return nil, err
	}
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err == nil {
			data, err = readAll(z, limit)
		}
		if err != nil {
			return nil, fmt.Errorf("the profile cannot be unpacked, it is damaged or cut short: %w", err)
		}
	}
	p, err := profile.ParseUncompressed(data)
	if err != nil || p.CheckValid() != nil { // which tell of wire types and indexes
		return nil, errors.New("not a pprof profile, or a damaged one; " + readable)
	}
	return p, nil
}

// readAll reads r to its end, or fails if that is beyond limit.
func readAll(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("it is larger than %d MiB", limit>>20)
	}
	return data, err
}

// readable says what a report can be made of.
const readable = "alloctop reads pprof profiles of allocations, like those of /debug/pprof/allocs, and its own JSON reports"

// recognize names what is often taken for a pprof profile.
func recognize(data []byte) error {
	start := bytes.TrimLeft(data[:min(len(data), 64)], " \t\r\n")
	switch {
	case len(data) == 0:
		return errors.New("the profile is empty (0 bytes); was the program that writes it killed?")
	case bytes.HasPrefix(start, []byte("{")), bytes.HasPrefix(start, []byte("[")):
		return errors.New("this is JSON, not a pprof profile, and no alloctop report; " + readable)
	case bytes.HasPrefix(start, []byte("ALLOCTP")):
		return errors.New("this is a counter file, which alloctop reads when the command that it counts has ended; keep what --pprof or --json write instead")
	case bytes.HasPrefix(start, []byte("<")):
		return errors.New("this is a web page, not a pprof profile; take the address that serves the profile itself, as /debug/pprof/allocs")
	case bytes.HasPrefix(start, []byte("heap profile:")):
		return errors.New("this is the text form of a heap profile; take the binary form, without debug=1")
	case bytes.HasPrefix(start, []byte("goroutine profile:")), bytes.HasPrefix(start, []byte("--- ")):
		return errors.New("this is a text profile; take an allocs profile in its binary form, without debug=1")
	case isText(data[:min(len(data), 512)]):
		return errors.New("this is text, not a pprof profile; " + readable)
	}
	return nil
}

// isText reports whether a profile, which begins with the tags of its fields or
// as gzip does, cannot begin like this.
func isText(start []byte) bool {
	for len(start) > 0 {
		r, size := utf8.DecodeRune(start)
		switch {
		case !utf8.FullRune(start):
			return true // cut within a letter
		case r == utf8.RuneError && size == 1, r < '\t':
			return false
		}
		start = start[size:]
	}
	return true
}
