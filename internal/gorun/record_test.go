package gorun

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Commands of one make -j write into the log at the same time.
func TestRecordsOfManyWritersStayWhole(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	f, err := os.OpenFile(log, os.O_RDONLY|os.O_CREATE, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const writers, each = 8, 50
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if err := (record{Build: &Build{PID: w*each + i, Args: []string{"test", "a b\n"}}}).leave(log); err != nil {
					t.Error(err)
				}
			}
		})
	}
	r := logReader{f: f}
	seen := map[int]bool{}
	read := func() {
		records, err := r.next()
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range records {
			seen[rec.Build.PID] = true
		}
	}
	read()
	wg.Wait()
	read()
	if len(seen) != writers*each {
		t.Errorf("%d records were read, %d written", len(seen), writers*each)
	}
}

// A line that is not complete yet is read when it is.
func TestHalfARecordWaits(t *testing.T) {
	log := writeFile(t, filepath.Join(t.TempDir(), "log"), `{"Program":{"Path":"a`)
	f, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := logReader{f: f}
	if records, err := r.next(); len(records) != 0 || err != nil {
		t.Fatalf("half a line gave %v, %v", records, err)
	}
	a, err := os.OpenFile(log, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := a.WriteString("b\"}}\n"); err != nil {
		t.Fatal(err)
	}
	records, err := r.next()
	if diff := cmp.Diff([]record{{Program: &Program{Path: "ab"}}}, records); diff != "" || err != nil {
		t.Error(err, diff)
	}
}
