package client

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"redline/bench"
)

// cure is a change of the request for a field that a refusal names; at is where it does.
type cure struct {
	at   int
	make func() bool
}

// refit drops or renames the first field that a refusal names, of those for which that can still be done.
func (x *probe) refit(q *complaint) bool {
	cures := []cure{
		{min(q.names("stream_options"), q.names(continuous), q.names("include_usage")), x.refitUsage},
		{x.wantsTokens(q), x.refitTokens},
	}
	cures = append(cures, x.refitExtra(q)...)
	cures = append(cures,
		cure{q.names("temperature"), func() bool {
			return x.drop("temperature", "the server refuses temperature 0: its own default holds")
		}},
		cure{q.names("store"), func() bool {
			return x.drop("store", "the server refuses store: whether it keeps the answers is its own affair")
		}})
	slices.SortStableFunc(cures, func(a, b cure) int { return cmp.Compare(a.at, b.at) })
	for _, c := range cures {
		if c.at != nowhere && c.make() {
			return true
		}
	}
	return false
}

// refitUsage asks for token counts in a plainer form, or not at all.
func (x *probe) refitUsage() bool {
	if _, given := x.t.extra["stream_options"]; given {
		return x.change(func(f *form) { delete(f.extra, "stream_options") }, "the server refuses the extra stream_options: asking for final usage only")
	}
	return x.drop("stream_options", "the server refuses stream_options: token counts come only if it sends usage unasked")
}

// otherTokens is the other of the two names of the output limit.
func (x *probe) otherTokens() string {
	if x.t.tokensField == chatTokens {
		return chatTokensNew
	}
	return chatTokens
}

// wantsTokens is where a refusal wants the other name of the output limit, or does not know the present one.
func (x *probe) wantsTokens(q *complaint) int {
	at, present, other := nowhere, x.t.tokensField, x.otherTokens()
	switch listed := says(q.taken, other, false) != nowhere && says(q.taken, present, false) == nowhere; {
	case q.strange() || listed && q.names(present) != nowhere:
		at = q.names(present)
	case listed:
		at = nowhere - 1
	}
	if strings.Contains(q.text, "context length") || strings.Contains(q.text, "too large") {
		return at
	}
	return min(at, q.names(other))
}

// refitTokens puts one of the names of the output limit for the other.
func (x *probe) refitTokens() bool {
	t := x.t
	if t.swapped || t.api != bench.Chat && t.api != bench.Completions {
		return false
	}
	other := x.otherTokens()
	return x.change(func(f *form) { f.tokensField, f.swapped = other, true }, "the server wants %s instead of %s", other, t.tokensField)
}

// refitExtra leaves out extra fields, or the members of one, that a refusal names.
func (x *probe) refitExtra(q *complaint) (cures []cure) {
	for _, name := range slices.Sorted(maps.Keys(x.t.extra)) {
		at := q.names(name)
		if inner, path, without := strip(name, x.t.extra[name], q); inner != nowhere {
			cures = append(cures, cure{min(at, inner), func() bool {
				return x.change(func(f *form) { f.extra[name] = without }, "the server refuses %s.%s: it is left out", name, path)
			}})
			continue
		}
		cures = append(cures, cure{at, func() bool {
			return x.change(func(f *form) { delete(f.extra, name) }, "the server refuses %s: it is left out", name)
		}})
	}
	return cures
}

// strip is a value without the first member that a refusal names, where that stands, and the member's path.
func strip(parent string, value any, q *complaint) (at int, path string, without any) {
	object, _ := value.(map[string]any)
	at = nowhere
	for _, name := range slices.Sorted(maps.Keys(object)) {
		inner, innerPath, rest := strip(name, object[name], q)
		own := q.namesInner(parent, name)
		if min(own, inner) >= at {
			continue
		}
		left := maps.Clone(object)
		if at = min(own, inner); inner != nowhere {
			path, left[name] = name+"."+innerPath, rest
		} else {
			path = name
			delete(left, name)
		}
		without = left
	}
	return at, path, without
}

func (x *probe) drop(field, note string) bool {
	if _, sent := x.t.fields[field]; !sent || slices.Contains(x.t.dropped, field) {
		return false
	}
	return x.change(func(f *form) { f.dropped = append(f.dropped, field); delete(f.extra, field) }, "%s", note)
}

// guesses bounds the tries for a field that a refusal does not name.
const guesses = 4

// guess is the search for a field that the server refuses without naming it: each candidate is left out alone, since what the server does
// take should stay, and at last all of them.
type guess struct {
	from   *target
	notes  int
	fields []string
	next   int
}

// guessField leaves out the next candidate.
func (x *probe) guessField(q *complaint) bool {
	g := &x.guess
	if !q.strange() {
		return false
	}
	if g.from == nil {
		*g = guess{from: x.t, notes: len(x.notes), fields: suspects(x.t)}
		g.fields = g.fields[:min(len(g.fields), guesses)]
	}
	var out []string
	switch n := len(g.fields); {
	case g.next < n:
		out = g.fields[g.next : g.next+1]
	case g.next == n && n > 1:
		out = g.fields
	default:
		return false
	}
	g.next++
	x.t, x.notes = g.from, x.notes[:g.notes]
	return x.change(func(f *form) {
		for _, name := range out {
			delete(f.extra, name)
			f.dropped = append(f.dropped, name)
		}
	}, "the server refuses a field without naming it, and answers without %s", strings.Join(out, ", "))
}

// suspects are the fields that servers may not know, the ones that change least first.
func suspects(t *target) (names []string) {
	for _, name := range []string{"store", "stream_options"} {
		if _, sent := t.fields[name]; sent {
			names = append(names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.extra)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if _, sent := t.fields["temperature"]; sent && !slices.Contains(names, "temperature") {
		names = append(names, "temperature")
	}
	return names
}
