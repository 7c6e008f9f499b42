package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Fields are names of fields of a request's body, separated by commas. A field within another one is written with a
// dot: stream_options.include_usage.
type Fields string

func (f Fields) names() []string {
	return strings.FieldsFunc(string(f), func(r rune) bool { return r == ',' || r == ' ' })
}

// unwanted refuses a body that has a field which the options refuse; nil if there is none, or the body is no object.
func (s *Server) unwanted(body []byte, d dialect) *refusal {
	if s.opts.Refuse == "" {
		return nil
	}
	var detail []any
	for _, name := range s.opts.Refuse.names() {
		path := strings.Split(name, ".")
		value, ok := find(body, path)
		switch {
		case !ok:
		case s.opts.RefuseAs != http.StatusUnprocessableEntity:
			return unrecognised(name, d)
		default:
			loc := append([]string{"body"}, path...)
			detail = append(detail, map[string]any{"type": "extra_forbidden", "loc": loc, "msg": "Extra inputs are not permitted", "input": value})
		}
	}
	if detail == nil {
		return nil
	}
	return &refusal{status: http.StatusUnprocessableEntity, detail: detail}
}

// find is the value of a field of a JSON object.
func find(body []byte, path []string) (json.RawMessage, bool) {
	value := json.RawMessage(body)
	for _, name := range path {
		var fields map[string]json.RawMessage
		if json.Unmarshal(value, &fields) != nil {
			return nil, false
		}
		next, ok := fields[name]
		if !ok {
			return nil, false
		}
		value = next
	}
	return value, true
}

// unrecognised refuses one field with status 400. OpenAI has a sentence for fields that it does not know, another one for
// fields within fields, and a third one for the field that it has renamed.
func unrecognised(name string, d dialect) *refusal {
	no := &refusal{status: http.StatusBadRequest, kind: "invalid_request_error", param: name}
	renamed := name == "max_tokens" && (d == dialect(openAIChat{}) || d == dialect(azureChat{}))
	switch {
	case d == dialect(anthropicMessages{}):
		no.message = name + ": Extra inputs are not permitted"
	case renamed:
		no.code = "unsupported_parameter"
		no.message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
	case strings.Contains(name, "."):
		no.code, no.message = "unknown_parameter", fmt.Sprintf("Unknown parameter: '%s'.", name)
	default:
		no.message = "Unrecognized request argument supplied: " + name
	}
	return no
}

// valid tells whether every name could be one of a field.
func (f Fields) valid() bool {
	return !slices.ContainsFunc(f.names(), func(name string) bool {
		return strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_.") != "" || slices.Contains(strings.Split(name, "."), "")
	})
}
