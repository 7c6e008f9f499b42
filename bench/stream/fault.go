package stream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/sashabaranov/go-openai"

	"redline/bench"
)

// Fault is an error in a server's own words.
type Fault struct {
	Message, Code, Type string
}

// ReadFault reads the error that a JSON body or payload holds: an error object or string, at the top or where Groq, OpenRouter, MiniMax and
// the Responses dialect put it, the object that is itself an error, named so (vLLM) or not (see bareFault), or an array that holds one of these (Gemini). It is false
// where none stands.
func ReadFault(body []byte) (Fault, bool) {
	body = bytes.TrimSpace(body)
	if len(body) == 0 || (body[0] != '{' && body[0] != '[') {
		return Fault{}, false
	}
	var reply openai.ErrorResponse
	if json.Unmarshal(body, &reply) == nil && reply.Error != nil && reply.Error.Message != "" && reply.Error.Type != "" {
		return Fault{Message: reply.Error.Message, Code: word(reply.Error.Code), Type: reply.Error.Type}, true
	}
	// What go-openai does not read: errors that are strings, have no message or type, or stand elsewhere.
	var whole any
	if json.Unmarshal(body, &whole) != nil {
		return Fault{}, false
	}
	if all, ok := whole.([]any); ok {
		for _, v := range all {
			if top, ok := v.(map[string]any); ok {
				if f, ok := topFault(top); ok {
					return f, true
				}
			}
		}
		return Fault{}, false
	}
	return topFault(whole.(map[string]any))
}

// topFault is the fault that an object holds, or is.
func topFault(top map[string]any) (Fault, bool) {
	groq, _ := top["x_groq"].(map[string]any)
	response, _ := top["response"].(map[string]any)
	places := []any{top["error"], top["errors"], groq["error"], response["error"]}
	choices, _ := top["choices"].([]any)
	for _, c := range choices {
		choice, _ := c.(map[string]any)
		places = append(places, choice["error"])
	}
	var faint []Fault
	for _, v := range places {
		if f, ok := placedFault(v, top); ok && says(v) {
			return f, true
		} else if ok {
			faint = append(faint, f)
		}
	}
	if base, _ := top["base_resp"].(map[string]any); says(base["status_code"]) {
		return Fault{Message: word(base["status_msg"]), Code: word(base["status_code"])}, true
	}
	if top["object"] == "error" || failingName([]byte(word(top["type"]))) {
		return faultOf(top), true
	}
	for _, v := range []any{response["status"], strings.TrimPrefix(word(top["type"]), "response.")} {
		switch v {
		case "failed", "cancelled", "canceled":
			return Fault{Message: "the server says that the response is " + word(v), Type: word(v)}, true
		}
	}
	if len(faint) > 0 && len(choices) == 0 {
		return faint[0], true
	}
	return bareFault(top)
}

// placedFault is the fault in a value that stands where errors do; what it lacks stands beside it, in top.
func placedFault(v any, top map[string]any) (Fault, bool) {
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
		if len(v) == 0 {
			break
		}
		if first, ok := v[0].(map[string]any); ok && len(first) > 0 {
			return faultOf(first), true
		}
		return Fault{Message: compact(v)}, true
	}
	return Fault{}, false
}

// faultOf is the fault that an object is, under whatever names its parts go.
func faultOf(v map[string]any) Fault {
	f := Fault{Type: word(v["type"])}
	for _, key := range []string{"code", "error_code", "errorCode", "errcode", "http_status_code", "statusCode", "status_code"} {
		if f.Code = word(v[key]); f.Code != "" {
			break
		}
	}
	status := word(v["status"])
	if _, err := strconv.Atoi(status); err == nil && f.Code == "" {
		f.Code = status
	} else if err != nil && (f.Type == "" || f.Type == "error") { // Gemini's name of an error is its status
		f.Type = status
	}
	if aws := word(v["__type"]); aws != "" && f.Type == "" {
		f.Type = aws[strings.LastIndexByte(aws, '#')+1:]
	}
	if f.Message = wording(v); f.Message == "" {
		f.Message = compact(v)
	}
	return f
}

// wording are the words of an error: a text, or what the first object or list in its place says.
func wording(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		for _, part := range v {
			if s := wording(part); s != "" {
				return s
			}
		}
	case map[string]any:
		for _, key := range []string{"message", "msg", "detail", "error", "error_msg", "error_message", "errorMessage", "errmsg", "status_msg", "title", "text"} {
			if s := wording(v[key]); s != "" {
				return s
			}
		}
	}
	return ""
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
		case "insufficient_quota", "quota_exceeded", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance",
			"insufficient_credits", "billing_error":
			return true
		}
	}
	return false
}

// kinds are the words by which servers name what an error is, in lower case and without separators: code and type are looked through
// for them, in this order.
var kinds = []struct {
	outcome bench.Outcome
	words   []string
}{
	{bench.Unauthorized, []string{"authentication", "unauthorized", "invalidapikey", "permission", "forbidden", "accessdenied"}},
	{bench.RateLimited, []string{"ratelimit", "toomanyrequests", "resourceexhausted", "throttl"}},
	{bench.Overloaded, []string{"overload", "unavailable", "serverbusy", "slowdown"}},
}

// Outcome is the class of an error that came inside an HTTP 200: refused keys and used-up quotas, rate limits and overload are
// told apart, because they ask for different things; all else is StreamError.
func (f Fault) Outcome() bench.Outcome {
	if f.Exhausted() {
		return bench.Unauthorized
	}
	switch f.Code {
	case "401", "402", "403":
		return bench.Unauthorized
	case "429":
		return bench.RateLimited
	case "503", "529":
		return bench.Overloaded
	}
	name := strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(f.Code + " " + f.Type))
	for _, k := range kinds {
		for _, word := range k.words {
			if strings.Contains(name, word) {
				return k.outcome
			}
		}
	}
	if strings.Contains(strings.ToLower(f.Message), "overloaded") {
		return bench.Overloaded
	}
	return bench.StreamError
}
