package main

import (
	"fmt"
	"strings"

	"redline/bench/report"
)

// problems is everything that is wrong with what the operator asked for, so that it can be told at once.
type problems struct {
	list []string
	// known are those of the list.
	known map[string]bool
	// from tells where the value of each setting comes from; one that is not in it comes from a flag.
	from origins
	// elsewhere: a problem is not one of the flags.
	elsewhere bool
}

// add notes that a setting's value cannot be used, and what could.
func (p *problems) add(flag, value, want string) {
	if value == "" {
		value = `""`
	}
	where := p.from[flag]
	p.tell(where, where.assigned(flag, value), want)
}

// addSwitch notes that a flag without a value cannot be used, and what could: nobody has typed its "true".
func (p *problems) addSwitch(flag, want string) {
	where := p.from[flag]
	p.tell(where, where.named(flag), want)
}

// addAt notes what is wrong at a line of a file.
func (p *problems) addAt(where origin, what, want string) {
	p.tell(where, where.String()+": "+what, want)
}

// tell keeps a problem. What somebody else has written is made printable.
func (p *problems) tell(where origin, what, want string) {
	text := what + ": " + want
	if where.source == fromFile {
		text = report.Printable(text)
	}
	p.keep(text, where.source != fromFlag && where.source != fromDefault)
}

// keep takes a problem that is not known yet.
func (p *problems) keep(text string, elsewhere bool) {
	if p.known[text] {
		return
	}
	if p.known == nil {
		p.known = map[string]bool{}
	}
	p.known[text] = true
	p.list = append(p.list, text)
	p.elsewhere = p.elsewhere || elsewhere
}

// join takes the problems of another list that are not known yet.
func (p *problems) join(other *problems) {
	for _, text := range other.list {
		p.keep(text, other.elsewhere)
	}
}

// toldProblems is how many problems are told: who has more begins with these.
const toldProblems = 20

// Error lists the problems, one a line, and says how many more there are.
func (p *problems) Error() string {
	if len(p.list) == 1 {
		return p.list[0]
	}
	of := "flags"
	if p.elsewhere {
		of = "settings"
	}
	told, more := p.list, ""
	if n := len(told) - toldProblems; n > 0 {
		told, more = told[:toldProblems], fmt.Sprintf("\n  and %d more", n)
	}
	return fmt.Sprintf("%d problems with the %s, nothing was started:\n  %s%s", len(p.list), of, strings.Join(told, "\n  "), more)
}

// err is the problems as an error, nil if there are none.
func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	return p
}
