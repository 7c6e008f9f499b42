package record

import (
	"errors"
	"os"
	"sync"

	"redline/bench"
)

// Recorder writes one run file. Its methods are safe for concurrent use, and none of them waits for a disk but Close.
type Recorder struct {
	mu   sync.Mutex
	file *os.File
	out  *writer
	err  error
	// stand says which target is shown, and whether all are driven; nil for a run of one.
	stand func() (shown int, both bool)
}

// Create begins a run file at a path, which must not exist.
func Create(path string, h Header, stand func() (shown int, both bool)) (*Recorder, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	r := &Recorder{file: f, stand: stand}
	r.out, r.err = newWriter(f, h)
	return r, r.err
}

// Track is the recorder of one target of the run, by its place in the header; it is an engine.Recorder.
func (r *Recorder) Track(i int) *Track { return &Track{r: r, i: i} }

// Close writes what is left.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.out.close(true); err != nil && r.err == nil {
		r.err = err
	}
	return errors.Join(r.err, r.file.Close())
}

// Track records one target.
type Track struct {
	r *Recorder
	i int
}

// Ended takes what a batch does not keep of a request.
func (t *Track) Ended(*bench.Ended) {}

// Seconds takes what was folded.
func (t *Track) Seconds(batches []*bench.Batch, shown *bench.Snapshot) {
	t.r.mu.Lock()
	defer t.r.mu.Unlock()
	m := moment{Gauges: shown.Gauges, Tail: shown.Tail}
	for _, e := range shown.Events {
		if e.At >= shown.Folded {
			m.Fresh = append(m.Fresh, e)
		}
	}
	if t.r.stand != nil {
		m.Shown, m.Both = t.r.stand()
	}
	if err := t.r.out.seconds(t.i, batches, m, nil); err != nil && t.r.err == nil {
		t.r.err = err
	}
	if err := t.r.out.flush(); err != nil && t.r.err == nil {
		t.r.err = err
	}
}
