package main

import (
	"flag"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"redline/bench"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a text with a file under testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		writeFile(t, path, got)
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if string(want) != got {
		t.Errorf("%s differs:\n%s\nwant:\n%s", name, got, want)
	}
}

// told is a run whose snapshots are told beforehand.
type told struct {
	mu     sync.Mutex
	shots  []*bench.Snapshot
	posted []bench.Command
	done   chan struct{}
}

func (r *told) Snapshot() *bench.Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.shots[0]
	if len(r.shots) > 1 {
		r.shots = r.shots[1:]
	}
	return s
}

func (r *told) Post(c bench.Command) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.posted = append(r.posted, c)
}

func (r *told) Done() <-chan struct{} { return r.done }
