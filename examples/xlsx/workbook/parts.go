package workbook

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// parts are the files in the archive that an XLSX file is.
type parts struct {
	byName map[string]*zip.File // by partKey
	size   uint64               // bytes of the archive
	left   uint64               // bytes that may still be unzipped
}

// maxUnzipped bounds what the parts of a workbook may unzip to, those that are read
// twice counted twice.
const maxUnzipped = 1 << 30

// errNoPart is a part that is not in the archive.
var errNoPart = errors.New("the file has no such part")

func openParts(r io.ReaderAt, size int64) (*parts, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		var magic [8]byte
		_, _ = r.ReadAt(magic[:], 0)
		if bytes.Equal(magic[:], []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")) {
			return nil, errors.New("not an XLSX file but an old or an encrypted one: save it as XLSX without a password")
		}
		return nil, fmt.Errorf("not an XLSX file: %w", err)
	}
	p := &parts{byName: make(map[string]*zip.File, len(z.File)), size: uint64(size), left: maxUnzipped}
	for _, f := range z.File {
		p.byName[partKey(f.Name)] = f
	}
	return p, nil
}

// partKey makes names of the same part equal: they do not depend on case, and
// some programs write backslashes.
func partKey(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

func (p *parts) has(name string) bool { return p.byName[partKey(name)] != nil }

// read unzips a part. The sizes that the archive gives are checked against its own
// and against what deflate can do, so that a lie about them costs no memory.
func (p *parts) read(name string) ([]byte, error) {
	f := p.byName[partKey(name)]
	if f == nil {
		return nil, fmt.Errorf("%s: %w", name, errNoPart)
	}
	const deflateMax = 1032 // bytes from one
	if packed := f.CompressedSize64; packed > p.size || f.UncompressedSize64 > (packed+1)*deflateMax {
		return nil, fmt.Errorf("%s: %d bytes of a file of %d cannot unzip to %d: it is damaged", name, packed, p.size, f.UncompressedSize64)
	}
	if f.UncompressedSize64 > p.left {
		return nil, fmt.Errorf("%s: the workbook unzips to more than %d GiB, which is the limit", name, maxUnzipped>>30)
	}
	p.left -= f.UncompressedSize64
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()
	doc := make([]byte, f.UncompressedSize64)
	if _, err := io.ReadFull(r, doc); err != nil {
		return nil, fmt.Errorf("%s: cannot be unzipped: %w", name, err)
	}
	var more [1]byte // reading to the end checks the sum
	if _, err := io.ReadFull(r, more[:]); err != io.EOF {
		if err == nil {
			err = errors.New("it is longer than the archive says")
		}
		return nil, fmt.Errorf("%s: cannot be unzipped: %w", name, err)
	}
	return doc, nil
}
