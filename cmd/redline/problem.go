package main

import (
	"fmt"
	"slices"
	"strings"
)

// problems is everything that is wrong with what the operator asked for, so that it can be told at once.
type problems struct {
	list []string
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
		text = printable(text)
	}
	if slices.Contains(p.list, text) {
		return
	}
	p.list = append(p.list, text)
	p.elsewhere = p.elsewhere || where.source != fromFlag && where.source != fromDefault
}

// join takes the problems of another list that are not known yet.
func (p *problems) join(other *problems) {
	for _, text := range other.list {
		if !slices.Contains(p.list, text) {
			p.list = append(p.list, text)
			p.elsewhere = p.elsewhere || other.elsewhere
		}
	}
}

// Error lists the problems, one a line.
func (p *problems) Error() string {
	if len(p.list) == 1 {
		return p.list[0]
	}
	of := "flags"
	if p.elsewhere {
		of = "settings"
	}
	return fmt.Sprintf("%d problems with the %s, nothing was started:\n  %s", len(p.list), of, strings.Join(p.list, "\n  "))
}

// err is the problems as an error, nil if there are none.
func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	return p
}
