package main

import (
	"math"

	"github.com/spf13/pflag"

	"redline/bench"
)

// strict are the settings that a stranger's file may only make stricter, each with how much it lets happen, in whatever unit: less is stricter.
var strict = map[string]func(*settings) float64{
	"concurrency":   func(s *settings) float64 { return float64(s.concurrency) },
	"max-tokens":    func(s *settings) float64 { return float64(s.maxTokens) },
	"duration":      func(s *settings) float64 { return endless(float64(s.duration)) },
	"requests":      func(s *settings) float64 { return endless(float64(s.requests)) },
	"quota-reserve": func(s *settings) float64 { return -s.quotaReserve },
	"on-429":        func(s *settings) float64 { return one(s.on429 != "pause") },
	"paused":        func(s *settings) float64 { return one(!s.paused) },
	"private":       func(s *settings) float64 { return one(!s.screen.private) },
	// Nobody is asked to be there for plain output: it has no pause after half an hour without a key.
	"plain": func(s *settings) float64 { return one(s.screen.plain) },
}

// wantStricter is what is wrong with a value of a stranger's file that loosens something.
const wantStricter = "want nothing looser than it is without this file, which was found in the current folder" + advice

// endless is a bound of which 0 is none.
func endless(v float64) float64 {
	if v == 0 {
		return math.Inf(1)
	}
	return v
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// loosens tells whether an entry of a stranger's document lets more happen than the operator's own file does, or else the default. What cannot be read
// loosens nothing: it is told where it is read.
func (d *document) loosens(e pair) bool {
	ours := defaults()
	beneath, says := d.own.said(e.key)
	switch {
	case says:
		ours, _ = withEntry(beneath)
	case e.key == "max-tokens":
		return true // What is beneath is the scenario's, whichever that comes to be.
	case e.key == "concurrency" && (d.own.says("rate") || d.own.says("profile")):
		return true // It would take the place of another kind of load.
	}
	theirs, ok := withEntry(e)
	much := strict[e.key]
	return ok && much(&theirs) > much(&ours)
}

// said is what stands at the top of a document under a key.
func (d *document) said(key string) (pair, bool) {
	if d == nil {
		return pair{}, false
	}
	return d.top.find(key)
}

func (d *document) says(key string) bool {
	_, ok := d.said(key)
	return ok
}

// limited tells whether a document holds runs to a quota, at its top or in a scenario.
func (d *document) limited() bool {
	if d == nil {
		return false
	}
	places := []*section{d.top}
	for _, s := range d.tables["scenarios"] {
		places = append(places, s)
	}
	for _, s := range places {
		e, _ := s.find("slo")
		for _, text := range listOf(e.value) {
			if t, err := bench.ParseThreshold(text); err == nil && t.Quota() {
				return true
			}
		}
	}
	return false
}

// withEntry are the defaults with one entry; ok is false where it cannot be read.
func withEntry(e pair) (s settings, ok bool) {
	found := problems{from: origins{}}
	s = defaults()
	fs := pflag.NewFlagSet("setting", pflag.ContinueOnError)
	s.define(flags{fs, &found})
	texts, err := textsOf(fs.Lookup(e.key), e.value)
	for _, text := range texts {
		if fs.Set(e.key, text) != nil {
			return s, false
		}
	}
	return s, err == nil && len(found.list) == 0
}
