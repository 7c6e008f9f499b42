package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"redline/bench/report"
	"redline/bench/workload"
)

// synthetic is the word for a workload that needs no file.
const synthetic = "synthetic"

// readWork is a table of a workload as a workload; ok is false where something is wrong with it, which is told.
func readWork(name string, d *document, s *section, found *problems) (spec workload.Spec, ok bool) {
	spec.Name = name
	before := len(found.list)
	if name == synthetic {
		// Else it would be sent where the word stands for itself.
		found.addAt(origin{source: fromFile, name: d.path, line: s.line}, strings.TrimSuffix(s.prefix, "."), "want another name; this one is built in")
	}
	for _, e := range s.entries {
		what := s.prefix + shownKey(e.key)
		text, ok := wordOf(e.value)
		if !ok {
			found.addAt(d.at(s, e), what, "want a text in quotes, a number, true or false")
			continue
		}
		var one workload.Spec
		if err := one.Set(e.key, text); err != nil {
			found.addAt(d.at(s, e), what, strings.TrimPrefix(err.Error(), e.key+": "))
		} else if !d.place(&one) {
			found.addAt(d.at(s, e), what, wantWithin)
		} else {
			_ = spec.Set(e.key, text) // It has just been read.
		}
	}
	if len(found.list) > before {
		return spec, false
	}
	d.place(&spec)
	whole, err := workload.Parse(spec.String())
	if err != nil {
		found.addAt(origin{source: fromFile, name: d.path, line: s.line}, strings.TrimSuffix(s.prefix, "."), err.Error())
		return spec, false
	}
	return whole, true
}

// wordOf is a value of TOML as a word of a workload.
func wordOf(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), true
	}
	return "", false
}

// readScenario is a table of a scenario as a scenario. What it does not say is as in chat.
func readScenario(name string, d *document, s *section, found *problems) (scenario, bool) {
	out := scenarios[0]
	out.name = name
	before := len(found.list)
	scratch := &problems{from: origins{}}
	fs := scratchFlags(scratch)
	for _, e := range s.entries {
		where, what := d.at(s, e), s.prefix+shownKey(e.key)
		scratch.from[e.key] = where
		var err error
		switch e.key {
		case "input-tokens":
			out.input, err = d.spread(fs, e)
		case "output-tokens":
			out.output, err = d.spread(fs, e)
		case "max-tokens":
			out.maxTokens, err = single(fs, e)
		case "slo":
			out.promises, err = textsOf(fs.Lookup("slo"), e.value)
			for _, text := range out.promises {
				_ = fs.Set("slo", text)
			}
		case "aim":
			text, _ := e.value.(string)
			if out.aim, err = report.ParseAim(text); err != nil {
				what += shownValue(e)
			}
		default:
			err = fmt.Errorf("there is no such key here; there are input-tokens, output-tokens, max-tokens, slo, aim")
		}
		if err != nil {
			found.addAt(where, what, err.Error())
		}
	}
	if has(s, "output-tokens") && !has(s, "max-tokens") {
		// A length of its own is not drawn within the bound of another scenario.
		out.maxTokens = ""
	}
	found.join(scratch)
	for _, built := range scenarios {
		if built.name == name {
			found.addAt(origin{source: fromFile, name: d.path, line: s.line}, strings.TrimSuffix(s.prefix, "."), "want another name; this one is built in")
		}
	}
	return out, len(found.list) == before
}

// has tells whether a table has a key.
func has(s *section, key string) bool {
	_, ok := s.find(key)
	return ok
}

// single is a value as its flag reads it: what is wrong with it the flag tells.
func single(fs *pflag.FlagSet, e pair) (string, error) {
	texts, err := textsOf(fs.Lookup(e.key), e.value)
	if err != nil || len(texts) != 1 {
		return "", err
	}
	return texts[0], fs.Set(e.key, texts[0])
}

// spread is a length with its file, if it has one, read against the document's folder.
func (d *document) spread(fs *pflag.FlagSet, e pair) (string, error) {
	text, err := single(fs, e)
	placed, ok := d.lengths(e.key, text)
	if err == nil && !ok {
		err = errors.New(wantWithin)
	}
	return placed, err
}
