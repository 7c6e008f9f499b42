package report

import (
	"bytes"
	"encoding/json"
	"time"

	"redline/bench"
	"redline/bench/analysis"
)

// compareSchema names the form of a comparison for machines. A field may be added under the same name; one that goes, or changes its meaning, makes it the next.
const compareSchema = "redline.compare/1"

// compareNotes explain it to a reader who has nothing else.
const compareNotes = "b against a, the first run: difference = b - a, in the unit; low and high bound it with 95 %; the _percent are of a. verdict: better, worse, no difference seen (least: about the smallest " +
	"difference that so many samples show), too few samples. holds: it is told with all that were looked at in view; better or worse that does not hold may be chance. chance: about how probable so large a difference is " +
	"if there is none. null is what is not known. Levels are matched by load, mode and workload, the newest visit of each."

type comparedRuns struct {
	Schema      string         `json:"schema"`
	About       string         `json:"about"`
	Redline     string         `json:"redline_version"`
	Comparisons []comparedPair `json:"comparisons"`
}

type comparedPair struct {
	A        comparedRun     `json:"a"`
	B        comparedRun     `json:"b"`
	Verdict  string          `json:"verdict"`
	Better   int             `json:"better"`
	Worse    int             `json:"worse"`
	Chance   int             `json:"may_be_chance"`
	Told     int             `json:"told"`
	Differs  []differing     `json:"differs"`
	Cautions []string        `json:"cautions"`
	Loads    []comparedLevel `json:"loads"`
	OnlyA    []string        `json:"only_a"`
	OnlyB    []string        `json:"only_b"`
}

type comparedRun struct {
	Word     string `json:"word"`
	Began    string `json:"began_at"`
	Redline  string `json:"redline_version"`
	Target   string `json:"target"`
	Model    string `json:"model"`
	Complete bool   `json:"complete"`
}

type comparedLevel struct {
	LoadA    string           `json:"load_a"`
	LoadB    string           `json:"load_b"`
	LevelA   int              `json:"level_a"`
	LevelB   int              `json:"level_b"`
	Cautions []string         `json:"cautions"`
	Numbers  []comparedNumber `json:"numbers"`
}

type comparedNumber struct {
	Name    string   `json:"name"`
	Unit    string   `json:"unit"`
	A       *float64 `json:"a"`
	B       *float64 `json:"b"`
	By      *float64 `json:"difference"`
	Low     *float64 `json:"low"`
	High    *float64 `json:"high"`
	Percent *float64 `json:"difference_percent"`
	LowP    *float64 `json:"low_percent"`
	HighP   *float64 `json:"high_percent"`
	Verdict string   `json:"verdict"`
	Holds   bool     `json:"holds"`
	Chance  *float64 `json:"chance"`
	Least   *float64 `json:"least"`
	Samples [2]int   `json:"samples"`
	Need    int      `json:"samples_missing"`
}

// CompareJSON is the comparison for machines, as this version of redline writes it.
func CompareJSON(all []*Versus, version string) (string, error) {
	out := comparedRuns{Schema: compareSchema, About: compareNotes, Redline: version, Comparisons: []comparedPair{}}
	for _, f := range all {
		out.Comparisons = append(out.Comparisons, f.machine())
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(out)
	return b.String(), err
}

func (f *Versus) machine() comparedPair {
	better, worse := f.counts()
	out := comparedPair{A: f.A.machine(), B: f.B.machine(), Verdict: f.verdict(), Better: better, Worse: worse, Chance: f.Seen - f.Held, Told: f.Told,
		Differs: append([]differing{}, f.differs...), Cautions: append([]string{}, f.cautions...), Loads: []comparedLevel{}, OnlyA: loadList(f.OnlyA), OnlyB: loadList(f.OnlyB)}
	for i := range f.Bouts {
		b := &f.Bouts[i]
		l := comparedLevel{LoadA: b.A.Load.String(), LoadB: b.B.Load.String(), LevelA: b.A.ID, LevelB: b.B.ID, Cautions: append([]string{}, f.cautionsOf(b)...)}
		for k := range b.Rows {
			l.Numbers = append(l.Numbers, numberFor(&b.Rows[k]))
		}
		out.Loads = append(out.Loads, l)
	}
	return out
}

func loadList(levels []*bench.Level) []string {
	out := []string{}
	for _, l := range levels {
		out = append(out, l.Load.String())
	}
	return out
}

func (s *Party) machine() comparedRun {
	return comparedRun{Word: s.Word, Began: s.Began.Format(time.RFC3339), Redline: s.Redline, Target: s.Snap.Run.Target, Model: s.Snap.Run.Model, Complete: s.Complete}
}

func numberFor(r *analysis.Row) comparedNumber {
	d := &r.Difference
	percent := func(v bench.Value) *float64 { return known(percentOf(d.Share(v))) }
	verdict := r.Contrast.String()
	if r.Unlike {
		verdict = "other promises"
	}
	return comparedNumber{
		Name: r.String(), Unit: r.Unit(), A: known(d.From), B: known(d.To), By: known(d.By), Low: known(d.Low), High: known(d.High),
		Percent: percent(d.By), LowP: percent(d.Low), HighP: percent(d.High), Verdict: verdict, Holds: r.Holds, Chance: known(d.Chance),
		Least: known(d.Least), Samples: d.N, Need: d.Need,
	}
}
