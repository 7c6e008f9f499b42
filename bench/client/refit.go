package client

import (
	"maps"
	"slices"
	"strings"

	"redline/bench"
)

// refit drops or renames the first field that a refusal names.
func (x *probe) refit(q *complaint) bool {
	return x.refitUsage(q) || x.refitTokens(q) || x.refitExtra(q) ||
		q.names("temperature") && x.drop("temperature", "the server refuses temperature 0: its own default holds") ||
		q.names("store") && x.drop("store", "the server refuses store: whether it keeps the answers is its own affair")
}

// refitUsage asks for token counts in a plainer form, or not at all.
func (x *probe) refitUsage(q *complaint) bool {
	if !q.names("stream_options") && !q.names("continuous_usage_stats") && !q.names("include_usage") {
		return false
	}
	if _, given := x.t.extra["stream_options"]; given {
		return x.change(func(f *form) { delete(f.extra, "stream_options") }, "the server refuses the extra stream_options: asking for final usage only")
	}
	return x.drop("stream_options", "the server refuses stream_options: token counts come only if it sends usage unasked")
}

// refitTokens puts one of the names of the output limit for the other.
func (x *probe) refitTokens(q *complaint) bool {
	t := x.t
	if t.swapped || t.api != bench.Chat && t.api != bench.Completions {
		return false
	}
	other := chatTokens
	if t.tokensField == chatTokens {
		other = chatTokensNew
	}
	large := strings.Contains(q.text, "context length") || strings.Contains(q.text, "too large")
	if wanted := q.names(other) && !large; !wanted && !(q.names(t.tokensField) && q.strange()) {
		return false
	}
	return x.change(func(f *form) { f.tokensField, f.swapped = other, true }, "the server wants %s instead of %s", other, t.tokensField)
}

// refitExtra leaves out an extra field, or the member of one, that a refusal names.
func (x *probe) refitExtra(q *complaint) bool {
	for _, name := range slices.Sorted(maps.Keys(x.t.extra)) {
		if inner, without, ok := strip(name, x.t.extra[name], q); ok {
			return x.change(func(f *form) { f.extra[name] = without }, "the server refuses %s.%s: it is left out", name, inner)
		}
		if q.names(name) {
			return x.change(func(f *form) { delete(f.extra, name) }, "the server refuses %s: it is left out", name)
		}
	}
	return false
}

// strip is a value without the member that a refusal names, and that member's path.
func strip(parent string, value any, q *complaint) (path string, without any, ok bool) {
	object, is := value.(map[string]any)
	if !is {
		return "", nil, false
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if inner, rest, ok := strip(name, object[name], q); ok {
			object = maps.Clone(object)
			object[name] = rest
			return name + "." + inner, object, true
		}
		if q.namesInner(parent, name) {
			object = maps.Clone(object)
			delete(object, name)
			return name, object, true
		}
	}
	return "", nil, false
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
