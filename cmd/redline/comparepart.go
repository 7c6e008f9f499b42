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
	"redline/bench/report"
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

// openPart opens a run, or a part of one. A file whose own name has the sign in it is taken whole. Target names one of several: a letter, or a name; empty is the
// one that was shown last.
func (m *Main) openPart(word, target string) (*report.Party, error) {
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
	h := &f.Header
	out := &report.Party{Word: word, Began: h.Began, Redline: h.Redline, Options: h.Options, Complete: f.Complete, Picked: p.One || p.AtLoad,
		Machine: fmt.Sprintf("%s %s/%s, %d CPUs", h.Machine.Name, h.Machine.OS, h.Machine.Arch, h.Machine.CPUs)}
	for _, n := range f.Notes {
		out.Notes = append(out.Notes, n.Text)
	}
	if out.Whole, err = f.Final(); err != nil {
		return nil, fmt.Errorf("%s: %w", p.File, err)
	}
	if out.Snap, out.Track, err = oneTarget(out.Whole, target); err != nil {
		return nil, fmt.Errorf("%s: %w", p.File, err)
	}
	if out.Snap == nil || out.Snap.Run == nil {
		return nil, fmt.Errorf("%s: nothing of a run is in it", p.File)
	}
	if out.Levels = p.of(out.Snap.Levels); out.Picked && len(out.Levels) == 0 {
		return nil, fmt.Errorf("%s: no such level in it; it has %s", word, levelWords(out.Snap.Levels))
	}
	return out, nil
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

// of are the levels that are meant, of a load its newest visit that was measured.
func (p runPart) of(levels []*bench.Level) []*bench.Level {
	if !p.One && !p.AtLoad {
		return levels
	}
	var out []*bench.Level
	for _, l := range levels {
		if p.One && l.ID == p.Level || p.AtLoad && l.Load == p.Load && (out == nil || analysis.Measured(l) && l.Reached.OK) {
			out = []*bench.Level{l}
		}
	}
	return out
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
