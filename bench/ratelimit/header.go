package ratelimit

import (
	"net/http"
	"slices"
	"strings"
)

// gateway is what LiteLLM puts before the names of the headers that it got from the provider.
const gateway = "llm_provider-"

// headers are an answer's headers with lower-case names, in their order.
type headers []header

type header struct {
	name   string
	values []string
}

// sorted splits an answer's headers into its own and those that a gateway has passed on.
func sorted(h http.Header) (own, passed headers) {
	keys := make([]string, 0, len(h))
	for key := range h {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		name := strings.ToLower(key)
		if rest, ok := strings.CutPrefix(name, gateway); ok {
			passed = append(passed, header{rest, h[key]})
			continue
		}
		own = append(own, header{name, h[key]})
		// The date of the answer holds for what was passed on with it.
		if name == "date" {
			passed = append(passed, header{name, h[key]})
		}
	}
	byName := func(a, b header) int { return strings.Compare(a.name, b.name) }
	slices.SortStableFunc(own, byName)
	slices.SortStableFunc(passed, byName)
	return own, passed
}

// values are all values of one name.
func (h headers) values(name string) []string {
	var all []string
	for _, one := range h {
		if one.name == name {
			all = append(all, one.values...)
		}
	}
	return all
}

// first is a name's first value, empty where there is none.
func (h headers) first(name string) string {
	if all := h.values(name); len(all) > 0 {
		return all[0]
	}
	return ""
}

// any tells whether there is a header whose name begins so.
func (h headers) any(prefix string) bool {
	return slices.ContainsFunc(h, func(one header) bool { return strings.HasPrefix(one.name, prefix) })
}
