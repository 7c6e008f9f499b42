package stream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sashabaranov/go-openai"

	"redline/bench"
)

// Fault is an error in a server's own words.
type Fault struct {
	Message, Code, Type string
}

// ReadFault reads the error that a JSON body or payload holds: an error object or string, or the object that is itself an error
// (vLLM). It is false where none stands.
func ReadFault(body []byte) (Fault, bool) {
	body = bytes.TrimSpace(body)
	if len(body) == 0 || body[0] != '{' {
		return Fault{}, false
	}
	var reply openai.ErrorResponse
	if json.Unmarshal(body, &reply) == nil && reply.Error != nil && reply.Error.Message != "" {
		return Fault{Message: reply.Error.Message, Code: word(reply.Error.Code), Type: reply.Error.Type}, true
	}
	// What go-openai does not read: errors that are strings, have no message, or stand at the top.
	var top map[string]any
	if json.Unmarshal(body, &top) != nil {
		return Fault{}, false
	}
	for _, v := range []any{top["error"], groqError(top)} {
		switch v := v.(type) {
		case string:
			if v != "" {
				return Fault{Message: v, Code: word(top["code"]), Type: word(top["error_type"])}, true
			}
		case map[string]any:
			if len(v) > 0 {
				return faultOf(v), true
			}
		case float64, bool:
			if word(v) != "0" && v != false {
				return faultOf(top), true
			}
		case []any:
			if len(v) > 0 {
				return Fault{Message: compact(v)}, true
			}
		}
	}
	if top["object"] == "error" || top["type"] == "error" {
		return faultOf(top), true
	}
	return Fault{}, false
}

func groqError(top map[string]any) any {
	groq, _ := top["x_groq"].(map[string]any)
	return groq["error"]
}

func faultOf(v map[string]any) Fault {
	f := Fault{Code: word(v["code"]), Type: word(v["type"])}
	if f.Code == "" {
		f.Code = word(v["http_status_code"])
	}
	for _, key := range []string{"message", "msg", "detail", "error"} {
		if s, ok := v[key].(string); ok && s != "" {
			f.Message = s
			return f
		}
	}
	f.Message = compact(v)
	return f
}

// anyFault is the fault of a payload that is one, readable or not.
func anyFault(b []byte) Fault {
	if f, ok := ReadFault(b); ok {
		return f
	}
	var top map[string]any
	if json.Unmarshal(b, &top) == nil {
		return faultOf(top)
	}
	return Fault{Message: string(b[:min(len(b), keptJunk)])}
}

func word(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case nil, map[string]any, []any:
		return ""
	case float64:
		return fmt.Sprintf("%.0f", v)
	default:
		return fmt.Sprint(v)
	}
}

func compact(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// Exhausted tells whether the error says that money or quota is used up, which waiting does not cure.
func (f Fault) Exhausted() bool {
	for _, s := range []string{f.Code, f.Type} {
		switch strings.ToLower(s) {
		case "insufficient_quota", "quota_exceeded", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance":
			return true
		}
	}
	return false
}

// Outcome is the class of an error that came inside an HTTP 200: refused keys and used-up quotas, rate limits and overload are
// told apart, because they ask for different things; all else is StreamError.
func (f Fault) Outcome() bench.Outcome {
	kind := strings.ToLower(f.Code + " " + f.Type)
	switch {
	case f.Exhausted() || f.Code == "401" || f.Code == "402" || f.Code == "403" || strings.Contains(kind, "authentication"):
		return bench.Unauthorized
	case f.Code == "429" || strings.Contains(kind, "rate_limit"):
		return bench.RateLimited
	case f.Code == "503" || f.Code == "529" || strings.Contains(kind, "overloaded") || strings.Contains(strings.ToLower(f.Message), "overloaded"):
		return bench.Overloaded
	}
	return bench.StreamError
}
