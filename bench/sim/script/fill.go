package script

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// place is what may stand in a text to be filled in. Anything else in double braces is text: templates of templates occur in answers.
var place = regexp.MustCompile(`\{\{(n|words|request|pad|authorization|key|hex|date|rfc3339|unix|unixms)(\*\d{1,6})?(\+\d{1,6})?(?: (-?[0-9a-zA-Z.]+))?\}\}`)

// text checks the places of a text; counting says that n means something.
func (c *checker) text(where, text string, counting bool) {
	for _, m := range place.FindAllStringSubmatch(text, -1) {
		name, times, plus, arg := m[1], m[2], m[3], m[4]
		c.need(name != "n" || counting, "%s: %s: only beside repeat", where, m[0])
		c.need(name == "n" || name == "words" || times+plus == "", "%s: %s: only n and words can be reckoned with", where, m[0])
		switch name {
		case "hex":
			_, err := hex.DecodeString(arg)
			c.need(err == nil && arg != "", "%s: %s: pairs of hexadecimal digits", where, m[0])
		case "date", "rfc3339", "unix", "unixms":
			_, err := time.ParseDuration(arg)
			c.need(err == nil, "%s: %s: a time from now such as 30s", where, m[0])
		case "key", "authorization":
			c.need(arg == "" || arg == "json" || arg == "url", "%s: %s: nothing, json or url behind the name", where, m[0])
		default:
			c.need(arg == "", "%s: %s: nothing behind the name", where, m[0])
		}
	}
}

// filling is what stands for the places.
type filling struct {
	r   *request
	now time.Time
	// n is the turn of a repeat, from 1; pad a number of bytes.
	n, pad int
}

func (f *filling) fill(text string) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	return place.ReplaceAllStringFunc(text, func(s string) string {
		m := place.FindStringSubmatch(s)
		return f.value(m[1], m[2], m[3], m[4])
	})
}

func (f *filling) value(name, times, plus, arg string) string {
	switch name {
	case "n":
		return reckoned(f.n, times, plus)
	case "words":
		return reckoned(len(bytes.Fields(f.r.body)), times, plus)
	case "request":
		return strconv.Itoa(f.r.number)
	case "pad":
		return strings.Repeat("x", f.pad)
	case "authorization":
		return written(f.r.header.Get("Authorization"), arg)
	case "key":
		return written(f.r.key(), arg)
	case "hex":
		b, _ := hex.DecodeString(arg) // checked
		return string(b)
	}
	return f.instant(name, arg)
}

// reckoned is a number with what is asked of it: times 4, plus 1.
func reckoned(n int, times, plus string) string {
	if times != "" {
		n *= number(times)
	}
	if plus != "" {
		n += number(plus)
	}
	return strconv.Itoa(n)
}

// number reads the digits behind a sign; they are few.
func number(s string) int {
	n, _ := strconv.Atoi(s[1:])
	return n
}

func (f *filling) instant(form, arg string) string {
	d, _ := time.ParseDuration(arg) // checked
	at := f.now.Add(d).UTC()
	switch form {
	case "date":
		return at.Format("Mon, 02 Jan 2006 15:04:05 GMT")
	case "rfc3339":
		return at.Format(time.RFC3339)
	case "unixms":
		return strconv.FormatInt(at.UnixMilli(), 10)
	}
	return strconv.FormatInt(at.Unix(), 10)
}

// written is a text as a form writes it: within a JSON string, in a URL, or as it is.
func written(text, form string) string {
	switch form {
	case "json":
		b, _ := json.Marshal(text) // a string
		return string(b[1 : len(b)-1])
	case "url":
		return url.QueryEscape(text)
	}
	return text
}
