package main

import (
	"fmt"
	"slices"
	"strings"
)

// A file in the current folder may come with somebody else's code, and its author may want the operator's keys, or money, or a load on a third party. So
// it may say how a run is shown, and describe targets, workloads, scenarios and profiles that the operator can choose by name, but nothing of this:
//
//	what                                      | why
//	which target is driven, with what headers | a load, and what a request says, is the operator's to send
//	what is sent, how much of it, how often   | it costs money, and a server's time
//	where keys and certificates are           | a key is sent only to a host that the operator named
//	how far a server is believed              | somebody on the way could answer, and read the key
//	bounds of the load, budgets and prices    | they guard a server and a purse
//	which key does what                       | a hand that is used to its keys would drive, or fail to stop, a load
//	files outside of its folder               | their text would be sent as prompts, or shown
//
// A few bounds it may say, but only make stricter than they are without it (see strict). What a file that was named, or the operator's own, says has no
// such limits; but for a file, a key's value is never in it.

// strangerMay are the keys at the top of a file that anybody may have written, beside those of strict.
var strangerMay = []string{"preset", "seed", "stall", "slo", "theme", "color", "ascii", "graph", "fps", "no-sync", "window", "mouse", "bell", "no-title", "no-metrics"}

// strangerTarget are what such a file may say of a target beside these.
var strangerTarget = []string{"url", "model", "api", "body", "header", "http2"}

// advice is how a file is made one that is trusted.
const advice = "; if the file is yours, name it: --config ./" + fileName

// refusal is why an entry of a file is not taken, empty where it is.
func (d *document) refusal(s *section, e pair) string {
	if why := secretInFile(e); why != "" {
		return why
	}
	if !d.stranger {
		return ""
	}
	target := s != nil && strings.HasPrefix(s.prefix, "targets.")
	switch {
	case target && slices.Contains(strangerTarget, e.key):
		return strangerHeader(e)
	case strict[e.key] != nil:
		if d.loosens(e) {
			return wantStricter
		}
	case e.key == "save-dir":
		if !d.within(e.text()) {
			return wantWithin
		}
	case !slices.Contains(strangerMay, e.key):
		return "want it in a file that you have named: one that was found in the current folder may say nothing of " + strangerWhy(e.key) + advice
	case e.key == "slo" && d.own.limited():
		return "want it in a file that you have named: your own has a quota in its slo, which one that was found in the current folder may not take away" + advice
	case e.key == "theme" && (strings.HasSuffix(e.text(), ".toml") || strings.ContainsAny(e.text(), `/\`)):
		// A file of a theme may inherit any other.
		return "want the name of a theme: a file that was found in the current folder may not lead to files of themes" + advice
	}
	return ""
}

// strangerWhy is what a key is about that a stranger's file may not say.
func strangerWhy(key string) string {
	switch key {
	case "url", "target", "model", "api", "body", "http2", "rotate-addresses", "metrics-url":
		return "what is driven"
	case "api-key-env", "api-key-file", "header", "client-cert", "client-key", "metrics-key":
		return "keys: they are sent only to hosts that you have named"
	case "insecure", "ca-file", "no-proxy":
		return "how far a server is believed"
	case "record", "keep", "record-text":
		return "where runs are kept, and for how long"
	}
	if strings.HasPrefix(key, "listen") {
		return "who may drive a run"
	}
	return "what a run may cost, or do to a server"
}

// strangerHeader is why the headers of a stranger's target are not taken: one of them would come from a file.
func strangerHeader(e pair) string {
	if e.key != "header" {
		return ""
	}
	for _, h := range headersOf(e.value) {
		if _, value, _ := strings.Cut(h, ":"); strings.HasPrefix(strings.TrimSpace(value), "@") {
			return "want no file as its value: one that was found in the current folder may say nothing of " + strangerWhy(e.key) + advice
		}
	}
	return ""
}

// secretInFile is why an entry may not stand in any file: it is a secret in clear.
func secretInFile(e pair) string {
	const want = "want no key in a file; api-key-env = \"NAME\" takes it from a variable, api-key-file = \"PATH\" from a file of its own (what was given is not shown)"
	switch e.key {
	case "api-key", "apikey", "api_key", "key", "token", "api-token", "password", "secret", "bearer":
		return want
	case "header":
		for _, h := range headersOf(e.value) {
			name, value, _ := strings.Cut(h, ":")
			if value = strings.TrimSpace(value); secretName(name) && value != "" && !strings.HasPrefix(value, "@") {
				return "want no secret in a file; 'NAME: @PATH' takes the value of a header from a file of its own (what was given is not shown)"
			}
		}
	case "body":
		if table, ok := e.value.(map[string]any); ok && secretField(table) {
			return "want no secret in a file; --body is for what only you may know (what was given is not shown)"
		}
		for _, text := range listOf(e.value) {
			if name, value, _ := strings.Cut(text, "="); secretName(name) && strings.Contains(value, `"`) {
				return "want no secret in a file; --body is for what only you may know (what was given is not shown)"
			}
		}
	}
	return ""
}

// secretField tells whether a table holds a text under a name like that of a secret.
func secretField(table map[string]any) bool {
	for name, value := range table {
		if inner, ok := value.(map[string]any); ok && secretField(inner) {
			return true
		}
		if _, ok := value.(string); ok && secretName(name) {
			return true
		}
	}
	return false
}

// headersOf are headers as texts, however they were written.
func headersOf(value any) []string {
	table, ok := value.(map[string]any)
	if !ok {
		return listOf(value)
	}
	var out []string
	for name, v := range table {
		out = append(out, fmt.Sprintf("%s: %v", name, v))
	}
	return out
}

// listOf are the texts of a value that is one, or a list of them.
func listOf(value any) []string {
	if text, ok := value.(string); ok {
		return []string{text}
	}
	all, _ := value.([]any)
	var out []string
	for _, v := range all {
		if text, ok := v.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

// keepKeys refuses all that could prove to a stranger's host who we are: its URL stands in a file that the operator has not named. The note says that the
// environment's own key stays here too.
func (m *Main) keepKeys(s *settings, where origin, found *problems) (note string) {
	want := fmt.Sprintf("want a host that you have named: that of %s stands in a file which was found in the current folder, and gets no key; say --url, or --config %s if the file is yours",
		where.named("url"), where.name)
	for _, f := range []struct{ name, value string }{
		{"api-key-env", shownName(s.keyEnv)}, {"api-key-file", shownPath(s.keyFile)}, {"client-cert", s.certFile}, {"client-key", s.protocol.keyFile},
	} {
		if f.value != "" {
			found.add(f.name, f.value, want)
		}
	}
	for _, h := range s.headers {
		if h.path != "" || secretName(h.name) && h.value != "" {
			found.add("header", h.name, want)
		}
	}
	if text := m.text(openaiKey); text != "" {
		return openaiKey + " is set, but not sent: the host stands in " + where.name + ", which was found in the current folder"
	}
	return ""
}

// strangerNote says what a file of the current folder has set, so that nobody wonders.
func strangerNote(d *document, from origins) string {
	var keys []string
	for key, o := range from {
		if o.source == fromFile && o.stranger {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	if len(keys) == 0 {
		return ""
	}
	return d.path + " of the current folder says " + strings.Join(keys, ", ") + " (--config none does without)"
}
