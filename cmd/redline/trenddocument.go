package main

import (
	"time"

	"redline/bench"
	"redline/bench/report"
)

// trendSchema names the form of a trend.
const trendSchema = "redline.trend/1"

type trendDocument struct {
	Schema string `json:"schema"`
	Number string `json:"number"`
	Unit   string `json:"unit"`
	runsLoad
	Target  string      `json:"target"`
	Model   string      `json:"model"`
	Points  []trendItem `json:"points"`
	Without []trendLeft `json:"left_out"`
}

type trendItem struct {
	Name  string    `json:"name"`
	Began time.Time `json:"began"`
	Level int       `json:"level"`
	Note  string    `json:"note"`
	Value float64   `json:"value"`
	// Change is the difference to the one before, in percent of it; null for the first.
	Change *float64 `json:"change_percent"`
	// Low and High bound the change with 95 %; null where no interval can be had. Verdict is better, worse, no difference seen or too few samples; better and worse are more
	// than noise where Holds is true, and may else be chance. Need is how many more samples the run with fewer needs.
	Low     *float64 `json:"change_low_percent"`
	High    *float64 `json:"change_high_percent"`
	Verdict *string  `json:"verdict"`
	Holds   bool     `json:"holds"`
	Samples int      `json:"samples"`
	Need    int      `json:"samples_needed"`
	// File is complete, being written or cut off; Settled tells whether the level is.
	File    string `json:"file"`
	Settled bool   `json:"settled"`
	// Target is the letter of the one of several; empty where there is one.
	Target string `json:"of_target"`
}

type trendLeft struct {
	Name  string    `json:"name"`
	Began time.Time `json:"began"`
	Why   string    `json:"why"`
}

// document is the trend for machines.
func (t *trendOf) document() trendDocument {
	out := trendDocument{Schema: trendSchema, Number: t.number.String(), Unit: t.number.metric.Unit(), runsLoad: runsLoad{t.load.Mode.String(), t.load.N}, Target: t.target, Model: t.model, Points: []trendItem{}, Without: []trendLeft{}}
	for i, p := range t.points {
		one := trendItem{Name: p.name(), Began: p.Began, Level: p.level.ID, Note: p.level.Note, Value: p.value, Samples: t.samples(p), File: p.state(), Settled: p.level.State == bench.Settled, Target: p.letter}
		if i > 0 {
			d := &p.since
			one.Change, one.Low, one.High = percentOf(d.Share(d.By)), percentOf(d.Share(d.Low)), percentOf(d.Share(d.High))
			one.Verdict, one.Holds, one.Need = new(d.Contrast.String()), p.holds, d.Need
		}
		out.Points = append(out.Points, one)
	}
	for _, p := range t.without {
		out.Without = append(out.Without, trendLeft{p.name(), p.Began, report.Printable(p.left)})
	}
	return out
}

// percentOf is a share in percent; nil where it is not known.
func percentOf(v bench.Value) *float64 {
	if !v.OK {
		return nil
	}
	return new(100 * v.V)
}
