package main

import (
	"fmt"
	"slices"
	"strings"

	"redline/bench/report"
)

// scenario is promises and lengths that belong together.
type scenario struct {
	name string
	// input and output are lengths of prompts and answers, maxTokens bounds the answers; each as its flag reads it.
	input, output, maxTokens string
	promises                 []string
	aim                      report.Aim
}

// scenarios are those that are built in; the first is in force where none is named.
//
//	scenario | who waits                | what they put up with
//	chat     | a reader of an answer    | two seconds to the first word, then faster than reading
//	search   | a reader of a short list | patience ends at 0.8 s
//	report   | nobody reads along       | a long prompt is worth waiting for
var scenarios = []scenario{
	{"chat", "lognormal(512,0.6)", "256", "512", []string{"ttft.p95<=2s", "tps.p5>=20", "errors<=1%"}, report.AimGoodput},
	{"search", "lognormal(1024,0.6)", "128", "256", []string{"ttft.p95<=0.8s", "tps.p5>=20", "errors<=0.5%"}, report.AimRequests},
	{"report", "lognormal(4096,0.6)", "1024", "2048", []string{"ttft.p95<=10s", "tps.p5>=10", "errors<=1%"}, report.AimTokens},
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
		return readScenario(name, section.of, section, found)
	}
	found.add("scenario", name, "want one of "+strings.Join(append(scenarioNames(), d.names("scenarios")...), ", "))
	return scenario{}, false
}
