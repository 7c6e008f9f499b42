package main

import (
	"context"
	"slices"
	"strconv"

	"github.com/spf13/pflag"
)

// rivals are settings of which only one can be in force. Where a source says one of them, what lesser sources say of the others gives way; each group
// has what it takes the place of.
var rivals = [][2][]string{
	{{"url"}, {"target"}},
	{{"concurrency"}, {"rate"}},
	{{"api-key-env"}, {"api-key-file"}},
	{{"preset"}, {"url", "target"}},
	{{"metrics-url"}, {"no-metrics"}},
	{{"workload"}, {"input-tokens", "output-tokens"}},
	{{"price-in", "price-out", "price-cached"}, {"gpu-hour", "gpus"}},
}

// unsettable are flags that are no settings: they say where settings are, or are answered at once.
var unsettable = append([]string{"config", "help", "version", "targets"}, append(runFlags, findFlags...)...)

// resolution lays the sources of settings over one another: flag, environment, file, scenario, default.
type resolution struct {
	main  *Main
	set   *settings
	flags *pflag.FlagSet
	found *problems
	// file is what is read of the file; nil where there is none.
	file *document
	// notes are what the operator should know of it.
	notes []string
}

// resolve completes the settings from all other sources than the flags, which are parsed by now. What is wrong is in found.
func (m *Main) resolve(ctx context.Context, s *settings, fs *pflag.FlagSet, found *problems) *resolution {
	r := &resolution{main: m, set: s, flags: fs, found: found}
	if found.from == nil {
		found.from = origins{}
	}
	fs.Visit(func(f *pflag.Flag) { found.from[f.Name] = origin{source: fromFlag} })
	s.choosePlace(found.from)
	if v := m.text(variableOf("config")); v != "" && !found.from.asked("config") {
		s.config, found.from["config"] = v, origin{source: fromEnvironment, name: variableOf("config")}
	}
	r.file = m.openDocument(ctx, s.config, found)
	r.file.check(found)
	s.screen.keys = r.file.bound()
	r.rivalry(fromFlag)
	r.choose()
	r.environment()
	r.rivalry(fromEnvironment)
	r.fromFile()
	r.scenario()
	r.quotas()
	r.notes = append(r.notes, unknownVariables(m.Environ, fs)...)
	return r
}

// rivalry tells of two settings of one source of which only one can be in force.
func (r *resolution) rivalry(source source) {
	for _, pair := range rivals {
		for _, one := range pair[0] {
			for _, other := range pair[1] {
				a, b := r.found.from[one], r.found.from[other]
				if a.source == source && b.source == source && a.table == b.table && (source != fromFile || a.name == b.name) && one != "api-key-env" && one != "preset" {
					r.found.addSwitch(other, "want no "+a.named(one)+" with it; only one of the two can be in force")
				}
			}
		}
	}
}

// open tells whether a source may still say what a setting is: no greater one has, nor what stands in its place. A target's table is greater than the top
// of its file.
func (r *resolution) open(flag string, where origin) bool {
	from := r.found.from
	if from[flag].source != fromDefault {
		return false
	}
	greater := func(o origin) bool {
		return o.source > where.source || o.source == fromFile && where.source == fromFile && (o.table != where.table || o.name != where.name)
	}
	for _, pair := range rivals {
		for i, group := range pair {
			if slices.Contains(group, flag) && slices.ContainsFunc(pair[1-i], func(other string) bool { return greater(from[other]) }) {
				return false
			}
		}
	}
	return true
}

// put gives a setting its value as a text, or several. The flag's own parser reads it, and tells problems with the origin.
func (r *resolution) put(flag string, where origin, texts ...string) {
	r.found.from[flag] = where
	for _, text := range texts {
		if err := r.flags.Set(flag, text); err != nil {
			r.found.add(flag, hiddenValue, "want another value")
		}
	}
}

// choose finds out what is driven, since much else depends on it: the URL or the target of the first source that names either.
func (r *resolution) choose() {
	for _, flag := range []string{"url", "target"} {
		where := origin{source: fromEnvironment, name: variableOf(flag)}
		if v := r.main.text(where.name); v != "" && r.open(flag, where) {
			r.put(flag, where, v)
		}
	}
	r.rivalry(fromEnvironment)
	if r.file == nil {
		if r.set.target != "" {
			r.found.add("target", r.set.target, "want a file of settings with it, in which [targets."+shownKey(r.set.target)+"] is")
		}
		return
	}
	for _, flag := range []string{"target", "url"} {
		for _, top := range r.file.tops() {
			e, there := top.find(flag)
			where := top.of.at(top, e)
			if there && e.text() != "" && r.open(flag, where) && top.of.refusal(top, e) == "" {
				r.put(flag, where, e.text())
			}
		}
	}
	r.rivalry(fromFile)
	if r.set.target == "" {
		return
	}
	section := r.file.table("targets", r.set.target)
	e, there := section.find("url")
	text, ok := e.value.(string)
	switch {
	case section == nil:
		r.found.add("target", r.set.target, "want one of the file's targets"+oneOf(r.file.names("targets")))
	case !there:
		r.found.addAt(origin{source: fromFile, name: section.of.path, line: section.line}, section.prefix+"url", "want the base URL of the target")
	case ok && !r.found.from.asked("url"):
		r.put("url", section.of.at(section, e), text)
	}
}

// demo tells whether the simulated server is driven: nobody has named anything else.
func (r *resolution) demo() bool { return !r.found.from.asked("url") && !r.found.from.asked("target") }

// idle tells whether a setting of a lesser source than a flag means nothing here: how a target is reached, where there is none, or which simulator there
// is, where it is not driven. A flag that means nothing is a problem; a variable or a file that is there for other runs is not.
func (r *resolution) idle(flag string) bool {
	if flag == "preset" {
		return !r.demo()
	}
	return r.demo() && reaches(flag)
}

// reaches tells whether a setting says how a target is reached.
func reaches(flag string) bool {
	return slices.Contains([]string{"model", "api-key-env", "api-key-file", "api", "header", "body", "http2", "insecure", "ca-file", "client-cert", "client-key",
		"no-proxy", "rotate-addresses", "metrics-url", "metrics-key"}, flag)
}

// environment takes REDLINE_… for each flag; one that is empty is as one that is not set.
func (r *resolution) environment() {
	r.flags.VisitAll(func(f *pflag.Flag) {
		where := origin{source: fromEnvironment, name: variableOf(f.Name)}
		text := r.main.text(where.name)
		if text == "" || slices.Contains(unsettable, f.Name) || r.idle(f.Name) || !r.open(f.Name, where) {
			return
		}
		if _, err := strconv.ParseBool(text); f.Value.Type() == "bool" && err != nil {
			r.found.from[f.Name] = where
			r.found.add(f.Name, text, "want true or false")
			return
		}
		r.put(f.Name, where, text)
	})
}

// scenario lays what belongs to the scenario under all that has been said.
func (r *resolution) scenario() {
	name := r.set.scenario
	s, ok := findScenario(name, r.file, r.found)
	if !ok {
		return
	}
	if r.found.from.asked("max-tokens") {
		// A bound of the operator's own is what the answers are to have.
		s.output = ""
	} else if r.found.from.asked("output-tokens") {
		// Nor is a length of the operator's own drawn within the scenario's bound: answers end where it is drawn, as with out= of a workload.
		s.maxTokens = ""
	}
	r.set.aim = s.aim
	where := origin{source: fromScenario, name: name}
	for _, of := range []struct {
		flag  string
		texts []string
	}{{"input-tokens", []string{s.input}}, {"output-tokens", []string{s.output}}, {"max-tokens", []string{s.maxTokens}}, {"slo", s.promises}} {
		if len(of.texts) > 0 && of.texts[0] != "" && r.open(of.flag, where) {
			r.put(of.flag, where, of.texts...)
		}
	}
}
