package main

import (
	"fmt"
	"strings"

	"redline/bench/report"
)

// source is who says what a setting is. A later one wins over an earlier one.
type source uint8

const (
	fromDefault source = iota
	fromScenario
	// fromTrace: the workload brings it.
	fromTrace
	fromFile
	fromEnvironment
	fromFlag
)

// origin is where the value of a setting comes from.
type origin struct {
	source source
	// name is that of the variable, of the file as it is shown, or of the scenario.
	name string
	// line is that of the file, from 1; table is what the key stands in there, with its dot ("targets.prod."); empty at the top.
	line  int
	table string
	// stranger: the file was found in the current folder, so that anybody may have written it.
	stranger bool
}

// origins are where settings come from, by the names of their flags.
type origins map[string]origin

// String is the origin in a few words: "flag", "environment REDLINE_RATE", "redline.toml:12", "scenario chat", "trace
// day", "default".
func (o origin) String() string {
	switch o.source {
	case fromFlag:
		return "flag"
	case fromEnvironment:
		return "environment " + o.name
	case fromFile:
		return fmt.Sprintf("%s:%d", o.name, o.line)
	case fromScenario:
		return "scenario " + o.name
	case fromTrace:
		return "trace " + report.Printable(o.name)
	}
	return "default"
}

// named is a setting as its source writes it.
func (o origin) named(flag string) string {
	switch o.source {
	case fromEnvironment:
		return o.name
	case fromFile:
		return o.String() + ": " + o.table + flag
	case fromScenario:
		return o.String() + ": " + flag
	}
	return "--" + flag
}

// assigned is a setting with its value as its source writes it.
func (o origin) assigned(flag, value string) string {
	switch o.source {
	case fromEnvironment:
		return o.named(flag) + "=" + value
	case fromFile, fromScenario:
		return o.named(flag) + " = " + value
	}
	return o.named(flag) + " " + value
}

// asked tells whether the operator has said what a setting is, in whatever way: neither a default nor a scenario has.
func (o origins) asked(flag string) bool { return o[flag].source >= fromFile }

// variableOf is the variable of the environment that stands for a flag.
func variableOf(flag string) string {
	return "REDLINE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}
