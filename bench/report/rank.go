package report

import (
	"fmt"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
)

// placesOf are the targets of a run in the order of their ranks.
func placesOf(r *bench.Rivals) ([]analysis.Place, bool) {
	var all []analysis.Contender
	for _, of := range r.Of {
		all = append(all, analysis.Contender{Levels: of.Levels, Prices: Begun(of).Run.Prices})
	}
	return analysis.Rank(all)
}

// ranking is the table of ranks, as lines.
func ranking(r *bench.Rivals, width int) []string {
	places, byCost := placesOf(r)
	by := "the cost of a million output tokens"
	if !byCost {
		by = "the output rate, since not all of them have prices"
	}
	out := []string{"ranking by " + by + ", where the promises are kept:"}
	rows := [][]string{{"rank", "target", "load", "a million tokens", "an hour", "output tok/s", "RPM", "promises"}}
	tied := false
	for _, p := range places {
		rank := absent
		if p.Rank > 0 {
			rank = fmt.Sprint(p.Rank)
		}
		if p.Tied {
			rank, tied = rank+"=", true
		}
		row := []string{rank, targetWords(r, p.Target), absent, absent, absent, absent, absent, "nothing was measured"}
		if l := p.Level; l != nil {
			row = []string{rank, targetWords(r, p.Target), l.Load.String(), costCell(p.Cost.PerMillion), costCell(p.Cost.PerHour), number(l.OutputRate), figure(&l.Stats[bench.RPM], bench.Mean), promiseWords(l)}
		}
		rows = append(rows, row)
	}
	out = append(out, columns(rows, width)...)
	if tied {
		out = append(out, strings.TrimSuffix(wrapped("=: what sets them apart is not more than noise, or 2 %.", width), "\n"))
	}
	return out
}

func costCell(v bench.Value) string {
	if !v.OK {
		return absent
	}
	return money(v.V)
}

// promiseWords are what became of a level's promises.
func promiseWords(l *bench.Level) string {
	if broken := brokenOf(l); len(broken) > 0 {
		return "✗ " + ThresholdList(broken)
	}
	var unknown []bench.Threshold
	for _, v := range l.Verdicts {
		if !v.Known && !v.Threshold.Quota() {
			unknown = append(unknown, v.Threshold)
		}
	}
	switch {
	case len(unknown) > 0:
		return "not known: " + ThresholdList(unknown)
	case len(l.Verdicts) == 0:
		return "none"
	}
	return "kept"
}

// Unranked tells whether no target of a ranking has a rank: none is known to keep the promises.
func Unranked(r *bench.Rivals) bool {
	places, _ := placesOf(r)
	return len(places) == 0 || places[0].Rank == 0
}

// reportRival is a target of several in a saved summary.
type reportRival struct {
	Letter string   `json:"letter"`
	Name   string   `json:"name"`
	Rank   *float64 `json:"rank"`
	Tied   bool     `json:"tied"`
	*report
}

// reportDifference is how a number of one target differs from that of another.
type reportDifference struct {
	Of       string   `json:"of"`
	Against  string   `json:"against"`
	Load     string   `json:"load"`
	Number   string   `json:"number"`
	From     *float64 `json:"from"`
	To       *float64 `json:"to"`
	By       *float64 `json:"by"`
	Low      *float64 `json:"low_95"`
	High     *float64 `json:"high_95"`
	Least    *float64 `json:"least_seen"`
	Contrast string   `json:"verdict"`
}

// differencesOf are those of all targets against the first, at every load under which both were measured.
func differencesOf(r *bench.Rivals) []reportDifference {
	var out []reportDifference
	for i := 1; i < len(r.Of); i++ {
		for _, m := range analysis.Meetings(r.Of[0].Levels, r.Of[i].Levels) {
			for _, c := range m.Contests() {
				out = append(out, reportDifference{bench.Letter(i), bench.Letter(0), m.A.Load.String(), contestName(c), known(c.From), known(c.To), known(c.By), known(c.Low), known(c.High), known(c.Least), c.Contrast.String()})
			}
		}
	}
	return out
}

// severally adds the targets of a run that drives several.
func (out *report) severally(s *bench.Snapshot, end Options) {
	if s.Rivals == nil {
		return
	}
	places, _ := placesOf(s.Rivals)
	for i, of := range s.Rivals.Of {
		one := reportRival{Letter: bench.Letter(i), Name: Printable(s.Rivals.Names[i]), report: reportOf(of, end)}
		for _, p := range places {
			if p.Target == i && p.Rank > 0 {
				one.Rank, one.Tied = finite(float64(p.Rank)), p.Tied
			}
		}
		out.Rivals = append(out.Rivals, one)
	}
	out.Differences = differencesOf(s.Rivals)
}
