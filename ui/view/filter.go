package view

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"redline/bench"
	"redline/ui/action"
)

// filter is what the rows of the Requests must have; all of its terms must hold. The zero filter lets all through.
type filter struct {
	terms []term
	// words are looked for in what is told of a request.
	words []wanted
	// slow asks for those that are slow among the others.
	slow bool
}

// wanted is a word that a request must have: in what is told of it, or with said in what was said. Forms are what it may have been typed for, in small
// letters: one is enough.
type wanted struct {
	forms []string
	said  said
}

// said is what was said in a request.
type said uint8

const (
	inPrompt said = 1 << iota
	inReply
)

// texts are the names of what was said.
var texts = map[string]said{"prompt": inPrompt, "reply": inReply, "text": inPrompt | inReply}

// term is one condition on a request.
type term func(q *single) bool

// holds tells whether a request meets all terms; its words are looked for by reads, and slow is the list's business.
func (f *filter) holds(q *single) bool {
	for _, t := range f.terms {
		if !t(q) {
			return false
		}
	}
	return true
}

// FilterProblem is what is wrong with a filter for a list of a view: the term and what is allowed; nil if nothing is. Only the Requests have terms.
func FilterProblem(v action.View, text string) error {
	if v != action.Requests {
		return nil
	}
	_, err := parseFilter(text)
	return err
}

// FilterForms are what can be typed for a list of a view beside words; empty where only words can.
func FilterForms(v action.View) string {
	if v == action.Requests {
		return filterForms
	}
	return ""
}

// filterForms are the terms that a filter may have, in few words.
const filterForms = "ok failed flying slow new status:429 ttft>0.5s out>=200 turn>1 prompt:word reply:word words"

// plain are the terms of one word.
var plain = map[string]term{
	"ok":     func(q *single) bool { return q.ended != nil && q.ended.Outcome == bench.OK },
	"failed": func(q *single) bool { return q.ended != nil && q.ended.Outcome.Failed() },
	"flying": func(q *single) bool { return q.flight != nil },
	"ended":  func(q *single) bool { return q.ended != nil },
	"new":    func(q *single) bool { return q.ended != nil && !q.ended.Reused && q.ended.Marks.Connected.OK },
}

// quantity is a number of a request that a filter may ask for. Of a flight it may be the least that it can come to: final tells that it is not.
type quantity func(q *single) (v float64, final, ok bool)

// quantities are those by their names, with times in ms.
var quantities = map[string]struct {
	of   quantity
	time bool
}{
	"ttft":  {func(q *single) (float64, bool, bool) { return q.ttft.V, !q.waits, q.ttft.OK }, true},
	"tpot":  {func(q *single) (float64, bool, bool) { return q.tpot.V, true, q.tpot.OK }, true},
	"gap":   {func(q *single) (float64, bool, bool) { return q.gap.V, q.ended != nil, q.gap.OK }, true},
	"e2e":   {func(q *single) (float64, bool, bool) { return q.e2e.V, q.ended != nil, q.e2e.OK }, true},
	"out":   {func(q *single) (float64, bool, bool) { return q.out.V, q.ended != nil, q.out.OK }, false},
	"in":    {func(q *single) (float64, bool, bool) { return float64(q.input()), true, true }, false},
	"conc":  {func(q *single) (float64, bool, bool) { return q.Load.N, true, q.Load.Mode == bench.Closed }, false},
	"rate":  {func(q *single) (float64, bool, bool) { return q.Load.N, true, q.Load.Mode == bench.Open }, false},
	"level": {func(q *single) (float64, bool, bool) { return float64(q.Level), true, q.Level != bench.NoLevel }, false},
	"id":    {func(q *single) (float64, bool, bool) { return float64(q.ID), true, true }, false},
	"turn":  {func(q *single) (float64, bool, bool) { return float64(q.Prompt.Turn), true, q.Prompt.Turn > 0 }, false},
}

// names are the names of quantities for an error, most wanted first.
const quantityNames = "ttft, tpot, gap, e2e, out, in, conc, rate, level, id, turn, status, prompt, reply, text"

// input is the length of the prompt in tokens: by the server, else as asked.
func (q *single) input() int {
	if q.ended != nil {
		return promptOf(q.ended)
	}
	return q.Prompt.InputTokens
}

// parseFilter reads a filter: terms apart by blanks. A term is a word of plain, slow, status: with a class, or NAME and one of : = < > <= >= and a number; times
// are in ms, or have a unit. prompt:, reply: and text: (both) and a word look for it in what was said; anything else, and what stands in quotation marks, is
// looked for in what is told of a request. Full-width forms count as their ASCII twins.
func parseFilter(text string) (*filter, error) {
	f := &filter{}
	all := splitWords(text)
	for i := 0; i < len(all); i++ {
		w := all[i]
		t := strings.ToLower(narrowed(w.text))
		name, op, value, ok := condition(t)
		switch {
		case w.quoted || !ok && plain[t] == nil && t != "slow":
			f.words = append(f.words, wanted{forms: forms(w.text)})
		case texts[name] != 0:
			what := operand(w.text)
			if what == "" && i+1 < len(all) && all[i+1].quoted {
				i++
				what = all[i].text
			}
			if what == "" || op != ":" && op != "=" {
				return &filter{}, fmt.Errorf("%q: want %s:word, or %s:\"some words\"", w.text, name, name)
			}
			f.words = append(f.words, wanted{forms(what), texts[name]})
		case t == "slow":
			f.slow = true
		case plain[t] != nil:
			f.terms = append(f.terms, plain[t])
		case name == "status":
			one, err := statusTerm(w.text, op, value)
			if err != nil {
				return &filter{}, err
			}
			f.terms = append(f.terms, one)
		default:
			one, err := compare(w.text, name, op, value)
			if err != nil {
				return &filter{}, err
			}
			f.terms = append(f.terms, one)
		}
	}
	if len(f.words) > mostWords {
		return &filter{}, fmt.Errorf("%d words to look for: at most %d", len(f.words), mostWords)
	}
	return f, nil
}

// mostWords bounds the words of a filter.
const mostWords = 32

// word is a piece of a filter; quoted it is nothing but text.
type word struct {
	text   string
	quoted bool
}

// splitWords cuts a filter at its blanks; quotation marks hold blanks together, and the last may be left out.
func splitWords(text string) []word {
	var out []word
	var b strings.Builder
	quoted := false
	end := func() {
		if strings.TrimSpace(b.String()) != "" {
			out = append(out, word{b.String(), quoted})
		}
		b.Reset()
	}
	for _, r := range text {
		switch {
		case r == '"' || r == '“' || r == '”' || r == '＂':
			end()
			quoted = !quoted
		case !quoted && unicode.IsSpace(r):
			end()
		default:
			b.WriteRune(r)
		}
	}
	end()
	return out
}

// narrowed is text with its full-width forms as ASCII.
func narrowed(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch k := action.Key(string(r)); {
		case r == '≤':
			b.WriteString("<=")
		case r == '≥':
			b.WriteString(">=")
		case k == "space":
			b.WriteByte(' ')
		default:
			b.WriteString(k)
		}
	}
	return b.String()
}

// operand is what stands behind the operator of a term, as it was typed.
func operand(term string) string {
	at := strings.IndexAny(term, ":：=＝")
	if at < 0 {
		return ""
	}
	_, size := utf8.DecodeRuneInString(term[at:])
	return term[at+size:]
}

// forms are what a word is looked for as: as it was typed, and with its full-width forms as ASCII.
func forms(text string) []string {
	return slices.Compact([]string{strings.ToLower(text), strings.ToLower(narrowed(text))})
}

// condition takes a term apart; not ok for one that does not begin with a name and an operator.
func condition(t string) (name, op, value string, ok bool) {
	at := strings.IndexFunc(t, func(r rune) bool { return (r < 'a' || r > 'z') && !(r >= '0' && r <= '9') })
	if at < 1 || t[0] >= '0' && t[0] <= '9' {
		return "", "", "", false
	}
	for _, op := range []string{"<=", ">=", "==", "<", ">", ":", "="} {
		if value, found := strings.CutPrefix(t[at:], op); found {
			return t[:at], op, value, true
		}
	}
	return "", "", "", false
}

// compare is a condition on a quantity.
func compare(text, name, op, value string) (term, error) {
	what, known := quantities[name]
	if !known {
		return nil, fmt.Errorf("%q: nothing is called %s; there are %s; in quotes it is text", text, name, quantityNames)
	}
	v, ok := readNumber(value, what.time)
	if !ok && what.time {
		return nil, fmt.Errorf("%q: want a time such as %s%s500, %s%s500ms or %s%s0.5s", text, name, op, name, op, name, op)
	} else if !ok {
		return nil, fmt.Errorf("%q: want a number such as %s%s3", text, name, op)
	}
	return func(q *single) bool {
		have, final, ok := what.of(q)
		switch {
		case !ok:
			return false
		case op == ">":
			return have > v
		case op == ">=":
			return have >= v
		case !final:
			return false
		case op == "<":
			return have < v
		case op == "<=":
			return have <= v
		}
		return have == v || what.time && math.Round(have) == v
	}, nil
}

// readNumber reads a number of at least 0, or a time in ms.
func readNumber(value string, time bool) (float64, bool) {
	per := 1.0
	for _, u := range []struct {
		suffix string
		per    float64
		time   bool
	}{{"ms", 1, true}, {"min", 60_000, true}, {"s", 1000, true}, {"k", 1000, false}} {
		if rest, ok := strings.CutSuffix(value, u.suffix); ok && u.time == time {
			value, per = rest, u.per
			break
		}
	}
	if value == "" || value[0] != '.' && (value[0] < '0' || value[0] > '9') {
		return 0, false
	}
	v, err := strconv.ParseFloat(value, 64)
	return v * per, err == nil && v*per <= 1e15
}

// statusTerm is a condition on how a request ended: error, ok, an HTTP status or its hundred, or a part of an outcome's name.
func statusTerm(text, op, value string) (term, error) {
	if op != ":" && op != "=" && op != "==" {
		return nil, fmt.Errorf("%q: want status:429", text)
	}
	switch n, err := strconv.Atoi(value); {
	case value == "error":
		return func(q *single) bool { return q.ended != nil && q.ended.Outcome.Broken() }, nil
	case value == "ok":
		return plain["ok"], nil
	case err == nil && n >= 100 && n < 1000:
		return func(q *single) bool { return q.ended != nil && q.ended.Status == n }, nil
	case len(value) == 3 && value[0] >= '1' && value[0] <= '5' && value[1:] == "xx":
		return func(q *single) bool { return q.ended != nil && q.ended.Status/100 == int(value[0]-'0') }, nil
	}
	of := map[bench.Outcome]bool{}
	for o := range bench.NumOutcomes {
		if value != "" && strings.Contains(strings.ReplaceAll(o.String(), " ", ""), strings.NewReplacer("-", "", "_", "").Replace(value)) || value != "" && strings.Contains(o.String(), value) {
			of[o] = true
		}
	}
	if len(of) == 0 {
		return nil, fmt.Errorf("%q: want error, ok, 429, 5xx, timeout, truncated, refused …", text)
	}
	return func(q *single) bool { return q.ended != nil && of[q.ended.Outcome] }, nil
}

// readBytes is how much of a prompt words are looked for in.
const readBytes = 16 << 10

// reads tells which words are in what was said in a request: its reply, and the beginning of its prompt. Bit i stands for words[i].
func (f *filter) reads(q *single) (found uint64) {
	text := q.Prompt.Text
	prompt, reply := strings.ToLower(text[:min(len(text), readBytes)]), ""
	if q.ended != nil {
		reply = strings.ToLower(q.ended.Reply)
	}
	for i, w := range f.words {
		if w.said&inPrompt != 0 && w.in(prompt) || w.said&inReply != 0 && w.in(reply) {
			found |= 1 << i
		}
	}
	return found
}

// named tells which words are among what is told of a request.
func (f *filter) named(names []string) (found uint64) {
	for i, w := range f.words {
		if w.said == 0 && slices.ContainsFunc(names, w.in) {
			found |= 1 << i
		}
	}
	return found
}

// all are the bits of all words.
func (f *filter) all() uint64 { return 1<<len(f.words) - 1 }

// asks tells whether any word is looked for in what was said.
func (f *filter) asks() bool {
	return slices.ContainsFunc(f.words, func(w wanted) bool { return w.said != 0 })
}

// in tells whether a word is in a text of small letters.
func (w *wanted) in(text string) bool {
	return slices.ContainsFunc(w.forms, func(form string) bool { return strings.Contains(text, form) })
}

// names are what is told of a request, in small letters: its id, its state, the words of its end, its notes, and unless that is private the server's message.
func (q *single) names(at, stall time.Duration, private bool) []string {
	state, _ := q.state()
	out := []string{strconv.FormatUint(q.ID, 10), state}
	if q.waits {
		// Its state was called so once.
		out = append(out, "prefill")
	}
	for _, p := range q.notes(at, stall, private) {
		out = append(out, strings.ToLower(p.text))
	}
	if e := q.ended; e != nil {
		if out = append(out, e.Outcome.String(), strings.ToLower(e.Finish)); !private {
			out = append(out, strings.ToLower(e.Message))
		}
	}
	return out
}
