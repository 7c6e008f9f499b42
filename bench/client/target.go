package client

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"

	"redline/bench"
)

// form is where requests go and what they are made of.
type form struct {
	base  *url.URL
	api   bench.API
	model string
	extra map[string]any
	// tokensField names the output limit; dropped are fields that the server does not take.
	tokensField string
	dropped     []string
	// single: the server keeps no connections, so that each request has its own.
	single bool
	// swapped and weighed: the other name of the output limit, and usage with each event, have been tried.
	swapped, weighed bool
	// held: answers have been seen to come in one piece, twice.
	held bool
}

// target is a form ready for use. It never changes; Preflight makes another.
type target struct {
	form
	url *url.URL
	// fields are those of the body, without prompt and output limit; fixed is the same written out, from its second byte on.
	fields map[string]json.RawMessage
	fixed  []byte
}

func newTarget(f form) (*target, error) {
	if f.tokensField == "" {
		f.tokensField = wires[f.api].tokens
	}
	t := &target{form: f, url: endpoint(f.base, wires[f.api].path)}
	var err error
	if t.fields, err = fieldsOf(wires[f.api].request(f.model)); err != nil {
		return nil, err
	}
	delete(t.fields, wires[f.api].prompt)
	for name, value := range f.extra {
		if t.fields[name], err = merged(t.fields[name], value); err != nil {
			return nil, fmt.Errorf("extra field %q: %w", name, err)
		}
	}
	for _, name := range f.dropped {
		delete(t.fields, name)
	}
	fixed, err := json.Marshal(t.fields)
	if err != nil {
		return nil, err
	}
	t.fixed = fixed[1:]
	return t, nil
}

func fieldsOf(v any) (map[string]json.RawMessage, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil || fields == nil {
		return nil, fmt.Errorf("%s is no object", b)
	}
	return fields, nil
}

// merged is the value of a field when an extra one is laid over it: of two objects the members, else the extra one.
func merged(ours json.RawMessage, extra any) (json.RawMessage, error) {
	b, err := json.Marshal(extra)
	if err != nil || len(ours) == 0 || ours[0] != '{' || b[0] != '{' {
		return b, err
	}
	var under, over map[string]json.RawMessage
	if json.Unmarshal(ours, &under) != nil || json.Unmarshal(b, &over) != nil {
		return b, nil
	}
	for name, value := range over {
		under[name] = value
	}
	return json.Marshal(under)
}

// body is the body of one request. A prompt, a system's words or a limit of the operator's own, among the extra fields, stand instead of ours; beside
// a prompt of their own nothing is said by ours.
func (t *target) body(p bench.Prompt) ([]byte, error) {
	w := &wires[t.api]
	var prompt, system []byte
	if _, own := t.fields[w.prompt]; !own {
		said, apart := w.words(turnsOf(&p))
		var err error
		if prompt, err = json.Marshal(said); err != nil {
			return nil, err
		}
		if _, own := t.fields[w.system]; apart != "" && !own {
			if system, err = json.Marshal(apart); err != nil {
				return nil, err
			}
		}
	}
	b := make([]byte, 0, len(prompt)+len(system)+len(t.fixed)+96)
	b = append(b, '{')
	b = appendField(b, w.prompt, prompt)
	b = appendField(b, w.system, system)
	if _, own := t.fields[t.tokensField]; !own && p.MaxTokens > 0 {
		b = append(append(append(b, '"'), t.tokensField...), `":`...)
		b = append(strconv.AppendInt(b, int64(p.MaxTokens), 10), ',')
	}
	if len(t.fields) == 0 && len(b) > 1 {
		b = b[:len(b)-1] // nothing follows the last comma
	}
	return append(b, t.fixed...), nil
}

// appendField appends a member and a comma; nothing for an empty value.
func appendField(b []byte, name string, value []byte) []byte {
	if len(value) == 0 {
		return b
	}
	b = append(append(append(b, '"'), name...), `":`...)
	return append(append(b, value...), ',')
}
