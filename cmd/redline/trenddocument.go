package main

import (
	"time"

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
		one := trendItem{Name: p.name(), Began: p.Began, Level: p.level.ID, Note: p.level.Note, Value: p.value}
		if i > 0 && t.points[i-1].value != 0 {
			one.Change = new(100 * (p.value - t.points[i-1].value) / t.points[i-1].value)
		}
		out.Points = append(out.Points, one)
	}
	for _, p := range t.without {
		out.Without = append(out.Without, trendLeft{p.name(), p.Began, report.Printable(p.left)})
	}
	return out
}
