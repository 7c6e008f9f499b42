package ratelimit

import "strings"

// item is one member of a list: 100;w=60 has a head and a parameter, limit=100 is read as a head with a value.
type item struct {
	head, value string
	params      map[string]string
}

// items reads a list of structured fields, as much as quotas need of it; nothing is an error, since values are judged by
// who reads them.
func items(text string) []item {
	var list []item
	for _, member := range split(text, ',') {
		parts := split(member, ';')
		head, value := parts[0], ""
		if !strings.HasPrefix(strings.TrimSpace(head), `"`) { // what a quoted name holds is its own
			head, value, _ = strings.Cut(head, "=")
		}
		one := item{head: trim(head), value: trim(value)}
		for _, part := range parts[1:] {
			key, value, ok := strings.Cut(part, "=")
			key = strings.ToLower(trim(key))
			if _, twice := one.params[key]; !ok || twice {
				continue
			}
			if one.params == nil {
				one.params = make(map[string]string)
			}
			one.params[key] = trim(value)
		}
		list = append(list, one)
	}
	return list
}

// split cuts at a separator that does not stand between quotes.
func split(text string, at byte) []string {
	var parts []string
	quoted, begin := false, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case c == at && !quoted:
			parts = append(parts, text[begin:i])
			begin = i + 1
		}
	}
	return append(parts, text[begin:])
}
