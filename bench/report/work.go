package report

import (
	"fmt"
	"strings"
	"time"

	"redline/bench"
)

// writeWorks is what was asked: each workload with what its file left out, and the lengths of prompts and answers as they were asked for and as they
// turned out.
func writeWorks(b *strings.Builder, s *bench.Snapshot, width int) {
	label := "workload"
	for _, w := range s.Run.Works {
		if text := workWords(&w); text != "" {
			entry(b, label, text, width)
			label = ""
		}
	}
	entry(b, "prompts", promptWords(s)+fmt.Sprintf("; seed %d, begun %s", s.Run.Seed, s.Run.Start.Format(time.RFC3339)), width)
	writeLongAnswers(b, s, width)
}

// workWords are a workload's name, what it is, and what its file left out.
func workWords(w *bench.Workload) string {
	words := []string{Printable(w.Name)}
	if w.Words != "" && w.Words != w.Name {
		words = append(words, Printable(w.Words))
	}
	text := strings.TrimPrefix(strings.Join(words, ": "), ": ")
	if w.Left != "" {
		text += "; " + Printable(w.Left)
	}
	return text
}

// promptWords are the lengths of prompts and answers: as the workload has them, of those that were sent, and as the server counted, its own template included.
func promptWords(s *bench.Snapshot) string {
	prompts := lengthsOf(s.Run, " in the workload", func(w *bench.Workload) int { return w.InputTokens })
	asked, counted := s.Total.AskedTokens, s.Total.PromptTokens
	if known(asked) != nil && known(counted) != nil {
		prompts = append(prompts, fmt.Sprintf("%.0f of those that were sent", asked.V))
	}
	if known(counted) != nil {
		prompts = append(prompts, fmt.Sprintf("%.0f by the server's count", counted.V))
	}
	text := "length not known beforehand"
	if len(prompts) > 0 {
		text = "mean tokens " + strings.Join(prompts, ", ")
	}
	if most := lengthsOf(s.Run, " tokens", func(w *bench.Workload) int { return w.MaxTokens }); len(most) > 0 {
		text += "; answers at most " + strings.Join(most, ", ")
	}
	if v := s.Total.AnswerTokens; known(v) != nil {
		text += fmt.Sprintf(", mean %.0f", v.V)
	}
	return text
}

// lengthsOf are a length of each workload of a run, with its name where there are several, else with the words of the only one; none where no length is known.
func lengthsOf(r *bench.Run, only string, length func(*bench.Workload) int) []string {
	var out []string
	known := false
	for i := range r.Works {
		n, of := length(&r.Works[i]), " in "+Printable(r.Works[i].Name)
		if len(r.Works) == 1 {
			of = only
		}
		text := "not known"
		if n > 0 {
			text, known = fmt.Sprint(n), true
		}
		out = append(out, text+of)
	}
	if !known {
		return nil
	}
	return out
}

// tooLong is by how much answers may be longer than asked for before it is told, as a factor.
const tooLong = 1.2

// writeLongAnswers tells of answers that are longer than the workload asks for, and how to have them as long: a model ends where it likes, within their bound.
func writeLongAnswers(b *strings.Builder, s *bench.Snapshot, width int) {
	for i := range s.Run.Works {
		w := &s.Run.Works[i]
		mean := answersOf(s, i)
		if w.OutputTokens == 0 || !mean.OK || mean.V <= tooLong*float64(w.OutputTokens) {
			continue
		}
		of := ""
		if len(s.Run.Works) > 1 {
			of = " of " + Printable(w.Name)
		}
		b.WriteString(wrapped(fmt.Sprintf("! the answers%s are %.0f tokens long on average, and %d were asked for: bound them there with --max-tokens, or max= of the workload; --body ignore_eos=true makes "+
			"them exactly as long as their bound on vLLM, SGLang and llama.cpp", of, mean.V, w.OutputTokens), width))
	}
}

// answersOf is the mean length of the answers of a workload, in tokens: of the run where it has no other, else of the levels of that workload.
func answersOf(s *bench.Snapshot, work int) bench.Value {
	if len(s.Run.Works) == 1 {
		return s.Total.AnswerTokens
	}
	sum, n := 0.0, 0
	for _, l := range s.Levels {
		if l.Work == work && l.AnswerTokens.OK {
			sum, n = sum+l.AnswerTokens.V*float64(l.Tally.OK), n+l.Tally.OK
		}
	}
	if n == 0 {
		return bench.Value{}
	}
	return bench.Some(sum / float64(n))
}
