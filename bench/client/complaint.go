package client

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"redline/bench/stream"
)

// complaint is what a refusal says of the request's fields.
type complaint struct {
	// text are its words, in lower case, without what it quotes of our own request, and without its lists of what is taken.
	text string
	// taken are these lists.
	taken string
	// fields are the names that it gives apart from its words: a param, or the end of a loc.
	fields []string
}

// quotes are the members under which validators send back what they were sent, or where to read about it.
var quotes = map[string]bool{"input": true, "ctx": true, "url": true, "body": true, "request": true, "request_id": true}

func complaintOf(body string) complaint {
	var c complaint
	var v any
	if json.Unmarshal([]byte(body), &v) != nil {
		if text, ok := stream.Page(body); ok {
			body = text
		}
		c.text, c.taken = apart(strings.ToLower(body))
		return c
	}
	c.read(v)
	return c
}

// read collects the words and names of a JSON value.
func (c *complaint) read(v any) {
	switch v := v.(type) {
	case string:
		words, lists := apart(strings.ToLower(v))
		c.text, c.taken = c.text+words+"\n", c.taken+lists
	case []any:
		for _, x := range v {
			c.read(x)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			x := v[name]
			switch text, _ := x.(string); {
			case name == "loc":
				c.place(x)
			case name == "param" && text != "":
				c.fields = append(c.fields, strings.ToLower(text[strings.LastIndexAny(text, ".]")+1:]))
			case listing(name):
				list, _ := json.Marshal(x)
				c.taken += strings.ToLower(string(list)) + "\n"
			case !quotes[name]:
				c.read(x)
			}
		}
	}
}

// place reads the path to a field, of which the end is the culprit.
func (c *complaint) place(loc any) {
	path, _ := loc.([]any)
	for _, part := range slices.Backward(path) {
		if name, ok := part.(string); ok && name != "body" {
			c.fields = append(c.fields, strings.ToLower(name))
			return
		}
	}
}

// nowhere is where a field stands that a complaint does not name.
const nowhere = math.MaxInt

// names is where the complaint names a field: by its name as a word. Of several the one that stands first is refused, and names apart from the
// words stand before these. A short one must stand in quotes, since "n" is a word anywhere.
func (c *complaint) names(field string) int {
	field = strings.ToLower(field)
	return c.stands(field, says(c.text, field, len(field) <= 3))
}

// namesInner is the same for a member of an object, whose name may be any word: in quotes, or behind its parent's.
func (c *complaint) namesInner(parent, field string) int {
	field = strings.ToLower(field)
	return c.stands(field, min(says(c.text, field, true), says(c.text, strings.ToLower(parent)+"."+field, false)))
}

func (c *complaint) stands(field string, said int) int {
	if i := slices.Index(c.fields, field); i >= 0 {
		return i - len(c.fields)
	}
	return said
}

// says is where a text holds a name.
func says(text, word string, quoted bool) int {
	for at := 0; word != ""; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return nowhere
		}
		at += i + len(word)
		before, after := " ", " "
		if begin := at - len(word); begin > 0 {
			before = text[begin-1 : begin]
		}
		if at < len(text) {
			after = text[at : at+1]
		}
		const marks = "'\"`"
		if quoted && strings.Contains(marks, before) && strings.Contains(marks, after) || !quoted && !inWord(before) && !inWord(after) {
			return at - len(word)
		}
	}
	return nowhere
}

func inWord(s string) bool {
	b := s[0]
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z'
}

// strange tells whether the complaint is of a field that the server does not know or take, named or not.
func (c *complaint) strange() bool {
	for _, words := range []string{
		"unknown", "unrecognized", "unrecognised", "unsupported", "not supported", "not support", "not permitted", "not allowed", "extra_forbidden",
		"extra input", "extra field", "additional propert", "unexpected", "no such field", "cannot find field", "not accepted", "not recognized",
		"invalid field", "invalid parameter", "invalid argument", "deprecated",
	} {
		if strings.Contains(c.text, words) {
			return true
		}
	}
	return false
}
