package client

import (
	"net/http"
	"slices"
	"strings"

	"redline/bench/stream"
)

const (
	// maxFields bounds the fields that are kept of an answer's head, and maxHead their bytes in all; maxField bounds a value where they do not fit.
	maxFields = 64
	maxHead   = 4 << 10
	maxField  = 256
)

// private are the parts of names of an answer's fields whose values are a secret between it and us.
var private = []string{"cookie", "authorization", "authentication-info", "secret", "session", "password", "credential", "signature", "csrf", "api-key", "apikey", "auth-key"}

// isPrivate tells whether a field of an answer holds a secret by its name. What remains of a quota in tokens is none.
func isPrivate(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "token") || slices.ContainsFunc(private, func(part string) bool { return strings.Contains(name, part) })
}

// head is what is kept of an answer's fields: all of them as they are where they are harmless and few, as they are as a rule, and else a copy without
// secrets within bounds.
func (r redactor) head(h http.Header) http.Header {
	if r.harmless(h) {
		return h
	}
	kept, size := make(http.Header, min(len(h), maxFields)), 0
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, v := range h[name] {
			if isPrivate(name) {
				v = redacted
			}
			v = stream.Clip(r.clean(stream.Printable(v)), maxField)
			shown := stream.Clip(r.clean(stream.Printable(name)), maxField)
			if size += len(shown) + len(v); size > maxHead || len(kept) == maxFields {
				return kept
			}
			kept[shown] = append(kept[shown], strings.Clone(v))
		}
	}
	return kept
}

// harmless tells whether an answer's fields can be kept as they are.
func (r redactor) harmless(h http.Header) bool {
	if len(h) > maxFields {
		return false
	}
	var all strings.Builder
	all.Grow(1 << 10)
	for name, values := range h {
		if isPrivate(name) {
			return false
		}
		for _, v := range values {
			if all.Len()+len(name)+len(v) > maxHead {
				return false
			}
			// A quotation mark ends each, as the text's end does where they are cleaned one by one.
			all.WriteString(name)
			all.WriteByte('"')
			all.WriteString(v)
			all.WriteByte('"')
		}
	}
	text := all.String()
	return r.clean(text) == text && printableASCII(text)
}

// printableASCII tells whether a text is printable ASCII.
func printableASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
