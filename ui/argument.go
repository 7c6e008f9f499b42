package ui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/themes"
	"redline/ui/action"
	"redline/ui/view"
)

// carryWith carries a verb out with its argument, by the same ways as keys and input lines do; problem names what is wrong with it, and what may be.
func (m *model) carryWith(v action.Verb, text string) (cmd tea.Cmd, problem string) {
	if v.Why != "" && !strings.HasPrefix(v.Why, "locked") {
		return nil, v.Why
	}
	switch v.Action {
	case action.Exact:
		return nil, m.enter(view.ForLoad, text)
	case action.Note:
		return nil, m.enter(view.ForNote, text)
	case action.Filter:
		return nil, m.enter(view.ForFilter, text)
	case action.Threshold:
		return nil, m.enter(view.ForPromise, text)
	case action.Ramp:
		return nil, m.enterPlan(text)
	case action.Cruise:
		return nil, m.enterCourse(text)
	case action.Lock, action.Freeze, action.Private, action.Mouse:
		return m.switchTo(v.Action, text)
	case action.SeekTo:
		return nil, m.seekTo(text)
	case action.Tempo:
		return nil, m.tempo(text)
	}
	return nil, m.choose(v, text)
}

// choose sets what has values to choose from.
func (m *model) choose(v action.Verb, text string) (problem string) {
	word := strings.ToLower(text)
	switch v.Name {
	case "step":
		return m.stepOf(word)
	case "arrange":
		return m.arrangeBy(word, v.Takes)
	case "percentile":
		for p := bench.P50; p <= bench.Max; p++ {
			if p.String() == word {
				m.st.Percentile = p
				m.say("TTFT and ITL plot " + p.String())
				return ""
			}
		}
	case "scope":
		for s := view.Level; s <= view.Run; s++ {
			if s.String() == word {
				m.st.Scope = s
				m.say("numbers of the " + s.String())
				return ""
			}
		}
	case "window":
		return m.windowOf(word, v.Takes)
	case "theme":
		t, err := themes.Load(text, m.looks.env)
		if err != nil {
			return err.Error()
		}
		m.wear(t)
		m.say(m.looks.told())
		return ""
	case "view":
		for w := range action.NumViews {
			if w.String() == word || strconv.Itoa(int(w)+1) == word {
				m.show(w)
				return ""
			}
		}
	case "lane":
		for _, l := range view.Ring(m.st.View) {
			if strings.EqualFold(l.String(), word) {
				m.st.Metric, m.st.Chosen = l, true
				return ""
			}
		}
		return quoted(text) + " is none here: want one of " + strings.ToLower(list(view.Ring(m.st.View)))
	}
	return quoted(text) + " is none: want one of " + v.Takes
}

// list are values in words.
func list[T interface{ String() string }](all []T) string {
	words := make([]string, len(all))
	for i, v := range all {
		words[i] = v.String()
	}
	return strings.Join(words, ", ")
}

func quoted(text string) string { return strconv.Quote(text) }

// enter puts a text in force as if it had been typed into the input line that asks for it.
func (m *model) enter(what view.Asking, text string) (problem string) {
	m.apply(&view.Entry{For: what, Text: text})
	if e := m.st.Entry; e != nil && e.Problem != "" {
		problem, m.st.Entry = e.Problem, nil
	}
	return problem
}

// switchTo switches something on or off; what is so already stays so.
func (m *model) switchTo(a action.Action, text string) (cmd tea.Cmd, problem string) {
	word := strings.ToLower(text)
	if word != "on" && word != "off" {
		return nil, quoted(text) + " is neither: want on or off"
	}
	is := map[action.Action]bool{action.Lock: m.st.Locked, action.Freeze: m.st.Frozen, action.Private: m.st.Private, action.Mouse: m.st.Mouse}[a]
	if is == (word == "on") {
		return nil, ""
	}
	return m.hear(m.st.Keys.Row(a), m.driving()), ""
}

// arrangeBy sorts the Requests by a column, or puts something else across in Heat.
func (m *model) arrangeBy(word, takes string) (problem string) {
	if m.st.View == action.Requests {
		for _, s := range view.Sorts() {
			// A part of a name is enough: max gap is gap too.
			if word != "" && slices.Contains(append(strings.Fields(strings.ToLower(s.String())), strings.ToLower(s.String())), word) {
				m.st.Sort = s
				return ""
			}
		}
		return quoted(word) + " is no column: want one of " + takes
	}
	over, ok := map[string]view.Across{"time": view.OverTime, "prompt": view.OverPrompt, "position": view.OverPosition}[word]
	if !ok {
		return quoted(word) + " is none: want one of " + takes
	}
	at := m.st
	at.Across = view.OverTime
	if over != view.OverTime && at.NextAcross() != over {
		return "want another metric for that: TTFT and E2E go by prompt, ITL by position"
	}
	m.st.Across = over
	m.fetch()
	return ""
}

// stepOf makes a number the step of the mode in force.
func (m *model) stepOf(text string) (problem string) {
	mode := m.snap.Target.Mode & 1
	n, err := strconv.ParseFloat(strings.TrimSuffix(text, "/s"), 64)
	if err != nil || !slices.Contains(stepSizes[mode], n) {
		words := make([]string, len(stepSizes[mode]))
		for i, s := range stepSizes[mode] {
			words[i] = strconv.FormatFloat(s, 'f', -1, 64)
		}
		return quoted(text) + " is no step: want one of " + strings.Join(words, ", ")
	}
	m.steps[mode], m.st.Step = n, n
	return ""
}

// windowOf shows a span of time, one of those that keys go through.
func (m *model) windowOf(text, takes string) (problem string) {
	d, err := time.ParseDuration(text)
	if err == nil && d > 0 && slices.Contains(view.Windows, d) || text == "all" {
		m.st.Window, m.st.Growing = d, false
		return ""
	}
	return quoted(text) + " is no window: want one of " + takes
}
