package ui

import (
	"strings"
	"unicode"

	"redline/bench"
)

// longestTitle bounds the model's name in the title of the window, in characters.
const longestTitle = 40

// windowTitle is "redline · model · c40 · SLO ✓": words that change seldom. It names no host, so that it is the same in private.
func (m *model) windowTitle() string {
	s := m.snap
	if s.Run == nil {
		return "redline"
	}
	load := "c" + s.Target.String()
	if s.Target.Mode == bench.Open {
		load = s.Target.String()
	}
	words := []string{"redline", titled(s.Run.Model), load}
	if m.deck != nil {
		return m.st.Set.Plain(strings.Join(append([]string{"redline REPLAY", m.deck.when()}, words[1:]...), " · "))
	}
	if s.State == bench.Running {
		words = append(words, "SLO "+kept(s.Level()))
	} else {
		words = append(words, strings.ToLower(s.State.String()))
	}
	return m.st.Set.Plain(strings.Join(words, " · "))
}

// kept is ✓ where all promises of a level are kept, ✗ where one is broken, – as long as that is not known.
func kept(l *bench.Level) string {
	sign := "–"
	for i := 0; l != nil && i < len(l.Verdicts); i++ {
		switch v := &l.Verdicts[i]; {
		case v.Threshold.Quota():
		case v.Known && v.Broken:
			return "✗"
		case !v.Known:
			return "–"
		default:
			sign = "✓"
		}
	}
	return sign
}

// titled is a name without anything that could end the title's sequence, or steer whatever shows it.
func titled(name string) string {
	out := []rune(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, name))
	if len(out) > longestTitle {
		out = append(out[:longestTitle-1], '…')
	}
	return string(out)
}
