package main

import (
	"fmt"
	"slices"
	"strings"
)

// aim is what a scenario is about: the number to be made as large as its promises allow.
type aim uint8

const (
	aimGoodput aim = iota
	aimRequests
	aimTokens
)

var aimNames = []string{"goodput", "rpm", "tpm"}

// String is the aim's word.
func (a aim) String() string { return aimNames[a%3] }

// scenario is promises and lengths that belong together.
type scenario struct {
	name string
	// input and output are lengths of prompts and answers, maxTokens bounds the answers; each as its flag reads it.
	input, output, maxTokens string
	promises                 []string
	aim                      aim
}

// scenarios are those that are built in; the first is in force where none is named.
//
//	scenario | who waits                | what they put up with
//	chat     | a reader of an answer    | two seconds to the first word, then faster than reading
//	search   | a reader of a short list | patience ends at 0.8 s
//	report   | nobody reads along       | a long prompt is worth waiting for
var scenarios = []scenario{
	{"chat", "lognormal(512,0.6)", "256", "512", []string{"ttft.p95<=2s", "tps.p5>=20", "errors<=1%"}, aimGoodput},
	{"search", "lognormal(1024,0.6)", "128", "256", []string{"ttft.p95<=0.8s", "tps.p5>=20", "errors<=0.5%"}, aimRequests},
	{"report", "lognormal(4096,0.6)", "1024", "2048", []string{"ttft.p95<=10s", "tps.p5>=10", "errors<=1%"}, aimTokens},
}

// parseAim reads an aim's word.
func parseAim(text string) (aim, error) {
	if i := slices.Index(aimNames, text); i >= 0 {
		return aim(i), nil
	}
	return 0, fmt.Errorf("want one of %s, in quotes", strings.Join(aimNames, ", "))
}

func scenarioNames() []string {
	var names []string
	for _, s := range scenarios {
		names = append(names, s.name)
	}
	return names
}

// nameOfScenario takes any word that could be a name: the file of settings may have more than those that are built in.
func nameOfScenario(text string) (string, error) {
	if !tableName(text) {
		return "", fmt.Errorf("want one of %s, or the name of one of the file of settings", strings.Join(scenarioNames(), ", "))
	}
	return text, nil
}

// findScenario is a scenario by its name: one that is built in, or one of the file.
func findScenario(name string, d *document, found *problems) (scenario, bool) {
	if i := slices.IndexFunc(scenarios, func(s scenario) bool { return s.name == name }); i >= 0 {
		return scenarios[i], true
	}
	if section := d.table("scenarios", name); section != nil {
		return readScenario(name, d, section, found)
	}
	found.add("scenario", name, "want one of "+strings.Join(append(scenarioNames(), d.names("scenarios")...), ", "))
	return scenario{}, false
}
