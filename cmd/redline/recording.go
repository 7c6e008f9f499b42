package main

import (
	"os"
	"runtime"

	"redline/bench"
	"redline/bench/engine"
	"redline/bench/record"
)

// recordOff keeps no run.
const recordOff = "off"

// recording keeps the run of a session in a file.
type recording struct {
	recorder *record.Recorder
	err      error
}

// begin begins a run file for the engines that are about to be made, with their names.
func (r *recording) begin(path string, clock bench.Clock, stand func() (int, bool), names []string, all []*engine.Options) {
	if path == recordOff {
		return
	}
	machine, _ := os.Hostname()
	h := record.Header{Schema: record.Schema, Redline: version(), Began: clock.Start(), Machine: record.Machine{Name: machine, OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.GOMAXPROCS(0), Go: runtime.Version()}}
	for i, o := range all {
		run := o.Run
		run.Start = clock.Start()
		h.Tracks = append(h.Tracks, record.TrackHeader{Name: names[i], Run: &run})
	}
	if r.recorder, r.err = record.Create(path, h, stand); r.err != nil {
		return
	}
	for i, o := range all {
		o.Recorder = r.recorder.Track(i)
	}
}

// close ends the file.
func (r *recording) close() error {
	if r.recorder == nil {
		return r.err
	}
	return r.recorder.Close()
}
