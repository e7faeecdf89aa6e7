package workbook

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
)

// TestPartsReadTwiceCountTwice has a part that a workbook could name as its sheet
// any number of times.
func TestPartsReadTwiceCountTwice(t *testing.T) {
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	w, err := z.Create("a.xml")
	if err == nil {
		_, err = w.Write(make([]byte, 1000))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	p, err := openParts(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil {
		t.Fatal(err)
	}
	p.left = 2500
	for range 2 {
		if doc, err := p.read("A.xml"); err != nil || len(doc) != 1000 {
			t.Errorf("%d bytes, %v", len(doc), err)
		}
	}
	if _, err := p.read("a.xml"); err == nil || !strings.Contains(err.Error(), "a.xml: the workbook unzips to more than 1 GiB, which is the limit") {
		t.Errorf("a third time: %v", err)
	}
}
