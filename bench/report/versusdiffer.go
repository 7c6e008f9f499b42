package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
)

// differing is something besides the numbers in which two runs are not alike.
type differing struct {
	What string `json:"what"`
	A    string `json:"a"`
	B    string `json:"b"`
}

// trait is something that is known of a run besides its numbers.
type trait struct{ what, text string }

// traits are those of a run, what explains most first.
func (p *Party) traits() []trait {
	r := p.Snap.Run
	return []trait{
		{"target", r.Target}, {"model", r.Model}, {"server", serverWords(p.Snap)}, {"notes", noteWords(p)}, {"protocol", r.API.String() + " " + r.Protocol},
		{"workloads", worksIn(r)}, {"seed", fmt.Sprint(r.Seed)}, {"arrivals", r.Arrivals.String()}, {"scenario", r.Scenario}, {"promises", promisedWords(r)},
		{"prices", priceWords(r.Prices)}, {"bounds", boundWords(r)}, {"limits", r.Limits.Words(span)}, {"options", strings.Join(p.Options, " ")},
		{"client", p.Machine}, {"redline", p.Redline},
	}
}

// differingOf is in what two runs are not alike. What is private is compared, and not shown.
func differingOf(a, b *Party) []differing {
	var out []differing
	x, y := a.traits(), b.traits()
	bareX, bareY := x, y
	if a.Bare != nil && b.Bare != nil {
		bareX, bareY = a.Bare.traits(), b.Bare.traits()
	}
	for i := range x {
		if bareX[i] != bareY[i] {
			out = append(out, differing{x[i].what, orNone(x[i].text), orNone(y[i].text)})
		}
	}
	return out
}

func orNone(text string) string {
	if text = strings.TrimSpace(Printable(text)); text == "" {
		return absent
	}
	return text
}

// serverWords are the engines that the server's metrics named, with their versions.
func serverWords(s *bench.Snapshot) string {
	var out []string
	for _, one := range s.Server {
		text := strings.TrimSpace(one.Engine + " " + one.Version)
		if one.MaxRunning.OK {
			text += ", batch of " + short(one.MaxRunning.V)
		}
		if one.KVTokens.OK {
			text += ", KV cache of " + short(one.KVTokens.V) + " tok"
		}
		if text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "; ")
}

// noteWords are the notes of a run: those of its levels, and those that were added afterwards. Of a part those that had been written by its end, whichever level they began:
// what they tell of is in force.
func noteWords(s *Party) string {
	var out []string
	levels := s.Levels
	if n := len(levels); s.Picked && n > 0 {
		if i := slices.IndexFunc(s.Snap.Levels, func(l *bench.Level) bool { return l.ID == levels[n-1].ID }); i >= 0 {
			levels = s.Snap.Levels[:i+1]
		}
	}
	for _, l := range levels {
		if l.Note != "" {
			out = append(out, l.Note)
		}
	}
	out = append(out, s.Notes...)
	return strings.Join(out, "; ")
}

func worksIn(r *bench.Run) string {
	var out []string
	for _, w := range r.Works {
		out = append(out, strings.TrimSpace(w.Name+" "+w.Words))
	}
	return strings.Join(out, "; ")
}

func promisedWords(r *bench.Run) string {
	var out []string
	for _, t := range r.Thresholds {
		out = append(out, t.String())
	}
	return strings.Join(out, ", ")
}

func priceWords(p bench.Prices) string {
	switch {
	case p.Hourly() > 0:
		return fmt.Sprintf("%s an hour", short(p.Hourly()))
	case p.ByToken():
		return fmt.Sprintf("in %s, out %s per million", short(p.Input), short(p.Output))
	}
	return ""
}

func boundWords(r *bench.Run) string {
	return fmt.Sprintf("at most %d in flight, %s/s", r.Max, short(r.MaxRate))
}

// unequal is from which share on two mean lengths of prompts or answers are said to differ.
const unequal = 0.03

// boutCautions are what has to be known of the two levels of one load before their numbers are believed.
func boutCautions(b *analysis.Bout, letters [2]string) []string {
	var out []string
	if b.A.Load != b.B.Load {
		out = append(out, fmt.Sprintf("the loads differ: %s and %s", b.A.Load, b.B.Load))
	}
	levels := []*bench.Level{b.A, b.B}
	for _, firm := range []analysis.Firmness{analysis.Short, analysis.Unsettled, analysis.Few} {
		var who []string
		for i, l := range levels {
			if analysis.FirmnessOf(l) == firm {
				who = append(who, letters[i])
			}
		}
		if who != nil {
			out = append(out, map[analysis.Firmness]string{analysis.Short: "left before it settled: ", analysis.Unsettled: "not settled within a minute: ",
				analysis.Few: "fewer than a hundred requests: "}[firm]+strings.Join(who, ", "))
		}
	}
	for i, l := range levels {
		name := letters[i]
		if d, ok := analysis.DriftOf(l); ok {
			what := d.Metric.String()
			if d.Output {
				what = "the output rate"
			}
			out = append(out, fmt.Sprintf("%s drifts: %s %+.0f%% from its first half to its second", name, what, 100*d.Share()))
		}
		if n := l.Strained[0] + l.Strained[1]; n > 0 {
			out = append(out, fmt.Sprintf("%s: the client was busy for %d s of %s: some of it may be the client's doing", name, n, span(l.Span)))
		}
		if n := b.Visits[i]; n > 1 {
			out = append(out, fmt.Sprintf("%s has %d visits of this load: the newest is compared", name, n))
		}
	}
	for _, of := range []struct {
		what string
		a, b bench.Value
	}{{"prompts", b.A.PromptTokens, b.B.PromptTokens}, {"answers", b.A.AnswerTokens, b.B.AnswerTokens}} {
		if of.a.OK && of.b.OK && of.a.V > 0 && math.Abs(of.b.V/of.a.V-1) > unequal {
			out = append(out, fmt.Sprintf("the %s differ in length: %s and %s tokens in the mean", of.what, short(of.a.V), short(of.b.V)))
		}
	}
	return out
}
