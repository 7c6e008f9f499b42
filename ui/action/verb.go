package action

import (
	"slices"
	"strings"
)

// Verb is a word of the command palette: the name of an action, or another way to say one with an argument.
type Verb struct {
	Action Action
	Name   string
	// Takes are examples of its argument, empty where it takes none; with Must it does nothing without.
	Takes string
	Must  bool
	// Alias is another name of the action.
	Alias string
	// Help and Keys are those of the action; Why is why it can not be carried out now, empty where it can.
	Help, Keys, Why string

	rank int
}

// SortForms and AcrossForms are what arrange takes in the Requests and in Heat.
const (
	SortForms   = "newest, ttft, tpot, gap, e2e, out"
	AcrossForms = "time, prompt, position"
)

// more are words of the palette beside the names of actions.
var more = []Verb{
	{Action: ShowLive, Name: "view", Takes: "live, curve, heat, requests, server, log, diagnosis", Must: true, Help: "go to a view"},
	{Action: Longer, Name: "window", Takes: "30s, 1m, 2m, 5m, 15m, all", Must: true, Help: "time that the lanes show"},
	{Action: Next, Name: "lane", Takes: "ttft, itl, tps, rpm, tpm", Must: true, Help: "choose a lane or a metric"},
}

// Verbs are the words of the palette for a state: what works now first, in the table's order.
func (m *Map) Verbs(s State) []Verb {
	var out []Verb
	for i := range m.Rows() {
		b := &m.Rows()[i]
		if b.Name == "" || b.Action == Palette {
			continue
		}
		v := Verb{Action: b.Action, Name: b.Name, Alias: b.Alias, Takes: b.Takes, Must: b.Must, Help: b.Help, Keys: b.Show, Why: m.Why(b, s)}
		if b.Action == Exact {
			v.Takes = Amounts(s.Load.Mode)
		}
		if len(b.Keys) == 0 {
			v.Keys = ""
		}
		if b.Action == Arrange {
			v.Takes = map[View]string{Requests: SortForms, Heat: AcrossForms}[s.View]
		}
		if b.Action == Threshold && !s.over() && !slices.Contains(b.Views, s.View) {
			// Where no lane is chosen a promise can be put in force that names its metric.
			v.Takes, v.Must, v.Why = "ttft.p95<=500ms, tps.p5>=20, errors<=1%", true, ""
		}
		out = append(out, v)
	}
	out = append(out, more...)
	slices.SortStableFunc(out, func(a, b Verb) int { return order(a.Why != "") - order(b.Why != "") })
	return out
}

func order(later bool) int {
	if later {
		return 1
	}
	return 0
}

// Search are the verbs that fit what was typed into the palette, best first, and what stands behind the name of those that take an argument. All fit
// nothing.
func (m *Map) Search(text string, s State) (found []Verb, argument string) {
	text = strings.TrimLeft(text, " \u3000")
	all := m.Verbs(s)
	head, rest, spaced := strings.Cut(strings.Replace(text, "\u3000", " ", 1), " ")
	head, argument = strings.ToLower(narrow(head)), strings.TrimSpace(rest)
	if spaced {
		for _, v := range all {
			if v.rank = v.named(head); v.Takes != "" && v.rank > 0 {
				v.rank -= apart
				found = append(found, v)
			}
		}
		if i := slices.IndexFunc(found, func(f Verb) bool { return f.Name == head || f.Alias == head && head != "" }); i >= 0 {
			return found[i : i+1], argument
		}
	}
	whole := strings.TrimSpace(narrow(text))
	words := strings.Fields(strings.ToLower(whole))
	for _, v := range all {
		if slices.ContainsFunc(found, func(f Verb) bool { return f.Name == v.Name }) {
			continue
		}
		if v.rank = v.fits(whole, words); v.rank > 0 || whole == "" {
			found = append(found, v)
		}
	}
	return best(found), argument
}

// best puts verbs into the order of how well they fit.
func best(verbs []Verb) []Verb {
	slices.SortStableFunc(verbs, func(a, b Verb) int { return b.rank - a.rank })
	return verbs
}

// How well a verb fits what was typed: its name, one of its keys, the beginning of its name or of a part of it, letters of it in their order, words of its
// help. Letters that lie apart cost.
const (
	exactly   = 1000
	byKey     = 900
	beginning = 800
	part      = 700
	letters   = 500
	helped    = 200
	// apart is what a name loses that is not the whole of what was typed.
	apart = 100
)

// fits is how well a verb fits a text and its words; 0 is not at all.
func (v *Verb) fits(text string, words []string) int {
	if rank := v.named(strings.ToLower(text)); rank > 0 {
		if rank < byKey && v.hasKey(text) {
			return byKey
		}
		return rank
	}
	if v.hasKey(text) {
		return byKey
	}
	if len(words) == 0 {
		return 0
	}
	help := strings.ToLower(v.Help + " " + v.Name)
	for _, w := range words {
		if !strings.Contains(help, w) {
			return 0
		}
	}
	return helped
}

// hasKey tells whether a text is one of its keys.
func (v *Verb) hasKey(text string) bool {
	return text != "" && slices.ContainsFunc(strings.Fields(v.Keys), func(k string) bool { return k == text || len(k) > 1 && strings.EqualFold(k, text) })
}

// named is how well its name fits a text, or its alias.
func (v *Verb) named(text string) int {
	rank := rankName(text, v.Name)
	if v.Alias != "" {
		rank = max(rank, rankName(text, v.Alias)-1)
	}
	return rank
}

// rankName is how well a name fits a text.
func rankName(text, name string) int {
	text = strings.ReplaceAll(text, " ", "-")
	switch {
	case text == "":
		return 0
	case text == name:
		return exactly
	case strings.HasPrefix(name, text):
		return beginning - len(name) + len(text)
	case strings.Contains(name, "-"+text):
		return part
	}
	// The letters of the text in their order, as near to one another as they stand.
	at, gaps := 0, 0
	for i := range len(text) {
		next := strings.IndexByte(name[at:], text[i])
		if next < 0 {
			return 0
		}
		if i > 0 {
			gaps += next
		}
		at += next + 1
	}
	return max(letters-10*gaps, helped+1)
}
