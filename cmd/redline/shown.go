package main

import (
	"os"
	"path/filepath"
	"regexp"
)

// Keys end up in the wrong places: behind --api-key-env instead of the variable's name, behind --api-key-file instead of a path, behind no flag at all.
// So what was given is repeated only where it is what was asked for beyond doubt.

// hiddenValue stands for what is not repeated.
const hiddenValue = "***"

// variable is a name as variables of the environment have it: words in capitals, each of at most 16, digits only at their ends. Of keys hardly any is
// like that, for their digits stand anywhere.
var variable = regexp.MustCompile(`^_*[A-Z]{1,16}[0-9]{0,3}(_+([A-Z]{1,16}[0-9]{0,3}|[0-9]{1,3}))*$`)

// shownName is the name of a variable, if it is one.
func shownName(name string) string {
	if name == "" || len(name) <= 64 && variable.MatchString(name) {
		return name
	}
	return hiddenValue
}

// shownPath is a path, if there is a file there, or at least the directory that it names.
func shownPath(path string) string {
	if path == "" {
		return path
	}
	if _, err := os.Stat(path); err == nil {
		return path
	}
	// A bare name and one at the root say nothing: keys hold slashes, and may begin with one.
	dir := filepath.Dir(path)
	if i, err := os.Stat(dir); err == nil && i.IsDir() && dir != "." && filepath.Dir(dir) != dir {
		return path
	}
	return hiddenValue
}

// notShown says why a value is not repeated, where it is not.
func notShown(value string) string {
	if value != hiddenValue {
		return ""
	}
	return " (what was given is not shown: it may be a secret)"
}

// verb is a word as verbs and names of flags have it.
var verb = regexp.MustCompile(`^[a-z]{1,24}$`)

// shownWord tells whether a word that was not asked for may be repeated.
func shownWord(word string) bool { return verb.MatchString(word) }
