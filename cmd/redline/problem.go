package main

import (
	"fmt"
	"strings"
)

// problems is everything that is wrong with what the operator asked for, so that it can be told at once.
type problems []string

// add notes that a flag's value cannot be used, and what could.
func (p *problems) add(flag, value, want string) {
	if value == "" {
		value = `""`
	}
	*p = append(*p, fmt.Sprintf("--%s %s: %s", flag, value, want))
}

// addSwitch notes that a flag without a value cannot be used, and what could: nobody has typed its "true".
func (p *problems) addSwitch(flag, want string) { *p = append(*p, fmt.Sprintf("--%s: %s", flag, want)) }

// Error lists the problems, one a line.
func (p problems) Error() string {
	if len(p) == 1 {
		return p[0]
	}
	return fmt.Sprintf("%d problems with the flags, nothing was started:\n  %s", len(p), strings.Join(p, "\n  "))
}

// err is the problems as an error, nil if there are none.
func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return p
}
