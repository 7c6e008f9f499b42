package record

import (
	"time"

	"redline/bench"
)

// Schema is the version of the format that is written.
const Schema = 1

// Header is what a run file says of its run before anything else. It holds no secret.
type Header struct {
	// Schema is the version of the format, Redline that of the program that wrote the file.
	Schema  int
	Redline string
	// Began is the wall time of instant 0.
	Began time.Time
	// Tracks are the targets of the run, at least one, in the order in which they were given.
	Tracks []TrackHeader
	// Options are the flags that differ from their defaults, as words of a command line, without secrets.
	Options []string
	Machine Machine
}

// TrackHeader is what is known of one target. Run.Start is the file's Began.
type TrackHeader struct {
	// Name is its name beside others; empty where it is alone.
	Name string
	Run  *bench.Run
}

// Machine is what the client ran on.
type Machine struct {
	// Name is its host name, OS and Arch are as Go names them, CPUs how many may be used at once.
	Name, OS, Arch string
	CPUs           int
	Go             string
}
