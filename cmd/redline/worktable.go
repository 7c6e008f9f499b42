package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"redline/bench/workload"
)

// readWork is a table of a workload as a workload; ok is false where something is wrong with it, which is told.
func readWork(name string, d *document, s *section, found *problems) (spec workload.Spec, ok bool) {
	spec.Name = name
	before := len(found.list)
	for _, e := range s.entries {
		what := s.prefix + shownKey(e.key)
		text, ok := wordOf(e.value)
		if !ok {
			found.addAt(d.at(s, e), what, "want a text in quotes, a number, true or false")
			continue
		}
		if e.key == "file" || e.key == "path" {
			text = d.placed(text)
		}
		text = d.histogram(text)
		if err := spec.Set(e.key, text); err != nil {
			found.addAt(d.at(s, e), what, strings.TrimPrefix(err.Error(), e.key+": "))
		} else if d.stranger && !d.contains(&spec, text) {
			found.addAt(d.at(s, e), what, wantWithin)
		}
	}
	if len(found.list) > before {
		return spec, false
	}
	whole, err := workload.Parse(spec.String())
	if err != nil {
		found.addAt(origin{source: fromFile, name: d.path, line: s.line}, strings.TrimSuffix(s.prefix, "."), err.Error())
		return spec, false
	}
	return whole, true
}

// wantWithin is what is wrong with a path in a file of the current folder that leads out of it.
const wantWithin = "want a path within the folder of the file, which was found in the current folder" + advice

// contains tells whether a workload reads no file but those in the folder of the document.
func (d *document) contains(spec *workload.Spec, text string) bool {
	if spec.File != "" && !d.holds(spec.File) {
		return false
	}
	path := histogramFile(text)
	return path == "" || d.holds(path)
}

// holds tells whether a path that has been read against the document's folder stays in it.
func (d *document) holds(path string) bool {
	rest, err := filepath.Rel(d.folder, path)
	return err == nil && !filepath.IsAbs(path) == !filepath.IsAbs(d.folder) && d.within(rest)
}

// placed is a path of the document, read against the folder in which it stands.
func (d *document) placed(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(d.folder, path)
}

// histogramFile is the file that a length is read from, as in hist(FILE); empty where there is none.
func histogramFile(text string) string {
	_, rest, ok := strings.Cut(strings.ToLower(text), "hist(")
	if !ok {
		return ""
	}
	inside, _, _ := strings.Cut(text[len(text)-len(rest):], ")")
	first, _, _ := strings.Cut(strings.TrimSpace(inside), ":")
	first, _, _ = strings.Cut(first, ",")
	if _, err := strconv.ParseFloat(strings.TrimSpace(first), 64); err == nil {
		return ""
	}
	return strings.TrimSpace(inside)
}

// histogram is a text with the file of hist(FILE) read against the folder of the document.
func (d *document) histogram(text string) string {
	path := histogramFile(text)
	if path == "" || filepath.IsAbs(path) {
		return text
	}
	return strings.Replace(text, path, d.placed(path), 1)
}

// spec is a workload as a key of a document gives it: the name of one of its tables as it is, else with its paths read against the document's folder. ok is
// false where a stranger's document leads out of its folder.
func (d *document) spec(text string) (resolved string, ok bool) {
	if d.table("workloads", text) != nil {
		return text, true
	}
	text = d.histogram(text)
	spec, err := workload.Parse(text)
	if err != nil {
		return text, true // It is told where it is read.
	}
	if spec.File != "" {
		spec.File = d.placed(spec.File)
		text = spec.String()
	}
	return text, !d.stranger || d.contains(&spec, text)
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
			out.input, err = single(fs, e)
			out.input = d.histogram(out.input)
			if path := histogramFile(out.input); d.stranger && path != "" && !d.holds(path) {
				err = fmt.Errorf("%s", wantWithin)
			}
		case "output-tokens":
			out.output, err = single(fs, e)
			if d.stranger && histogramFile(out.output) != "" {
				err = fmt.Errorf("%s", wantWithin)
			}
		case "max-tokens":
			out.maxTokens, err = single(fs, e)
		case "slo":
			out.promises, err = textsOf(fs.Lookup("slo"), e.value)
			for _, text := range out.promises {
				_ = fs.Set("slo", text)
			}
		case "aim":
			text, _ := e.value.(string)
			if out.aim, err = parseAim(text); err != nil {
				what += shownValue(e)
			}
		default:
			err = fmt.Errorf("there is no such key here; there are input-tokens, output-tokens, max-tokens, slo, aim")
		}
		if err != nil {
			found.addAt(where, what, err.Error())
		}
	}
	found.join(scratch)
	for _, built := range scenarios {
		if built.name == name {
			found.addAt(origin{source: fromFile, name: d.path, line: s.line}, strings.TrimSuffix(s.prefix, "."), "want another name; this one is built in")
		}
	}
	return out, len(found.list) == before
}

// single is a value as its flag reads it: what is wrong with it the flag tells.
func single(fs *pflag.FlagSet, e pair) (string, error) {
	texts, err := textsOf(fs.Lookup(e.key), e.value)
	if err != nil || len(texts) != 1 {
		return "", err
	}
	return texts[0], fs.Set(e.key, texts[0])
}
