package script

import (
	"encoding/json"
	"net/http"
	"strings"
)

// condition asks for a field of the JSON body and a header; what is empty is not asked for.
type condition struct{ Field, Header string }

func (c condition) empty() bool { return c == condition{} }

// holds tells whether a request has all that is asked for.
func (c condition) holds(r *request) bool {
	if c.Header != "" && r.header.Get(c.Header) == "" {
		return false
	}
	return c.Field == "" || r.has(c.Field)
}

// request is what a script can ask of a request.
type request struct {
	method, path string
	header       http.Header
	body         []byte
	// number counts the requests, from 1.
	number int
}

// has tells whether the JSON body has a field that is not null; a.b is b in the object a.
func (r *request) has(field string) bool {
	var v any
	if json.Unmarshal(r.body, &v) != nil {
		return false
	}
	for name := range strings.SplitSeq(field, ".") {
		object, ok := v.(map[string]any)
		if !ok {
			return false
		}
		v = object[name]
	}
	return v != nil
}

// fits tells whether the answer is for the request.
func (a *Answer) fits(r *request) bool {
	if a.method != r.method || (a.path != "" && a.path != r.path) {
		return false
	}
	return a.when.holds(r) && (a.unless.empty() || !a.unless.holds(r))
}

// key is the API key of a request, in whichever header it came.
func (r *request) key() string {
	if _, key, ok := strings.Cut(r.header.Get("Authorization"), " "); ok {
		return key
	}
	for _, name := range []string{"Api-Key", "X-Api-Key"} {
		if key := r.header.Get(name); key != "" {
			return key
		}
	}
	return ""
}
