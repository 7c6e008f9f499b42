package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"redline/bench"
)

// Schema is the version of the format that is written. It is raised when what was written before would be misread; what is only added does not raise it.
const Schema = 1

// Header is what a run file says of its run before anything else. It holds no secret.
type Header struct {
	// Schema is the version of the format, Redline that of the program that wrote the file.
	Schema  int    `json:"schema"`
	Redline string `json:"version"`
	// Began is the wall time of instant 0.
	Began time.Time `json:"began"`
	// Tracks are the targets of the run, at least one, in the order in which they were given.
	Tracks []TrackHeader `json:"tracks"`
	// Options are the flags that differ from their defaults, as words of a command line, without secrets.
	Options []string `json:"options,omitzero"`
	Machine Machine  `json:"machine,omitzero"`
	// Texts tells that the beginnings of prompts and of answers are kept too.
	Texts bool `json:"texts,omitzero"`
}

// TrackHeader is what is known of one target. Run.Start is the file's Began.
type TrackHeader struct {
	// Name is its name beside others; empty where it is alone.
	Name string     `json:"name,omitzero"`
	Run  *bench.Run `json:"run"`
}

// Machine is what the client ran on.
type Machine struct {
	// Name is its host name, OS and Arch are as Go names them, CPUs how many may be used at once.
	Name string `json:"name,omitzero"`
	OS   string `json:"os,omitzero"`
	Arch string `json:"arch,omitzero"`
	CPUs int    `json:"cpus,omitzero"`
	Go   string `json:"go,omitzero"`
}

// headerLine is the first line of a file: the header, and what a reader needs to understand the rest.
type headerLine struct {
	Kind string `json:"redline"`
	Header
	Units   map[string]string   `json:"units"`
	Fields  map[string][]string `json:"fields"`
	Bins    bins                `json:"bins"`
	Lines   map[string]string   `json:"lines"`
	Columns []Column            `json:"columns"`
	Enums   map[string][]string `json:"enums"`
}

const fileKind = "run"

func headerLineOf(h Header) headerLine {
	h.Schema = Schema
	return headerLine{
		Kind: fileKind, Header: h, Columns: columns, Enums: enums(),
		Units: units(), Fields: fields, Bins: binsOf(),
		Lines: map[string]string{
			"array":      "a request that has ended, as columns says; it ended in the next second line of its track",
			"second":     "what was counted in a second of a track (batches), and what was shown then (moment); ended of a batch is how many of the requests before it are its own",
			"checkpoint": "all that was counted up to an instant; begins a frame",
			"part":       "a part of the states of this checkpoint, and of those of its chain that follow",
			"note":       "an annotation: at in ns, made when it was written",
			"index":      "where the frames are",
		},
	}
}

const maxTracks = 26

// readHeader reads a file's first line.
func readHeader(line []byte) (Header, error) {
	var kind struct {
		Redline *string
		Schema  int
		Version string
	}
	if err := json.Unmarshal(line, &kind); err != nil || kind.Redline == nil || *kind.Redline != fileKind {
		return Header{}, errors.New(`at byte 0: no run file: want a line {"redline":"run", …}`)
	}
	if kind.Schema > Schema || kind.Schema < 1 {
		return Header{}, fmt.Errorf("written in format %d by redline %.40q; this redline reads formats 1 to %d", kind.Schema, kind.Version, Schema)
	}
	var h headerLine
	if err := json.Unmarshal(line, &h); err != nil {
		return Header{}, fmt.Errorf("at byte 0: the header: %w", err)
	}
	if n := len(h.Tracks); n == 0 || n > maxTracks {
		return Header{}, fmt.Errorf("at byte 0: the header has %d targets; want 1 to %d", n, maxTracks)
	}
	for i, t := range h.Tracks {
		if t.Run == nil {
			return Header{}, fmt.Errorf("at byte 0: the header says nothing of target %d", i)
		}
	}
	for i, c := range h.Columns {
		if i < len(columns) && c.Name != columns[i].Name {
			return Header{}, fmt.Errorf("at byte 0: column %d of a request is %.40q; want %q", i, c.Name, columns[i].Name)
		}
	}
	return h.Header, checkEnums(h.Enums)
}

// enums are the words of the numbers that stand in a file. They are told for readers of other make, and held against ours when a file is opened.
func enums() map[string][]string {
	return map[string][]string{
		"outcome":    words(int(bench.NumOutcomes), func(i int) string { return bench.Outcome(i).String() }),
		"source":     words(int(bench.FromPart)+1, func(i int) string { return bench.Source(i).String() }),
		"mode":       words(int(bench.Open)+1, func(i int) string { return bench.Mode(i).String() }),
		"event":      words(int(bench.EventRemote)+1, func(i int) string { return bench.EventKind(i).String() }),
		"metric":     words(int(bench.NumMetrics), func(i int) string { return bench.Metric(i).String() }),
		"percentile": words(int(bench.Mean)+1, func(i int) string { return bench.Percentile(i).String() }),
		"state":      words(int(bench.Done)+1, func(i int) string { return bench.RunState(i).String() }),
		"settling":   words(int(bench.Unsettled)+1, func(i int) string { return bench.Settling(i).String() }),
		"strain":     words(int(bench.Saturated)+1, func(i int) string { return bench.Strain(i).String() }),
		"ramp":       words(int(bench.RampLeft)+1, func(i int) string { return bench.RampPhase(i).String() }),
		"cause":      causes, "gauge": gauges, "scraping": scrapings, "quota": {"requests", "tokens", "input", "output"},
		"api":  words(int(bench.NumAPIs), func(i int) string { return bench.API(i).String() }),
		"rise": {"times", "add", "list"}, "holds": {"not yet", "kept", "broken"}, "shape": {"poisson", "constant", "gamma", "recorded"},
	}
}

var (
	causes    = []string{"start", "load", "note", "resume", "recovery", "gap", "mode", "work", "profile", "clear", "ramp", "cruise", "target"}
	scrapings = []string{"unknown", "ok", "absent", "denied", "unreachable", "foreign", "too large"}
	gauges    = []string{"running", "waiting", "kv usage", "prefix hits", "preemptions", "prompt rate", "generation rate", "ttft", "itl", "queue", "e2e", "accepted",
		"gpu use", "gpu memory", "gpu memory free", "gpu power"}
)

func words(n int, of func(int) string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = of(i)
	}
	return out
}

// checkEnums holds a file's words against ours: numbers that mean something else are not read at all. More of them are; what they stand for is refused where it comes.
func checkEnums(of map[string][]string) error {
	for name, ours := range enums() {
		for i, word := range of[name] {
			if i < len(ours) && word != ours[i] {
				return fmt.Errorf("at byte 0: %s %d is %.40q in this file, and %q here", name, i, word, ours[i])
			}
		}
	}
	return nil
}
