package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strconv"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
	"redline/bench/record"
)

// runPart names a run file, or of it the levels at one load, or one level.
type runPart struct {
	// File is the word before the sign: a path, or a name.
	File string
	// Load is the load that is meant, if AtLoad.
	Load   bench.Setpoint
	AtLoad bool
	// Level is the ID of the level that is meant, if One.
	Level int
	One   bool
}

// parsePart reads FILE, FILE@LOAD (16, 2.5/s, 150/m) or FILE#LEVEL.
func parsePart(word string) (runPart, error) {
	at := strings.LastIndexAny(word, "@#")
	if at < 0 {
		return runPart{File: word}, nil
	}
	p, text := runPart{File: word[:at]}, word[at+1:]
	if p.File == "" {
		return p, fmt.Errorf("%q: want the name of a run file before the %c", word, word[at])
	}
	if word[at] == '#' {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return p, fmt.Errorf("%q: want the number of a level behind the #, as in %s#2", word, p.File)
		}
		p.Level, p.One = n, true
		return p, nil
	}
	p.AtLoad = true
	if strings.Contains(text, "/") {
		rate, err := bench.ParseRate(text)
		if err != nil {
			return p, fmt.Errorf("%q: want a load behind the @: requests in flight (16) or a rate (2.5/s)", word)
		}
		p.Load = bench.PerSecond(rate).Round()
		return p, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > math.MaxInt32 {
		return p, fmt.Errorf("%q: want a load behind the @: requests in flight (16) or a rate (2.5/s)", word)
	}
	p.Load = bench.InFlight(n)
	return p, nil
}

// stored is a run out of a file, or a part of one.
type stored struct {
	// Word is what named it, Letter what stands for it beside others.
	Word   string
	Letter string
	Part   runPart
	Header record.Header
	// Complete tells that it was written to its end; Notes are those that were added afterwards.
	Complete bool
	Notes    []record.Note
	// Whole is the snapshot of all targets, Snap that of the one that is looked at, and Track its place.
	Whole, Snap *bench.Snapshot
	Track       int
	// Levels are those that are meant: all of the run's, as a rule.
	Levels []*bench.Level
	// bare and bareHeader are what a veil was laid over; nil without one.
	bare       *bench.Snapshot
	bareHeader record.Header
}

// openPart opens a run, or a part of one. A file whose own name has the sign in it is taken whole. Target names one of several: a letter, or a name; empty is the
// one that was shown last.
func (m *Main) openPart(word, target string) (*stored, error) {
	p, err := parsePart(word)
	if _, there := os.Stat(word); there == nil {
		p, err = runPart{File: word}, nil
	}
	if err != nil {
		return nil, err
	}
	f, err := m.openRun(p.File)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: want a run file; there is none of this name", p.File)
		}
		return nil, err
	}
	defer f.Close()
	out := &stored{Word: word, Part: p, Header: f.Header, Complete: f.Complete, Notes: f.Notes}
	if out.Whole, err = f.Final(); err != nil {
		return nil, fmt.Errorf("%s: %w", p.File, err)
	}
	if out.Snap, out.Track, err = oneTarget(out.Whole, target); err != nil {
		return nil, fmt.Errorf("%s: %w", p.File, err)
	}
	if out.Snap == nil || out.Snap.Run == nil {
		return nil, fmt.Errorf("%s: nothing of a run is in it", p.File)
	}
	return out, out.pick()
}

// oneTarget is the snapshot of the target that a word names.
func oneTarget(s *bench.Snapshot, word string) (*bench.Snapshot, int, error) {
	r := s.Rivals
	if r == nil {
		return s, 0, nil
	}
	for i, of := range r.Of {
		if word == "" && i == r.Shown || word != "" && (strings.EqualFold(word, bench.Letter(i)) || word == r.Names[i]) {
			return of, i, nil
		}
	}
	return nil, 0, fmt.Errorf("no target %q in it: want one of A to %s, or its name", word, bench.Letter(len(r.Of)-1))
}

// pick finds the levels that are meant.
func (s *stored) pick() error {
	p := s.Part
	for _, l := range s.Snap.Levels {
		switch {
		case p.One && l.ID != p.Level, p.AtLoad && l.Load != p.Load:
		default:
			s.Levels = append(s.Levels, l)
		}
	}
	if p.AtLoad && len(s.Levels) > 1 {
		// The newest visit that was measured stands for the load.
		newest := s.Levels[len(s.Levels)-1]
		for _, l := range s.Levels {
			if analysis.Measured(l) && l.Reached.OK {
				newest = l
			}
		}
		s.Levels = []*bench.Level{newest}
	}
	if (p.One || p.AtLoad) && len(s.Levels) == 0 {
		return fmt.Errorf("%s: no such level in it; it has %s", s.Word, levelWords(s.Snap.Levels))
	}
	return nil
}

// mostLevelWords is how many levels are named at most.
const mostLevelWords = 12

// levelWords names levels: "#0 at 4, #1 at 8".
func levelWords(levels []*bench.Level) string {
	if len(levels) == 0 {
		return "none"
	}
	var out []string
	for i, l := range levels {
		if i == mostLevelWords {
			return strings.Join(out, ", ") + fmt.Sprintf(" and %d more", len(levels)-i)
		}
		out = append(out, fmt.Sprintf("#%d at %s", l.ID, l.Load))
	}
	return strings.Join(out, ", ")
}

// veil hides what is private of a run.
func (s *stored) veil() {
	var v, whole bench.Veil
	s.bare, s.bareHeader = s.Snap, s.Header
	s.Snap, s.Whole = v.Snapshot(s.Snap), whole.Snapshot(s.Whole)
	s.Header.Machine.Name, s.Header.Options = bench.Hidden, []string{bench.Hidden}
}

// course is the run as another is compared with it.
func (s *stored) course() analysis.Course {
	return analysis.Course{Run: s.Snap.Run, Levels: s.Levels, Picked: s.Part.One || s.Part.AtLoad}
}

// name is what the run is called in a table: its letter, and what is meant of it.
func (s *stored) name() string { return s.Letter + "  " + printable(s.Word) }
