package script

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// maxBytes is more than any script needs.
const maxBytes = 16 << 20

// Problems is everything that is wrong with a script.
type Problems struct {
	name string
	list []string
}

// Error lists the problems, one a line.
func (p *Problems) Error() string {
	if len(p.list) == 1 {
		return p.name + ": " + p.list[0]
	}
	return fmt.Sprintf("%s: %d problems\n  %s", p.name, len(p.list), strings.Join(p.list, "\n  "))
}

// Parse reads a script; name is what errors call it. The error is a *Problems with every problem, each with its value and what is allowed.
func Parse(data []byte, name string) (*Script, error) {
	c := &checker{}
	var f file
	c.decode(data, &f)
	var s *Script
	if !c.broken {
		s = c.script(&f)
	}
	if len(c.list) > 0 {
		return nil, &Problems{name, c.list}
	}
	return s, nil
}

// checker collects problems.
type checker struct {
	list []string
	// broken: the file is not even TOML, or not of our kinds, so that what it says can not be judged.
	broken bool
}

func (c *checker) need(ok bool, format string, args ...any) {
	if !ok {
		c.list = append(c.list, fmt.Sprintf(format, args...))
	}
}

func (c *checker) decode(data []byte, f *file) {
	if c.need(len(data) <= maxBytes, "%d bytes: at most %d", len(data), maxBytes); len(data) > maxBytes {
		c.broken = true
		return
	}
	err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(f)
	var unknown *toml.StrictMissingError
	var at *toml.DecodeError
	switch {
	case err == nil:
	case errors.As(err, &unknown):
		for _, e := range unknown.Errors {
			row, _ := e.Position()
			c.need(false, "line %d: %s: no such key", row, strings.Join(e.Key(), "."))
		}
	case errors.As(err, &at):
		row, column := at.Position()
		c.broken = true
		c.need(false, "line %d, column %d: %s", row, column, strings.TrimPrefix(at.Error(), "toml: "))
	default:
		c.broken = true
		c.need(false, "%v", err)
	}
}

// span reads a length of time, 0 or more; nothing is 0.
func (c *checker) span(where, text string) time.Duration {
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	c.need(err == nil && d >= 0, "%s %q: a time such as 500ms or 2s", where, text)
	return max(d, 0)
}

// word finds a word among those allowed, and gives its place.
func (c *checker) word(where, text string, allowed ...string) int {
	for i, w := range allowed {
		if text == w || (text == "" && i == 0) {
			return i
		}
	}
	last := allowed[len(allowed)-1]
	if allowed = allowed[:len(allowed)-1]; allowed[0] == "" {
		allowed, last = append(allowed[1:len(allowed):len(allowed)], last), "nothing"
	}
	c.need(false, "%s %q: %s or %s", where, text, strings.Join(allowed, ", "), last)
	return 0
}
