package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ownFields are those that redline sets itself, with what to use instead.
var ownFields = map[string]string{
	"model": "--model names the model", "messages": "the prompts are redline's own", "prompt": "the prompts are redline's own",
	"input": "the prompts are redline's own", "stream": "redline measures streams", "max_tokens": "--max-tokens sets it, and every budget rests on it",
	"max_completion_tokens": "--max-tokens sets it, and every budget rests on it", "max_output_tokens": "--max-tokens sets it, and every budget rests on it",
	"n": "every budget rests on one answer a request", "best_of": "every budget rests on one answer a request",
}

// bodyFlag reads --body. Its problems name a field, never a value.
type bodyFlag struct {
	to    *protocol
	found *problems
}

// String is empty: there is no default.
func (f *bodyFlag) String() string { return "" }

// Type is the kind of value as help shows it.
func (f *bodyFlag) Type() string { return "'KEY=JSON'" }

// Set reads one field; it never fails (see option).
func (f *bodyFlag) Set(text string) error {
	key, value, ok := strings.Cut(text, "=")
	key = strings.TrimSpace(key)
	parts := strings.Split(key, ".")
	if !ok || !fieldName(key) || hasEmpty(parts) {
		f.found.add("body", "***", "want KEY=JSON, as in 'top_p=0.9' or 'chat_template_kwargs.enable_thinking=false' (what was given is not shown: it may be a secret)")
		return nil
	}
	if why, own := ownFields[parts[0]]; own {
		f.found.add("body", key, "want another field; "+why)
		return nil
	}
	v, err := readJSON(value)
	if err != nil {
		f.found.add("body", key, fmt.Sprintf(`want JSON as its value; a text needs quotes of its own, as in --body '%s="text"'`, key))
		return nil
	}
	if at, ok := put(f.to.body, parts, v); !ok {
		f.found.add("body", key, fmt.Sprintf("want each field once; %s has a value already", at))
		return nil
	}
	f.to.bodyKeys = append(f.to.bodyKeys, key)
	return nil
}

// fieldName tells whether a text can be the path of a field, rather than JSON that was meant as a whole.
func fieldName(key string) bool {
	return !strings.ContainsFunc(key, func(r rune) bool { return strings.ContainsRune("{}[]\"' ", r) || !strconv.IsPrint(r) })
}

func hasEmpty(parts []string) bool {
	for _, p := range parts {
		if p == "" {
			return true
		}
	}
	return false
}

// readJSON is the one JSON value that a text holds; numbers keep their digits.
func readJSON(text string) (any, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("more than one value")
	}
	return v, nil
}

// put lays a value into an object at a path. Of two objects at one place the fields join; false, with the place, where something else stands.
func put(into map[string]any, path []string, v any) (at string, ok bool) {
	name := path[0]
	old, there := into[name]
	if len(path) > 1 {
		inner, isObject := old.(map[string]any)
		switch {
		case !there:
			inner = map[string]any{}
			into[name] = inner
		case !isObject:
			return name, false
		}
		at, ok := put(inner, path[1:], v)
		return name + "." + at, ok
	}
	fields, isObject := v.(map[string]any)
	inner, wasObject := old.(map[string]any)
	switch {
	case !there:
		into[name] = v
		return name, true
	case !isObject || !wasObject:
		return name, false
	}
	for k, field := range fields {
		if at, ok := put(inner, []string{k}, field); !ok {
			return name + "." + at, false
		}
	}
	return name, true
}
