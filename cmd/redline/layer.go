package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// fromFile takes what the file says: the chosen target's table first, then the keys at its top. What means nothing to this run is left alone, but it has
// been checked.
func (r *resolution) fromFile() {
	if r.file == nil {
		return
	}
	for _, s := range append([]*section{r.file.table("targets", r.set.target)}, r.file.tops()...) {
		if s == nil {
			continue
		}
		for _, e := range s.entries {
			r.take(s, e)
		}
	}
	r.rivalry(fromFile)
	if r.file.stranger {
		r.notes = append(r.notes, strangerNote(r.file, r.found.from))
	}
}

// take gives a setting the value of an entry.
func (r *resolution) take(s *section, e pair) {
	f, where := r.flags.Lookup(e.key), s.of.at(s, e)
	if f == nil || slices.Contains(unsettable, e.key) || e.key == "url" || e.key == "target" || r.idle(e.key) || s.of.refusal(s, e) != "" || !r.open(e.key, where) {
		return
	}
	if home := r.found.from["url"]; credential(e.key) && (home.source != fromFile || home.name != where.name || home.table != s.prefix) {
		// What proves who we are belongs to the host that stands beside it, and goes to no other.
		verb := "sent"
		if e.key == "metrics-url" {
			verb = "used"
		}
		r.notes = append(r.notes, fmt.Sprintf("%s is not %s: it belongs to the url that stands beside it in the file, and another is driven", where.named(e.key), verb))
		return
	}
	texts, err := textsOf(f, e.value)
	if err != nil {
		return // It has been told by check.
	}
	for i, text := range texts {
		texts[i] = s.of.resolved(e.key, text, r.main.home())
	}
	r.put(e.key, where, texts...)
}

// credential tells whether a setting may prove to a host who we are, or is of its url alone in another way: gauges of one server say nothing of another.
func credential(flag string) bool {
	return slices.Contains([]string{"api-key-env", "api-key-file", "header", "client-cert", "client-key", "metrics-url", "metrics-key"}, flag)
}

// textsOf is a value of TOML as the texts that a flag reads, one for each time that it would be given.
func textsOf(f *pflag.Flag, value any) ([]string, error) {
	switch v := value.(type) {
	case []any:
		if !repeatable(f.Name) {
			break
		}
		var out []string
		for _, each := range v {
			text, ok := each.(string)
			if !ok {
				return nil, fmt.Errorf("want a list of texts in quotes")
			}
			out = append(out, text)
		}
		return out, nil
	case map[string]any:
		if f.Name == "header" || f.Name == "body" {
			return fieldsOf(f.Name, v)
		}
	case bool:
		if f.Value.Type() == "bool" {
			return []string{strconv.FormatBool(v)}, nil
		}
	case string:
		if !slices.Contains([]string{"bool", "N", "AMOUNT"}, f.Value.Type()) {
			return []string{v}, nil
		}
	case int64:
		if slices.Contains([]string{"N", "AMOUNT", "RATE", "TOKENS", "SHARE"}, f.Value.Type()) {
			return []string{strconv.FormatInt(v, 10)}, nil
		}
	case float64:
		if slices.Contains([]string{"N", "AMOUNT", "RATE", "SHARE"}, f.Value.Type()) {
			return []string{strconv.FormatFloat(v, 'g', -1, 64)}, nil
		}
	}
	return nil, fmt.Errorf("want %s", kindOf(f))
}

// kindOf is what a key of a file takes, in words.
func kindOf(f *pflag.Flag) string {
	switch kind := f.Value.Type(); {
	case f.Name == "header":
		return `a table, as in { X-Team = "search" }, or a list of texts in quotes`
	case f.Name == "body":
		return `a table, as in { top_p = 0.9 }, or a list of texts in quotes`
	case repeatable(f.Name):
		return "a text in quotes, or a list of them"
	case kind == "TIME":
		return `a time in quotes, as in "90s" or "5m"`
	case kind == "bool":
		return "true or false, without quotes"
	case kind == "N":
		return "a whole number, without quotes"
	case kind == "AMOUNT":
		return "a number, without quotes"
	case kind == "RATE" || kind == "TOKENS" || kind == "SHARE":
		return "a number, or a text in quotes"
	}
	return "a text in quotes"
}

// repeatable tells whether a flag may be given several times.
func repeatable(flag string) bool {
	return slices.Contains([]string{"slo", "header", "body", "workload", "metrics-url"}, flag)
}

// fieldsOf are the entries of a table of headers or of a request's body, by their names.
func fieldsOf(flag string, table map[string]any) ([]string, error) {
	var out []string
	for name, value := range table {
		if text, ok := value.(string); flag == "header" && ok {
			out = append(out, name+": "+text)
			continue
		}
		data, err := json.Marshal(value)
		if flag == "header" || err != nil || strings.ContainsAny(name, ".=") {
			return nil, fmt.Errorf("want texts in quotes as its values, or JSON where it is the body")
		}
		out = append(out, name+"="+string(data))
	}
	slices.Sort(out)
	return out, nil
}
