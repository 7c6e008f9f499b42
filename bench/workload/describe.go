package workload

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"redline/bench"
)

// describe puts the workload in words and figures.
func (s *Source) describe() bench.Workload {
	w := bench.Workload{Name: s.spec.name()}
	var parts []string
	switch {
	case s.table == nil:
		parts = s.describeSynthetic(&w)
	case s.table.trace:
		parts = s.describeTrace(&w)
	default:
		parts = s.describeChats(&w)
	}
	if s.spec.Prefix > 0 {
		parts = append(parts, s.describePrefix())
	}
	if s.spec.Once {
		parts = append(parts, "once")
	}
	w.Words = strings.Join(parts, ", ")
	return w
}

func (s *Source) describeSynthetic(w *bench.Workload) []string {
	w.InputTokens = rounded(s.spec.In.mean())
	parts := []string{"synthetic prompts", s.spec.In.String() + " in"}
	s.describeAnswers(w, &parts)
	return parts
}

// describeAnswers takes what is asked of answers that no file bounds.
func (s *Source) describeAnswers(w *bench.Workload, parts *[]string) {
	w.MaxTokens = bound(s.spec.Max, int(s.spec.Out.most()))
	if s.spec.Out.set() {
		w.OutputTokens = rounded(s.spec.Out.mean())
		*parts = append(*parts, s.spec.Out.String()+" out")
	}
	if s.spec.Max > 0 {
		*parts = append(*parts, fmt.Sprintf("at most %d out", s.spec.Max))
	}
}

func (s *Source) describePrefix() string {
	words := fmt.Sprintf("%d shared", s.spec.Prefix)
	if s.spec.Share > 0 && s.spec.Share < 1 {
		words += fmt.Sprintf(" by %.4g%%", 100*s.spec.Share)
	}
	if s.spec.Prefixes > 1 {
		words += fmt.Sprintf(" in %d prefixes", s.spec.Prefixes)
	}
	return words
}

func (s *Source) describeTrace(w *bench.Workload) []string {
	t := s.table
	in, out := 0.0, 0.0
	for _, r := range t.rows {
		tokens := int(r.out)
		if s.spec.Max > 0 {
			tokens = min(tokens, s.spec.Max)
		}
		in, out = in+float64(r.in), out+float64(tokens)
		w.MaxTokens = max(w.MaxTokens, tokens)
	}
	n := float64(len(t.rows))
	w.InputTokens, w.OutputTokens = rounded(in/n), rounded(out/n)
	if t.span > 0 && !s.spec.LengthsOnly {
		w.Rate = (n - 1) / t.span
	}
	w.Left = t.leftWords()
	parts := []string{fmt.Sprintf("%d requests of the trace %s", len(t.rows), printable(filepath.Base(s.spec.File), 40))}
	if s.spec.LengthsOnly {
		parts = append(parts, "its lengths only")
	}
	if t.blocks {
		parts = append(parts, "with its shared blocks")
	}
	return parts
}

func (s *Source) describeChats(w *bench.Workload) []string {
	t := s.table
	in, own, most := 0.0, 0, 0
	var parts []string
	s.describeAnswers(w, &parts)
	for i := range t.chats {
		c := &t.chats[i]
		in += float64(c.head + c.lengths[0] + perMessage*len(c.history))
		if c.most > 0 {
			own++
			most = max(most, c.bound(&s.spec, nil))
		}
	}
	// What the rows do not bound is bounded as set.
	if own == len(t.chats) {
		w.MaxTokens = most
	}
	w.MaxTokens = max(w.MaxTokens, most)
	w.InputTokens = s.measure.unseen(in / float64(len(t.chats)))
	w.Left = t.leftWords()
	file, what := printable(filepath.Base(s.spec.File), 40), ""
	switch {
	case s.spec.OneTurn:
		what = fmt.Sprintf("the first turns of %d rows of %s", len(t.chats), file)
	case t.turns == len(t.chats):
		what = fmt.Sprintf("%d prompts of %s", len(t.chats), file)
	default:
		what = fmt.Sprintf("%d conversations of %s, %d turns", len(t.chats), file, t.turns)
		if s.spec.Think.set() {
			what += ", " + s.spec.Think.String() + " to think"
		}
	}
	return append([]string{what}, parts...)
}

// leftWords say what of the file is not in use.
func (t *table) leftWords() string {
	left := t.left.words()
	if !t.cut {
		return left
	}
	if left != "" {
		left += "; "
	}
	return left + fmt.Sprintf("of the file's %.1f MB only the first %d rows are used", float64(t.size)/1e6, t.left.rows)
}

func rounded(v float64) int { return int(math.Round(v)) }
